import { setTimeout as pause } from 'node:timers/promises';

/** Time limit of database answers about leases, in milliseconds. */
export const ANSWER_MS = 3_000;

/** An answer of the database, or an error when it is late. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('the database does not answer');
  });
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
