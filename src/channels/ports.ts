import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { CursorAddress, LeasedCursor } from '../subscriptions/ports.ts';
import type { KnownLine, MappedLine } from './rules/channel-values.ts';
import type {
  Channel,
  ChannelAdapterName,
  ChannelLine,
  ChannelMessage,
  ChannelRun,
  ChannelSettings,
  ChannelStatus,
  ChannelValue,
} from './rules/channel.ts';
import type { ChannelNotice } from './rules/notice.ts';
import type { Pace } from './rules/pace.ts';

/** What sending needs of a channel. */
export type ChannelTarget = {
  adapter: ChannelAdapterName;
  url: string;
  /** Header of its requests, sealed. */
  authorization?: string;
  stopSellOnFailure: boolean;
  mapped: readonly MappedLine[];
  known: readonly KnownLine[];
  pace: Pace;
  /** Business date of the last audit. */
  auditedDay?: Day;
};

/** A line after a request. What was taken is absent where that stays as it is stored: it is much to write. */
export type RecordedLine = Omit<KnownLine, 'taken'> & Partial<Pick<KnownLine, 'taken'>>;

/** What a request has come to. Absent members stay as they are. */
export type ChannelOutcome = {
  /** Lines of which something was taken or not taken. */
  lines?: readonly RecordedLine[];
  /** Lines that are known no more. */
  forgotten?: readonly KnownLine[];
  pace?: Pace;
  takenAt?: Instant;
  error?: { why: string; at: Instant };
  atRisk?: number;
  /** `drift` is absent where the channel cannot say what it has. */
  audit?: { day: Day; at: Instant; drift?: number };
};

/** A change of a channel's settings. */
type ChannelChange = ChannelSettings & {
  status?: ChannelStatus;
  /** Sealed; `null` takes it away, and an absent one stays. */
  authorization?: string | null;
};

/** Channels of tenants, and what each of them has. Headers are sealed before they come here. */
export interface Channels {
  list(tenantId: TenantId, propertyId?: PropertyId): Promise<Channel[]>;
  get(tenantId: TenantId, channelId: string): Promise<Channel | undefined>;
  /** @throws DomainError PROPERTY_NOT_FOUND, UNKNOWN_ROOM_TYPE, UNKNOWN_RATE_CODE, ALREADY_EXISTS, INVALID_STATE beyond limits */
  create(
    by: By,
    channel: ChannelSettings & { channelId: string; propertyId: PropertyId; authorization?: string },
    key?: RequestKey,
  ): Promise<Done<Channel>>;
  /** @throws DomainError CHANNEL_NOT_FOUND, UNKNOWN_ROOM_TYPE, UNKNOWN_RATE_CODE, VALIDATION_FAILED for another code */
  change(by: By, channelId: string, change: ChannelChange, key?: RequestKey): Promise<Done<Channel>>;
  /** @throws DomainError CHANNEL_NOT_FOUND */
  remove(by: By, channelId: string, key?: RequestKey): Promise<Done<null>>;
  /** Forgets what the channel has, so that everything is sent again. @throws DomainError CHANNEL_NOT_FOUND */
  sendAll(by: By, channelId: string, key?: RequestKey): Promise<Done<Channel>>;
  /** Has the channel of a changed mapping looked at. @returns its id */
  mappingChanged(tenantId: TenantId, propertyId: PropertyId, channelCode: string): Promise<string | undefined>;
  /** Ends sending by the service itself; nothing happens to a channel that is paused. */
  pause(of: CursorAddress, because: 'UNDELIVERABLE' | 'GONE', why: string): Promise<boolean>;
  target(tenantId: TenantId, channelId: string): Promise<ChannelTarget | undefined>;
  /** Records an outcome while the cursor is this node's. @returns false when it is not: nothing is recorded */
  record(cursor: LeasedCursor, outcome: ChannelOutcome): Promise<boolean>;
}

/** A notice that waits for the desk, with the channel that it is of. */
export type NoticeToSettle = ChannelNotice & { channelCode: string; name: string };

/** What channels have said of bookings that are not there as said; bounded, the oldest go. */
export interface ChannelNotices {
  /** The cancellation of a booking that had not come. */
  cancelled(tenantId: TenantId, channelId: string, externalId: string): Promise<ChannelNotice | undefined>;
  /** In the place of an earlier one of the same kind; a cancellation ends what was not taken. */
  put(tenantId: TenantId, notice: ChannelNotice): Promise<void>;
  end(tenantId: TenantId, channelId: string, externalId: string): Promise<void>;
  /** What was not taken and the desk has not settled, newest first. */
  waiting(of: Address, businessDate: Day, limit: number): Promise<NoticeToSettle[]>;
}

/** A request to a channel; `of` names whose connections it may use. */
export type ChannelLinkRequest = {
  of: string;
  url: string;
  method: 'POST' | 'GET';
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** An answer, of which at most some hundred KB are read; or why there is none, in texts of ours. */
export type ChannelLinkAnswer = { status: number; body: string; retryAfterMs?: number } | { why: string };

/** Requests to addresses that tenants name for their channels (docs/reference/channels.md#addresses). */
export interface ChannelLinks extends Disposable {
  ask(request: ChannelLinkRequest): Promise<ChannelLinkAnswer>;
  /** Why nothing is sent to an address; names are looked up only when something is sent. */
  faultOf(url: string): string | undefined;
}

/** A request of a channel's protocol, with the runs that it carries: each with the members that are in this request. */
export type ChannelRequest = {
  method: 'POST' | 'GET';
  /** Added to the channel's address. */
  query?: Readonly<Record<string, string>>;
  contentType: string;
  body: string;
  runs: readonly ChannelRun[];
};

/** An answer over HTTP; the body may be cut off. */
export type ChannelAnswer = { status: number; body: string };

/** A run that the channel did not take, by its index in the request. */
export type RejectedRun = { index: number; why: string };

/** What an answer means, in texts of ours: nothing of the partner's wording but its codes. */
export type RequestOutcome = { isTaken: true; rejected: readonly RejectedRun[] } | { isTaken: false; why: string };

/** A night as the channel has it. */
export type ChannelNight = Pick<ChannelLine, 'externalRoom' | 'externalRate'> & ChannelValue & { day: Day };

/** A protocol of channels. */
export interface ChannelAdapter {
  /** Requests for a message, in the order in which they are sent: one, or two where the protocol needs it. */
  requestsOf(message: ChannelMessage): ChannelRequest[];
  requestOutcome(answer: ChannelAnswer, request: ChannelRequest): RequestOutcome;
  /** Reads what the channel has; absent where the protocol has no such request. Both days inclusive. */
  readBack?: {
    request(of: { propertyId: string; from: Day; to: Day }): ChannelRequest;
    /** `undefined` when the channel cannot say. */
    nightsOf(answer: ChannelAnswer): ChannelNight[] | undefined;
  };
}
