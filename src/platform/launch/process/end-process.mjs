import { isRunning, lookUp } from './processes.mjs';
import { until } from './until.mjs';

/**
 * Sends one signal after the other until the process has ended. Its start is compared each time: its id may be given
 * to somebody else while we wait.
 * @param {number} pid
 * @param {[NodeJS.Signals, number][]} steps each signal, and how many milliseconds it is given
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
