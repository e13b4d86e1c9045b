import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the answer is truthy or the time is over. What the launcher waits for (a process that ends, a line in a
 * file) has no event.
 * @template T
 * @param {() => T | Promise<T>} ask
 * @param {number} withinMs
 * @param {number} [everyMs]
 * @returns {Promise<T | undefined>} the truthy answer, undefined when the time ran out
 */
export async function until(ask, withinMs, everyMs = 20) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() >= deadline) return undefined;
    await sleep(everyMs);
  }
}
