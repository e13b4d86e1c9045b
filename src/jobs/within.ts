import { setTimeout as pause } from 'node:timers/promises';

/** Waits for work, but no longer than this; its timer keeps nobody waiting afterwards. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, pause(ms, undefined, { signal: done.signal })]).finally(() => done.abort());
}
