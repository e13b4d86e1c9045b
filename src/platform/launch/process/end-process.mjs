import { isRunning, lookUp } from './processes.mjs';
import { until } from './until.mjs';

/**
 * Sends signals one after the other until the process has ended. Its start time is compared each time, since its id
 * may be reused meanwhile.
 * @param {number} pid
 * @param {[NodeJS.Signals, number][]} steps each signal, with its time limit in milliseconds
 */
export async function endProcess(pid, steps) {
  const startedAt = lookUp(pid)?.startedAt;
  const ended = () => !isRunning(pid) || lookUp(pid)?.startedAt !== startedAt;
  for (const [signal, patienceMs] of steps) {
    if (ended()) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await until(ended, patienceMs, 10)) return;
  }
}
