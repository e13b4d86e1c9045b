/** Messages that a channel is sent at once after a rest, and how many more become free in a minute. */
const BURST = 4;
const REFILL_PER_MINUTE = 16;
const MINUTE_MS = 60_000;
/** Part of a pause that is drawn on top of it. */
const DRAWN = 0.25;

/** Messages that may be sent at a moment; in any minute at most 20 (docs/reference/channels.md#pace). */
export type Pace = { free: number; at: number };

export const FULL_PACE: Pace = { free: BURST, at: 0 };

function atMoment({ free, at }: Pace, now: number): Pace {
  const refilled = free + (Math.max(0, now - at) / MINUTE_MS) * REFILL_PER_MINUTE;
  return { free: Math.min(BURST, refilled), at: now };
}

/** Milliseconds until so many messages may be sent; 0 when they may be sent now. */
export function pauseBefore(pace: Pace, now: number, messages = 1): number {
  const lacking = Math.min(messages, BURST) - atMoment(pace, now).free;
  return lacking <= 0 ? 0 : Math.ceil((lacking / REFILL_PER_MINUTE) * MINUTE_MS);
}

/** The pace after a message. */
export function paceAfter(pace: Pace, now: number): Pace {
  const { free, at } = atMoment(pace, now);
  return { free: free - 1, at };
}

/**
 * A pause that is drawn longer: channels that one change has set off do not send at the same moments ever after.
 * @param draw between 0 and 1
 */
export const drawnPause = (pauseMs: number, draw: number): number => Math.ceil(pauseMs * (1 + DRAWN * draw));
