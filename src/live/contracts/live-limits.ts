/**
 * Numbers and words of the live protocol (docs/reference/live-protocol.md#live-protocol). They stand apart from the
 * schemas so that the page can use them without carrying zod.
 */
export const LIVE_LIMITS = {
  /** One frame of a client, in bytes; more closes with 1009. */
  frameBytes: 65_536,
  /** Days of a subscription's window. */
  windowDays: 366,
  /** Properties that one connection may follow at a time. */
  subscriptions: 20,
  /** Bookings in a snapshot's feed, and in a replica's. */
  feedItems: 50,
  /** A connection without a valid token is closed after this long. */
  authWithinMs: 10_000,
  heartbeatMs: 10_000,
  /** After its token expired a connection has this long to send a new one. */
  expiryGraceMs: 60_000,
} as const;

export const LIVE_PROTOCOL = 1;

/** Bounds of a subscription. */
export const LIVE_TOPICS = ['grid', 'feed', 'kpi', 'rooms', 'competitors'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** Why the server closes a connection; 1009 and 1001 are WebSocket's own, the rest follows its conventions. */
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
