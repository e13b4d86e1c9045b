import type { Day } from '../../kernel/rules/dates.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Protocols of channels (docs/reference/channels.md#protocols). */
export const CHANNEL_ADAPTERS = ['generic-json', 'ota-2003b'] as const;
export type ChannelAdapterName = (typeof CHANNEL_ADAPTERS)[number];

/** A room type under a rate plan, with the ids that the channel has for both. */
export type ChannelLine = {
  roomType: string;
  ratePlan: string;
  externalRoom: string;
  externalRate: string;
};

/** Limits on the sale of a night, as a channel knows them. */
export type ChannelRestrictions = {
  /** Not sold at all. */
  closed: boolean;
  closedToArrival: boolean;
  closedToDeparture: boolean;
  /** Shortest stay of who arrives on the night; 1 without a limit. */
  minStay: number;
  /** Longest stay of who arrives on the night; 0 without a limit. */
  maxStay: number;
};

/** What a channel is sent of a night; only members that it does not have yet. */
export type ChannelValue = {
  /** Rooms that it may sell. */
  availability?: number;
  /** Price of the night for two persons, in the property's currency. */
  rate?: Minor;
  restrictions?: ChannelRestrictions;
};

/** Nights of a line, both days inclusive, that have the same value. */
export type ChannelRun = ChannelLine & ChannelValue & { from: Day; to: Day };

/** Something that a channel is sent: the newest values of nights that it does not have. */
export type ChannelMessage = {
  /** The same however often the message is sent. */
  messageId: string;
  at: Instant;
  propertyId: PropertyId;
  currency: string;
  runs: readonly ChannelRun[];
};
