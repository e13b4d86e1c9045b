import type { components } from '../generated/live.ts';

type Schemas = components['schemas'];

/** Frames of the live protocol, version 1 (docs/reference/live-protocol.md#live-protocol). */
export type ClientFrame = Schemas['ClientFrame'];
export type ServerFrame = Schemas['ServerFrame'];
export type SnapshotFrame = Schemas['SnapshotFrame'];
export type DeltaFrame = Schemas['DeltaFrame'];
export type ResyncFrame = Extract<ClientFrame, { t: 'resync' }>;
/** A client's position in the history of a property: the last number that it has applied. */
export type Position = Schemas['Position'];
/** A cell in absolute values; `rate` is the BAR price of the night, null without one. */
export type GridItem = Schemas['GridItem'];
/** A change of a booking. */
export type FeedItem = Schemas['FeedItem'];
/** A night over all room types. */
export type KpiItem = Schemas['KpiItem'];
export type RoomItem = Schemas['RoomItem'];
export type CompetitorItem = Schemas['CompetitorItem'];
/** One changed item of a delta. */
export type Patch = Schemas['Patch'];
