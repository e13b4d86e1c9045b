import { setTimeout as pause } from 'node:timers/promises';

/** Interval of health checks, and the timeout after which a supervisor would restart the process. */
const EVERY_MS = 200;
const PATIENCE_MS = 10_000;

/** Results of a health checker: all checks, the answers that were not UP, and the longest it waited. */
export type WatchedHealth = { asked: number; notUp: number; worstMs: number };

/** Checks the health of a service repeatedly during `work`, as a balancer does. */
export async function whileWatching(serviceUrl: string, work: Promise<unknown>): Promise<WatchedHealth> {
  const watched: WatchedHealth = { asked: 0, notUp: 0, worstMs: 0 };
  const over = new AbortController();
  const ended = work.finally(() => over.abort());
  while (!over.signal.aborted) {
    const began = performance.now();
    const isUp = await fetch(`${serviceUrl}/actuator/health`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      async (answer) => ((await answer.json()) as { status: string }).status === 'UP',
      () => false,
    );
    watched.asked += 1;
    if (!isUp) watched.notUp += 1;
    watched.worstMs = Math.max(watched.worstMs, Math.round(performance.now() - began));
    await pause(EVERY_MS);
  }
  await ended;
  return watched;
}
