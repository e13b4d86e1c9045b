import { DomainError } from './domain-error.ts';

/** How long the owner of a property is searched: a take-over after a crash takes less than half of it. */
export const SEARCH_MS = 3_000;

/** Pauses between attempts: the first ones are short, since mostly the property is just being released. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;

/** Milliseconds before the next attempt. @param tries failed attempts */
export const pauseOf = (tries: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);

/** No owner was found, and nothing was done (docs/concepts/cluster.md#ownership). */
export class NotServed extends DomainError {
  constructor() {
    super('NOT_EXECUTED', 'No node serves the property at the moment.', { retryAfterSeconds: 1 });
  }
}
