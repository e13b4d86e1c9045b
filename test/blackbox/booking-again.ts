import type { Test } from 'tap';

import type { BlackboxProperty } from './property.ts';
import { until } from './waiting.ts';

/** From the end of an outage to the first booking, on a machine that does other things too. */
export const BACK_WITHIN_MS = 60_000;

/** Retries until a booking succeeds, as a client does. */
export async function booksAgain(t: Test, property: BlackboxProperty): Promise<void> {
  const began = performance.now();
  await until('a booking succeeds', BACK_WITHIN_MS, async () => {
    const answer = await property.book().catch(() => undefined);
    return answer?.status === 201 ? true : undefined;
  });
  t.comment(`first booking after ${Math.round(performance.now() - began)} ms`);
}
