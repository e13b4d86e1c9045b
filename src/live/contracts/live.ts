import { z } from 'zod';

import { LIVE_LIMITS, LIVE_PROTOCOL, LIVE_TOPICS } from '../../../packages/client/src/live/live-limits.ts';
import { instant as dateTime } from '../../kernel/contracts/fields.ts';
import { ROLES } from '../../kernel/rules/caller.ts';
import { parseDay } from '../../kernel/rules/dates.ts';
import { ROOM_STATUSES } from '../../properties/rules/property.ts';

/**
 * Frames of the live protocol, version 1 (docs/reference/live-protocol.md#live-protocol), one JSON object each: as text
 * over plain WebSocket, as event `m` over socket.io. Times are milliseconds since the epoch, days are `YYYY-MM-DD`,
 * amounts are numbers with two decimals. The server rejects unknown fields; clients must ignore them, so that fields
 * can be added.
 */

const count = z.int().min(0);
const instant = z.int();
const day = z.string().refine((text) => parseDay(text) !== undefined, {
  error: 'expected a calendar day, YYYY-MM-DD',
  params: { field: 'BAD_FORMAT' },
});
const propertyId = z.string().min(1).max(50);
const topic = z.enum(LIVE_TOPICS);

/** A client's position in the history of a property: the last number that it has applied. */
const position = z.strictObject({ generation: count, seq: count });
export type Position = z.infer<typeof position>;

/** Calendar days that a subscription shows, beginning with `start`. */
const liveWindow = z.strictObject({ start: day, days: z.int().min(1).max(LIVE_LIMITS.windowDays) });

/** Authenticates the caller in a tenant; again before the token expires. */
const authFrame = z.strictObject({
  t: z.literal('auth'),
  token: z.string().min(1).max(8192),
  tenantId: z.string().min(1).max(100),
});

/** Follows a property; a second one for the same property replaces the first. */
const subscribeFrame = z.strictObject({
  t: z.literal('subscribe'),
  propertyId,
  topics: z
    .array(topic)
    .min(1)
    .max(LIVE_TOPICS.length)
    .refine((list) => new Set(list).size === list.length, 'expected each topic once'),
  window: liveWindow,
  from: position.optional(),
});

/** Every frame that a client may send. */
export const clientFrame = z.discriminatedUnion('t', [
  authFrame,
  subscribeFrame,
  z.strictObject({ t: z.literal('unsubscribe'), propertyId }),
  z.strictObject({ t: z.literal('resync'), propertyId, generation: count, seq: count }),
  z.strictObject({ t: z.literal('seek'), propertyId, asOf: z.union([instant.min(0), dateTime]) }),
  z.strictObject({ t: z.literal('live') }),
  z.strictObject({ t: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof clientFrame>;
export type AuthFrame = z.infer<typeof authFrame>;
export type SubscribeFrame = z.infer<typeof subscribeFrame>;
export type ResyncFrame = Extract<ClientFrame, { t: 'resync' }>;

/** A cell in absolute values; `rate` is the BAR price of the night, null without one. */
const gridItem = z.object({
  roomType: z.string(),
  date: day,
  totalRooms: count,
  bookedRooms: count,
  heldRooms: count,
  blockedRooms: count,
  availableRooms: count,
  rate: z.number().nullable(),
  currency: z.string(),
});
export type GridItem = z.infer<typeof gridItem>;

/** A change of a booking; `guestName` is masked for VIEWER and null when it is no longer known. */
const feedItem = z.object({
  /** IMPORTED where an import has stored or replaced it. */
  type: z.string(),
  at: instant,
  reservationId: z.string(),
  confirmationNumber: z.string(),
  roomType: z.string(),
  checkIn: day,
  checkOut: day,
  nights: count,
  guestName: z.string().nullable(),
  /** Of the reservation at that time. PENDING is held and not booked: until `heldUntil`, or until it is confirmed. */
  status: z.string(),
  heldUntil: instant.optional(),
  /** For MANAGER and above. */
  totalAmount: z.number().optional(),
});
export type FeedItem = z.infer<typeof feedItem>;

/** A night over all room types; occupancy in percent: sold / available x 100 (docs/concepts/night-audit.md#figures). */
const kpiItem = z.object({
  date: day,
  roomsSold: count,
  /** Sellable rooms, sold ones included: "rooms available" of the key figures. */
  roomsAvailable: count,
  occupancyRate: z.number(),
  /** Null when nothing is sold. */
  adr: z.number().nullable().optional(),
  revPar: z.number().optional(),
  pickupToday: z.int(),
  cancellationsToday: count,
});
export type KpiItem = z.infer<typeof kpiItem>;

const roomItem = z.object({
  roomNumber: z.string(),
  roomType: z.string(),
  status: z.enum(ROOM_STATUSES),
  reservationId: z.string().optional(),
});
export type RoomItem = z.infer<typeof roomItem>;

const competitorItem = z.object({
  date: day,
  roomType: z.string(),
  median: z.number(),
  low: z.number(),
  high: z.number(),
  count,
  observedAt: instant,
});
export type CompetitorItem = z.infer<typeof competitorItem>;

/** One changed item of a delta. */
const patch = z.discriminatedUnion('topic', [
  gridItem.extend({ topic: z.literal('grid') }),
  feedItem.extend({ topic: z.literal('feed') }),
  kpiItem.extend({ topic: z.literal('kpi') }),
  roomItem.extend({ topic: z.literal('rooms') }),
  competitorItem.extend({ topic: z.literal('competitors') }),
]);
export type Patch = z.infer<typeof patch>;

/** Everything in the window at `seq`; topics that were not requested are empty. `feed` is newest first. */
const snapshotFrame = z.object({
  t: z.literal('snapshot'),
  propertyId,
  generation: count,
  seq: count,
  /** Commit time of `seq`. */
  asOf: instant,
  grid: z.array(gridItem),
  feed: z.array(feedItem),
  kpi: z.array(kpiItem),
  rooms: z.array(roomItem),
  competitors: z.array(competitorItem),
});
export type SnapshotFrame = z.infer<typeof snapshotFrame>;

/** Changes of the numbers `from` to `to` (inclusive) in the window; `ts` is the commit time of `to`. */
const deltaFrame = z.object({
  t: z.literal('delta'),
  propertyId,
  generation: count,
  from: count,
  to: count,
  ts: instant,
  cause: z.object({ type: z.string(), id: z.string() }),
  patches: z.array(patch),
});
export type DeltaFrame = z.infer<typeof deltaFrame>;

/** RFC 9457, as in HTTP answers; `propertyId` and `frame` (the kind of the answered frame) where useful. */
const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  retryable: z.boolean(),
  retryAfterSeconds: z.number().min(0).optional(),
  propertyId: z.string().optional(),
  frame: z.string().optional(),
});

/** Every frame that the server may send. */
export const serverFrame = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('hello'),
    protocol: z.literal(LIVE_PROTOCOL),
    serverTime: instant,
    heartbeatMs: count,
  }),
  z.object({ t: z.literal('ready'), tenantId: z.string(), role: z.enum(ROLES), expiresAt: instant }),
  snapshotFrame,
  deltaFrame,
  /** `positions`: by property, the last number sent to this client. */
  z.object({ t: z.literal('heartbeat'), serverTime: instant, positions: z.record(z.string(), position) }),
  z.object({ t: z.literal('pong') }),
  z.object({ t: z.literal('error'), problem }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;

/** What clients of the protocol are written with, by name. */
export const LIVE_SCHEMAS = {
  Position: position,
  GridItem: gridItem,
  FeedItem: feedItem,
  KpiItem: kpiItem,
  RoomItem: roomItem,
  CompetitorItem: competitorItem,
  Patch: patch,
  SnapshotFrame: snapshotFrame,
  DeltaFrame: deltaFrame,
  ServerFrame: serverFrame,
};
