import { LIVE_LIMITS } from '../../packages/client/src/live/live-limits.ts';

/** All limits of the live gateway; tests shorten the times. Those of the protocol are in contracts. */
export const GATEWAY_LIMITS = {
  authWithinMs: LIVE_LIMITS.authWithinMs as number,
  heartbeatMs: LIVE_LIMITS.heartbeatMs as number,
  expiryGraceMs: LIVE_LIMITS.expiryGraceMs as number,
  /**
   * How often the association of an open socket is checked again. The authenticator caches it for 15 s: together they
   * stay under the 30 s of docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do.
   */
  recheckMs: 12_000,
  /** Queued frames of one client; one with more does not wait for answers. */
  queuedFrames: 256,
  /** Frames of one client: a reconnecting page subscribes to everything at once, then sends little. */
  frames: { perSecond: 50, burst: 300 },
  /** `auth` frames of one client: one at first, and one per token renewal. */
  authFrames: { perSecond: 0.2, burst: 10 },
  /** Consecutive refused frames after which the client is closed with 1013. */
  refusedFrames: 100,
  /** Sockets of one address without a valid token; a further one replaces the oldest. */
  pendingPerAddress: 1_000,
  /** Bytes of past states over all subscriptions (past-shelf.ts). */
  pastBytes: 64 * 1024 * 1024,
  /** Unsent bytes from which a client gets no more deltas. */
  slowBytes: 1_048_576,
  /** Unsent bytes below which it gets a snapshot and continues. */
  resumedBytes: 65_536,
  /** Unsent bytes from which even small answers are not sent. */
  hopelessBytes: 8_388_608,
  /** Time after which a client that stays slow is closed with 1013. */
  blockedMs: 30_000,
  slowPollMs: 100,
  /**
   * Changes retained for reconnecting clients: as many as in the actor's ring
   * (docs/concepts/live-stream.md#from-the-actor-to-the-client).
   */
  ringChanges: 1024,
  /** Bookings retained for the feed of snapshots: more than one feed has, because a window shows only its own. */
  feedEntries: 400,
  /** Conflation window: changes that follow within this time are sent as one delta. */
  conflateMs: 50,
  /** Cells of changes before the property was followed; beyond it a snapshot is cheaper. */
  historyCells: 20_000,
  /** Cached texts for one `seq`: snapshots and catch-up deltas. */
  catchUpTexts: 64,
  /** How long a property is followed after its last client has left. */
  lingerMs: 30_000,
  /** How long `subscribe` waits for a property that moves between nodes. */
  followWithinMs: 5_000,
  /** Pauses between attempts to follow a property again. */
  retryFirstMs: 50,
  retryMostMs: 2_000,
};
/** Frame limits where users have no quotas. */
export const UNCOUNTED_FRAMES: Partial<typeof GATEWAY_LIMITS> = {
  frames: { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER },
  authFrames: { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER },
};

export type GatewayLimits = typeof GATEWAY_LIMITS;
