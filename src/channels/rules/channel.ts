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
  /** Currency of the rate: the same number in another one is another rate. */
  currency?: string;
  restrictions?: Partial<ChannelRestrictions>;
};

/** Nights of a line, both days inclusive, that have the same value. */
export type ChannelRun = ChannelLine & ChannelValue & { from: Day; to: Day };

/** Something that a channel is sent: the newest values of nights that it does not have. */
export type ChannelMessage = {
  /** Of this attempt: values are absolute, so that a channel may take them twice. */
  messageId: string;
  at: Instant;
  propertyId: PropertyId;
  currency: string;
  runs: readonly ChannelRun[];
};

export const CHANNEL_STATUSES = ['ACTIVE', 'PAUSED'] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

/** Why a channel is paused: on request, nothing was taken for three days, or its address answered 410. */
export const CHANNEL_PAUSE_REASONS = ['REQUESTED', 'UNDELIVERABLE', 'GONE'] as const;
type ChannelPauseReason = (typeof CHANNEL_PAUSE_REASONS)[number];

/** Of a property, and of one channel. */
export const MAX_CHANNELS = 20;
export const MAX_CHANNEL_LINES = 200;

/** What a client says of a channel. */
export type ChannelSettings = {
  channelCode: string;
  name: string;
  adapter: ChannelAdapterName;
  url: string;
  availabilitySync: boolean;
  rateSyncEnabled: boolean;
  /** Bounds of the rates that it is sent. */
  minRate?: Minor;
  maxRate?: Minor;
  /** Percent of the price that the channel keeps. */
  commission?: number;
  /** After 5 s without an answer, nights that may be oversold are closed before anything else is sent. */
  stopSellOnFailure: boolean;
  mappings: readonly ChannelLine[];
};

/** How sending stands. */
type ChannelProgress = {
  /** Journal rows that were not looked at yet. */
  behind: number;
  /** Since when the oldest of them waits. */
  waitingSince?: Instant;
  failingSince?: Instant;
  nextAttemptAt?: Instant;
  lastTakenAt?: Instant;
  lastError?: string;
  lastErrorAt?: Instant;
  /** Values, one of a member of a night, that the channel did not take. */
  rejected: number;
  /** Nights on which it may sell more than there is, at the last attempt. */
  atRisk: number;
  /** Nights that differed at the last audit; absent where the channel cannot say what it has. */
  drift?: number;
  auditedAt?: Instant;
};

export type Channel = ChannelSettings & {
  channelId: string;
  propertyId: PropertyId;
  /** Whether requests carry an `authorization` header. */
  isAuthorized: boolean;
  status: ChannelStatus;
  pausedBecause?: ChannelPauseReason;
  pausedAt?: Instant;
  createdAt: Instant;
  changedAt: Instant;
  progress: ChannelProgress;
};
