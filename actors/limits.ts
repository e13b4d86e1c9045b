/** Bounds of the actors, each with its unit and its reason (docs/concepts/actor.md#commands). */

/** Commands of one batch, and of one merged call of a lane. */
export const BATCH_COMMANDS = 128;

/** Batches of one property under way: one is being written while the next, decided on its preview, follows it. */
export const MAX_IN_FLIGHT = 2;

/** Commands needed to send a batch behind one under way; with fewer, they wait for its result. */
export const AHEAD_COMMANDS = 4;

/** Merged calls that a lane has under way on its connection. */
export const CALLS = 2;

/** Commands needed for a lane to send a call behind one under way; with fewer, they wait for its result. */
export const AHEAD_CALL_COMMANDS = 16;

/** Rows of nights in one merged call: cells, rates, restrictions, units and blocks. */
export const CALL_CELLS = 512;

/** Waiting commands of one mailbox that take rooms; the deadline of each command bounds the wait in addition. */
export const MAILBOX_ACQUIRING = 1_024;

/** Waiting commands of the other lanes: far above what the acquiring lane can have admitted. */
export const MAILBOX_OTHERS = 8_192;

/** Newest journal entries retained for live recovery (docs/concepts/live-stream.md#from-the-actor-to-the-client). */
export const RING_ENTRIES = 1_024;

/** Properties whose older entries are read at the same time; activations have priority at the database. */
export const RINGS_AT_ONCE = 2;

/** Reservations that an actor caches besides the unfinished ones. */
export const CACHED_RESERVATIONS = 5_000;

/** Reservations that one command reads at the same time. */
export const READS_AT_ONCE = 8;

/** Times that a batch is decided again because a rule needed a reservation that was not in memory. */
export const MAX_READS = 4;

/** Idle time after which an actor is passivated. */
export const PASSIVATE_AFTER_MS = 15 * 60_000;

/** How long an unknown commit outcome is looked up before callers get OUTCOME_UNKNOWN. */
export const RESOLVE_WITHIN_MS = 5_000;

/** Interrupted commits of one batch after which its callers get NOT_EXECUTED. */
export const LOST_COMMITS = 3;

/** Pause before the loop of a property is started again for a command that is due and that it could not take. */
export const BUSY_PAUSE_MS = 100;

/** Longest timer a runtime can set. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Pauses before a failed roll of the business date or expiry of holds is retried; each is twice the one before.
 * `unwritten`: the database could not write it, which passes soon. `faulty`: the command itself fails, until somebody
 * repairs the cause.
 */
export const FIRST_RETRY_MS = 250;
export const LONGEST_RETRY_MS = { unwritten: 2_000, faulty: 30_000 } as const;

/** Consecutive failures after which health reports a roll or an expiry as failing. */
export const FAILING_AFTER = 3;

/** Merged calls of a lane hold at most this many batches of different properties. */
export const CALL_BATCHES = 128;

/** Freshness of rates in memory (docs/concepts/actor.md#rate-freshness). A host may be given other limits. */
export type RateFreshnessLimits = typeof RATE_FRESHNESS_LIMITS;
export const RATE_FRESHNESS_LIMITS = {
  /** Age from which a read has the version checked in the background. */
  checkAfterMs: 240_000 as number,
  /** Age from which no read uses unchecked rates. */
  trustMs: 300_000 as number,
  /** How long a read or a sale waits for the check before it fails with STALE. */
  waitMs: 1_000 as number,
  /** How long background checks are collected into one statement. */
  gatherMs: 1_000 as number,
  /** How long a statement is awaited before the next one may start. */
  answerMs: 5_000 as number,
};

/** Properties of one check. */
export const CHECKED_AT_ONCE = 1_000;

/** Attempts to read rates when commands of this property change them during the read. */
export const RELOAD_TRIES = 5;

/** How often idle actors are passivated and rates of followed ones checked. */
export const SWEEP_MS = 30_000;

/** Failing properties that the health report names. */
export const MAX_NAMED = 20;

/**
 * Pause after the waitlist was looked through in vain: its free nights are too dear, or their rules forbid the stays, and
 * a busy property would price a thousand of them after each booking (docs/reference/waitlist.md#offers).
 */
export const OFFER_PAUSE_MS = 1_000;
