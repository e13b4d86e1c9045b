/** Bounds of the actors, each with its unit and its reason (docs/concepts/actor.md#commands). */

/** Commands of one batch, and of one merged call of a lane. */
export const BATCH_COMMANDS = 128;

/** Batches of one property under way: one is written while the next, decided on what it will leave, follows it. */
export const MOST_IN_FLIGHT = 2;

/** Commands for which a batch is sent behind one under way; fewer wait for it. */
export const AHEAD_COMMANDS = 4;

/** Merged calls a lane has under way on its connection. */
export const CALLS = 2;

/** Commands for which a lane sends a call behind one under way; fewer wait for its answer, and for more. */
export const AHEAD_CALL_COMMANDS = 16;

/** Rows of nights of one merged call of a lane: cells, rates, restrictions, units and blocks. */
export const CALL_CELLS = 512;

/** Commands that want rooms and may wait in one mailbox; the deadline of each bounds the wait above all. */
export const MAILBOX_ACQUIRING = 1_024;

/** Commands of the other lanes: far above what the acquiring lane can have admitted. */
export const MAILBOX_OTHERS = 8_192;

/** Newest journal entries retained for live recovery (docs/concepts/live-stream.md#from-the-actor-to-the-client). */
export const RING_ENTRIES = 1_024;

/** Properties of which older entries are read at the same time: activations need the database first. */
export const RINGS_AT_ONCE = 2;

/** Reservations an actor remembers besides the pending ones. */
export const CACHED_RESERVATIONS = 5_000;

/** Reservations that one command has read at once. */
export const READS_AT_ONCE = 8;

/** Times that a batch is decided again because a rule needed a reservation that was not in memory. */
export const MOST_READS = 4;

/** Idle time after which an actor leaves memory. */
export const PASSIVATE_AFTER_MS = 15 * 60_000;

/** How long an unknown commit outcome is looked up before callers get OUTCOME_UNKNOWN. */
export const RESOLVE_WITHIN_MS = 5_000;

/** Commits of one batch that may be interrupted before its callers learn that nothing happened. */
export const LOST_COMMITS = 3;

/** Longest timer a runtime can set. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Pauses before a roll of the day or an expiry of holds that did not go through is tried again: each is twice the one
 * before. One that the database could not take is soon possible again; one with a fault needs somebody who mends it.
 */
export const FIRST_RETRY_MS = 250;
export const LONGEST_RETRY_MS = { unwritten: 2_000, faulty: 30_000 } as const;

/** Failures in a row after which a roll or an expiry is shown as one that fails again and again. */
export const FAILING_AFTER = 3;

/** Merged calls of a lane hold at most this many batches of different properties. */
export const CALL_BATCHES = 128;

/** Trust in rates that stand in memory (docs/concepts/actor.md#rate-freshness). A host may be given others. */
export type RateFreshnessLimits = typeof RATE_FRESHNESS_LIMITS;
export const RATE_FRESHNESS_LIMITS = {
  /** Age from which a read has the version checked in the background. */
  checkAfterMs: 240_000 as number,
  /** Age from which nobody reads unchecked rates. */
  trustMs: 300_000 as number,
  /** How long a read or a sale waits for the check before it fails with STALE. */
  waitMs: 1_000 as number,
  /** How long checks for which nobody waits gather, to be one statement. */
  gatherMs: 1_000 as number,
  /** How long an answer is awaited before the next statement may go. */
  answerMs: 5_000 as number,
};

/** Properties of one check. */
export const CHECKED_AT_ONCE = 1_000;

/** Times that rates are read again because a command of our own came in between. */
export const RELOAD_TRIES = 5;

/** How often idle actors leave and followed ones have their rates checked. */
export const SWEEP_MS = 30_000;

/** Failing properties that the health names. */
export const MOST_NAMED = 20;
