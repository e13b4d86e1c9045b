import { LIVE_LIMITS } from '../../src/live/contracts/live-limits.ts';

/** Every bound of the live gateway; tests shorten the times. Those of the protocol itself are in contracts. */
export const GATEWAY_LIMITS = {
  authWithinMs: LIVE_LIMITS.authWithinMs as number,
  heartbeatMs: LIVE_LIMITS.heartbeatMs as number,
  expiryGraceMs: LIVE_LIMITS.expiryGraceMs as number,
  /**
   * How often the association of an open socket is looked up again. The authenticator remembers for 15 s: together they
   * stay under the 30 s of docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do.
   */
  recheckMs: 12_000,
  /** Queued frames of one client; a client that sends more does not wait for answers. */
  queuedFrames: 256,
  /** Frames of one client: a page that comes back subscribes to everything at once, and then says little. */
  frames: { perSecond: 50, burst: 300 },
  /** Its `auth` frames: one at first, and one each time that its token is renewed. */
  authFrames: { perSecond: 0.2, burst: 10 },
  /** Frames refused one after the other, and the client is closed with 1013. */
  refusedFrames: 100,
  /** Sockets of one address that have shown no valid token yet; a further one takes the place of the oldest. */
  pendingPerAddress: 1_000,
  /** Bytes of the past that all subscriptions together keep (past-shelf.ts). */
  pastBytes: 64 * 1024 * 1024,
  /** Unsent bytes from which a client gets no more deltas. */
  slowBytes: 1_048_576,
  /** Unsent bytes below which it gets a snapshot and goes on. */
  resumedBytes: 65_536,
  /** Unsent bytes at which even small answers are too much. */
  hopelessBytes: 8_388_608,
  /** A client that stays slow for so long is closed with 1013. */
  blockedMs: 30_000,
  slowPollMs: 100,
  /**
   * Changes retained for clients that missed some: as many as the actor's own ring
   * (docs/concepts/live-stream.md#from-the-actor-to-the-client).
   */
  ringChanges: 1024,
  /** Bookings retained for the feed of snapshots; more than a feed has, because a window shows only its own. */
  feedEntries: 400,
  /** Changes that follow the one before sooner than this go out together, as one delta. */
  conflateMs: 50,
  /** Cells of changes from before anybody followed; who missed more is better off with a snapshot. */
  historyCells: 20_000,
  /** Cached texts for one number of the sequence: snapshots and catch-up deltas. */
  catchUpTexts: 64,
  /** How long a property is followed after its last client has gone. */
  lingerMs: 30_000,
  /** How long `subscribe` waits for a property that is moving between nodes. */
  followWithinMs: 5_000,
  /** Pauses between attempts to follow a property again. */
  retryFirstMs: 50,
  retryMostMs: 2_000,
};
/** Where users have no limit, their frames have none either. */
export const UNCOUNTED_FRAMES: Partial<typeof GATEWAY_LIMITS> = {
  frames: { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER },
  authFrames: { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER },
};

export type GatewayLimits = typeof GATEWAY_LIMITS;
