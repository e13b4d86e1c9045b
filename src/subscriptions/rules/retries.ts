/** How long a receiver may fail before sending to it ends (docs/reference/webhooks.md#retries). */
export const GIVE_UP_AFTER_SECONDS = 3 * 86_400;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Failures, of about an hour, after which a receiver is tried less often. */
const MANY_ATTEMPTS = 64;
const LATER_PAUSE_MS = 300_000;
/** What a receiver may ask for. */
const MAX_ASKED_MS = 3_600_000;
/** Part of a pause that is drawn, so that cursors that failed together do not come back together. */
const JITTER = 0.2;

/**
 * Pause after a failure in ms: 1 s, doubled up to a minute, and five minutes after an hour of them; longer when the
 * receiver wants it.
 * @param attempts failures in a row, this one included
 * @param draw between 0 and 1
 */
export function retryPause(attempts: number, draw: number, askedMs = 0): number {
  const doubled = FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10);
  const pause = attempts > MANY_ATTEMPTS ? LATER_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, doubled);
  const drawn = pause * (1 - JITTER + 2 * JITTER * draw);
  return Math.round(Math.max(drawn, Math.min(askedMs, MAX_ASKED_MS)));
}
