/**
 * Limits and constants of the live protocol (docs/reference/live-protocol.md#live-protocol), separate from the schemas
 * so that the page need not bundle zod.
 */
export const LIVE_LIMITS = {
  /** Bytes of a client's frame; larger ones close with 1009. */
  frameBytes: 65_536,
  /** Days of a subscription's window. */
  windowDays: 366,
  /** Properties that one connection may follow at a time. */
  subscriptions: 20,
  /** Bookings in a snapshot's feed, and in a replica's. */
  feedItems: 50,
  /** A connection without a valid token is closed after this time. */
  authWithinMs: 10_000,
  heartbeatMs: 10_000,
  /** Time after expiry of its token in which a connection can send a new one. */
  expiryGraceMs: 60_000,
} as const;

export const LIVE_PROTOCOL = 1;

/** Topics of a subscription. */
export const LIVE_TOPICS = ['grid', 'feed', 'kpi', 'rooms', 'competitors'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** Close codes of the server; 1009 and 1001 are WebSocket's own, the others follow its conventions. */
export const CLOSE_CODES = {
  draining: 1001,
  frameTooLarge: 1009,
  tooSlow: 1013,
  /** Also for clients that send too many frames, have too many sockets, or wait too long without a token among many. */
  tooMuch: 1013,
  unauthenticated: 4401,
  tenantForbidden: 4403,
} as const;
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
