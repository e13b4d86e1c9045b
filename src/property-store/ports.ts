import type { Group, GroupBlock } from '../groups/rules/group.ts';
import type { Guest } from '../guests/rules/guest.ts';
import type { Page, PagePosition } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { IdempotencyRecord, KeyClaim } from '../kernel/rules/commands.ts';
import type { ExternalStamp } from '../kernel/rules/commands/properties.ts';
import type { PriceChange } from '../kernel/rules/commands/rates.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { GroupId, HoldId, MaintenanceId, PropertyId, ReservationId, TenantId } from '../kernel/rules/ids.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { DocumentNumber, InvoiceDocument } from '../money/rules/invoice-document.ts';
import type { Payment } from '../money/rules/payment.ts';
import type { Policies, Property, Room, RoomType } from '../properties/rules/property.ts';
import type { CalendarEvent } from '../rates/rules/calendar-event.ts';
import type { Promotion } from '../rates/rules/promotion.ts';
import type { RatePlan } from '../rates/rules/rate-plan.ts';
import type { Restriction } from '../rates/rules/restriction.ts';
import type { StoredRate, StoredRates } from '../rates/rules/stored-rates.ts';
import type { HousekeepingTask } from '../rooms/rules/housekeeping.ts';
import type { Maintenance } from '../rooms/rules/maintenance.ts';
import type { PlanStay } from '../rooms/rules/room-plan.ts';
import type { StatusChange } from '../stay/ports.ts';
import type { ExtraStay } from '../stay/rules/extra-nights.ts';
import type { HeldUnpaid } from '../stay/rules/hold-bounds.ts';
import type { Hold } from '../stay/rules/hold.ts';
import type { Inquiry } from '../stay/rules/inquiry.ts';
import type { OtbEntry } from '../stay/rules/otb-entry.ts';
import type { Reservation } from '../stay/rules/reservation.ts';
import type { WaitlistEntry } from '../stay/rules/waitlist.ts';
import type { TenantStatus } from '../tenants/rules/tenant.ts';

/**
 * A cell in which two of the three accounts differ; for revenue, a night over all room types, with an empty room type;
 * for extras, a night with the code of the extra in place of the room type.
 */
type CellDifference = {
  roomType: string;
  day: Day;
  counter: 'booked' | 'held' | 'group' | 'outOfOrder' | 'revenue' | 'extra';
  stored: number;
  recomputed: number;
};

/** A property with its owner as the database has it: nothing of what it contains. */
export type OwnedProperty = {
  propertyId: PropertyId;
  name: string;
  removed: boolean;
  ownerNode: string | null;
  epoch: number;
  seq: number;
  generation: number;
  committedAt: Instant | null;
};

/** A journal entry without its facts: the command, and what happened to bookings. */
export type TailEntry = { seq: number; at: Instant; command: string; events: string[] };

/** Ownership and newest commands of properties. */
export interface ActorReads {
  /** @param text part of id or name */
  list(tenantId: TenantId, text?: string): Promise<OwnedProperty[]>;
  find(to: Address): Promise<{ owned: OwnedProperty; tail: TailEntry[] } | undefined>;
}

export type StoredInventory = {
  seq: number;
  cells: {
    roomType: string;
    day: Day;
    total: number;
    booked: number;
    held: number;
    blocked: number;
    shortfall: number;
  }[];
  /** Revenue of nights, in minor units. */
  books: { day: Day; revenue: Minor }[];
  /** Pieces of extras that unfinished reservations have. */
  extraStays: ExtraStay[];
  differences: CellDifference[];
};

/** The database's account of a property, recomputed in SQL from reservations and holds, in one snapshot. */
export type InventoryAudit = (to: Address) => Promise<StoredInventory>;

/** Properties of a tenant in the database, read without activating their actors. */
export interface PropertyReader {
  /** Whether it was deleted, and can be restored. */
  isRemoved(to: Address): Promise<boolean>;
  /** Status of its tenant, where guests book the property by themselves; `undefined` where not, without activation. */
  soldOnline(to: Address): Promise<{ tenantStatus: TenantStatus } | undefined>;
  /** A removed room type with its removed rooms. */
  removedRoomType(to: Address, roomType: string): Promise<{ roomType: RoomType; rooms: Room[] } | undefined>;
  /** Rooms, and maintenances with a night from `today` on. */
  rooms(to: Address, today: Day): Promise<{ rooms: Room[]; maintenances: Maintenance[] }>;
  removedRoom(to: Address, roomNumber: string): Promise<Room | undefined>;
  removedPlan(tenantId: TenantId, id: string): Promise<{ propertyId: PropertyId; plan: RatePlan } | undefined>;
  list(tenantId: TenantId, limit: number, after?: PagePosition): Promise<Page<Property>>;
  /** Rooms of all types of each property; properties without a type are left out. */
  totalRooms(tenantId: TenantId, ids: readonly PropertyId[]): Promise<ReadonlyMap<PropertyId, number>>;
}

/** A property owned by this node: later commits must carry the epoch (docs/concepts/commit-and-fence.md#fence). */
export type Ownership = { epoch: number; seq: number; generation: number; head: string };

/** A property that was not acquired: that node owns it, and its lease has not expired. */
export type HeldByOtherNode = { heldBy: string };

/** A property that this node releases, and the epoch under which it owned it. */
export type Released = { to: Address; epoch: number };

/** Complete state of an actor, read in one snapshot at `seq`. */
export type Loaded = {
  ownership: Ownership;
  /** Commit time of the newest entry. */
  at: Instant;
  property: Property | undefined;
  /** A deleted property as it was. */
  removed?: Property;
  /** Policies of the tenant for its properties. */
  tenantPolicies?: Partial<Policies>;
  roomTypes: RoomType[];
  rooms: Room[];
  plans: RatePlan[];
  cells: StoredCell[];
  books: StoredOtbEntry[];
  rates: StoredRate[];
  signals: StoredSignal[];
  restrictions: StoredRestriction[];
  promotions: Promotion[];
  calendarEvents: CalendarEvent[];
  groups: Group[];
  /** Version of plans and rates, and the one up to which the journal contains external changes. */
  rateVersion: number;
  journaledRateVersion: number;
  holds: Hold[];
  /** Stays with a room, without loyalty and preferences. */
  roomStays: PlanStay[];
  /** Maintenances with a night from the business date on. */
  maintenances: Maintenance[];
  /** Housekeeping tasks that somebody can still act on. */
  housekeeping: HousekeepingTask[];
  /** Requests on the waitlist that are not over, in order of their arrival. */
  waitlist: WaitlistEntry[];
  /** Inquiries that are not over. */
  inquiries: Inquiry[];
  /** Pieces of extras that unfinished reservations have. */
  extraStays: ExtraStay[];
  /** Highest number of each kind of document and year. */
  serials: DocumentNumber[];
  /** Used quote tokens that have not expired, with their expiry. */
  usedQuotes: { quoteId: string; expiresAt: Instant }[];
  unfinished: number;
  /** PENDING reservations: their holds may expire. */
  pending: Reservation[];
  /** Business date set by the newest TICK or by the creation; undefined before the first. */
  today: Day | undefined;
};

/** Some nights of a property from the database: enough to price a stay without its owner. */
export type LoadedNights = { to: Address } & Pick<
  Loaded,
  'property' | 'roomTypes' | 'plans' | 'cells' | 'rates' | 'signals' | 'restrictions'
> &
  Pick<Ownership, 'seq' | 'generation'>;

/**
 * Forecast and market signals of a night, 0 and undefined without one; its bid price (`BidSignal`) and live rates
 * (`LiveSignal`), if any.
 */
export type StoredSignal = {
  roomType: string;
  day: Day;
  demand: number;
  market?: Minor;
  bid?: Minor;
  bidPerRoom?: Minor;
  bidRooms?: number;
  liveFactors?: number[];
  liveRooms?: number;
  liveStep?: number;
  liveStart?: number;
  liveOn?: Day;
};

/** A cell of `availability.room_availability`, in absolute values. */
export type StoredCell = {
  roomType: string;
  day: Day;
  total: number;
  booked: number;
  held: number;
  groupBlocked: number;
  outOfOrder: number;
  externalBlocked: number;
  /** null: the property's limit applies. */
  overbookingLimit: number | null;
  /** Newest external stamp of the cell. */
  told?: ExternalStamp;
};

/** On-the-books entry of a night with the business date of its movements. */
export type StoredOtbEntry = OtbEntry & { movedOn: Day };

export type CellRow = StoredCell & { available: number; shortfall: number };

/** Restrictions of a night under a plan in a room type; none when `restriction` is absent. */
export type StoredRestriction = { rateCode: string; roomType: string; day: Day; restriction?: Restriction };

/**
 * Change of one idempotency key in a batch: claimed, completed, both at once, released, or only looked up, because an
 * error that is not recorded must still find the record of an earlier request.
 */
export type KeyChange = KeyClaim & {
  subject: string;
  phase: 'claim' | 'end' | 'whole' | 'release' | 'probe';
  answer?: IdempotencyRecord;
};

/** After-images of everything a batch changed, each object once. */
export type Changes = {
  property?: Property;
  propertyDeleted?: boolean;
  roomTypes: RoomType[];
  roomTypesRemoved: string[];
  rooms: Room[];
  roomsRemoved: string[];
  plans: RatePlan[];
  /** Their restrictions are removed too. */
  plansRemoved: { id: string; code: string }[];
  /** Currency of the property, when plans or payments need it. */
  currency?: string;
  cells: CellRow[];
  /** On-the-books entries as of the business date after the batch. */
  books: StoredOtbEntry[];
  rates: (StoredRate & { currency: string })[];
  signals: StoredSignal[];
  restrictions: StoredRestriction[];
  /** Promotions with used units, and the nights whose units changed. */
  promotions: { promotion: Promotion; status: string; nights: { day: Day; used: number }[] }[];
  calendarEvents: CalendarEvent[];
  calendarEventsRemoved: string[];
  groups: { group: Group; blocks: GroupBlock[]; blocksRemoved: Pick<GroupBlock, 'day' | 'roomType'>[] }[];
  /** New reservations, payments and holds by id: they are only inserted. */
  created: string[];
  reservations: Reservation[];
  payments: { reservationId: ReservationId; payment: Payment }[];
  /** Invoices and credit notes, which are only inserted. */
  documents: InvoiceDocument[];
  history: StatusChange[];
  guests: { guest: Guest; wrappedKey?: string }[];
  holds: Hold[];
  holdsRemoved: string[];
  /** Stays with a new room, and those that no longer have one. */
  roomStays: PlanStay[];
  roomStaysRemoved: string[];
  maintenances: Maintenance[];
  maintenancesRemoved: MaintenanceId[];
  /** `isOpen`: somebody can still act on it. */
  housekeeping: (HousekeepingTask & { isOpen: boolean })[];
  waitlist: WaitlistEntry[];
  inquiries: Inquiry[];
  /** Pieces of extras that were taken, or are taken on other nights, and postings whose pieces are free again. */
  extraStays: ExtraStay[];
  extraStaysRemoved: string[];
};

/** The batch of one property as a lane writes it. */
export type FinalizedBatch = {
  to: Address;
  epoch: number;
  oldSeq: number;
  /** Head of the audit chain before and after the batch. */
  oldHead: string;
  newSeq: number;
  head: string;
  /** The business date, when the batch changed it. */
  today?: Day;
  /** Version of external rates, when the batch loads them. */
  rateVersion?: number;
  /** Decision time, milliseconds. */
  at: Instant;
  changes: Changes;
  entries: JournalEntry[];
  keys: KeyChange[];
};

/** A key that already existed: nothing of the batch was written. */
export type KnownKey = {
  to: Address;
  subject: string;
  key: string;
  fingerprint: string;
  ref: string;
  answer: IdempotencyRecord | null;
};

export type CommitResult =
  | { outcome: 'committed' }
  | { outcome: 'known-keys'; keys: KnownKey[] }
  /** Another owner has these properties, or the statement was sent twice; nothing was written. */
  | { outcome: 'fenced'; properties: Address[] }
  /** Conflict with another transaction on a key or a lock: nothing was written, and a retry may succeed. */
  | { outcome: 'raced' }
  /** An earlier batch of the property was not written, so this one cannot be: decide it again. */
  | { outcome: 'overtaken' }
  /** The database rejected a row; nothing was written. */
  | {
      outcome: 'rejected';
      reason:
        | 'guest-moved'
        | 'number-taken'
        | 'external-id-taken'
        | 'terminal-reference-taken'
        | 'code-taken'
        | 'promo-code-taken'
        | 'poison';
      detail: string;
    }
  /** Nothing was written: there was no connection, or the database takes no writes, for example because its disk is full. */
  | { outcome: 'unavailable'; detail: string; isReadOnly?: true }
  /** The connection failed before the answer: whether the batch was written is unknown. */
  | { outcome: 'unknown' };

/** Version of stored rates and plans (0: no other program ever changed them), and the epoch of the property's owner. */
export type RateVersion = { version: number; epoch: number };

/** The last command of a property that this node has seen committed. */
export type SeenPosition = { to: Address } & Omit<Ownership, 'epoch'>;

/** A property that does not have what was seen of it: where it stands, and its new generation. */
export type RewoundProperty = { to: Address; seq: number; generation: number };

/** Durable storage of property actors. */
export interface PropertyStore {
  /**
   * Acquires the property under the next epoch, which fences off all statements of an earlier owner, unless it belongs
   * to another live node: then nothing changes.
   */
  take(to: Address): Promise<Ownership | HeldByOtherNode>;
  /** Releases what this node still owns under these epochs, so that the next owner need not wait for its lease. */
  release(of: readonly Released[]): Promise<void>;
  /**
   * Compares what was seen with what is stored. A property that lacks some of it goes on in a new generation, under the
   * next epoch (docs/concepts/commit-and-fence.md#rewound-history).
   */
  rewound(seen: readonly SeenPosition[]): Promise<RewoundProperty[]>;
  /**
   * Reads nights of many properties of a tenant in one statement, without acquiring them; properties that the tenant
   * does not have are left out. Both days inclusive.
   */
  nights(tenantId: TenantId, propertyIds: readonly string[], first: Day, last: Day): Promise<LoadedNights[]>;
  /** Whether the property exists and is not deleted; does not acquire it. */
  exists(to: Address): Promise<boolean>;
  /**
   * Acquires the property like `take` and loads its state in the same transaction: the activation by the next owner.
   * @param mustExist whether a missing or deleted property is left alone
   * @returns `undefined` when it was left alone
   */
  open(to: Address, mustExist: boolean): Promise<Loaded | HeldByOtherNode | undefined>;
  /**
   * The committed state of the property, regardless of its owner and without acquiring it, for a node that only reads; a
   * property without any owner yet is empty, at seq and epoch 0.
   */
  committed(to: Address): Promise<Loaded>;
  /**
   * Newest journal entries up to number `last`, at most `most`, oldest first; the newest of them with guest names, as
   * feeds show them.
   */
  recent(to: Address, last: number, most: number): Promise<JournalEntry[]>;
  /** Versions of stored rates and plans of many properties, with one query and in their order. */
  rateVersions(of: readonly Address[]): Promise<RateVersion[]>;
  /** Rates from the business date on, and plans, in one snapshot. */
  rates(to: Address): Promise<StoredRates>;
  /** A reservation of the property, with the epoch under which the property was when it was read. */
  reservation(to: Address, id: ReservationId): Promise<{ reservation: Reservation; epoch: number } | undefined>;
  /** Writes the batches of many properties in one call, all or nothing. `lane` chooses the connection. */
  commit(lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult>;
}

/** A value with its property. */
export type Of<T> = { propertyId: PropertyId; value: T };

/**
 * Promotions, groups and clients' holds of a tenant by id alone, from the database: also those that are over and no
 * longer in their property's memory.
 */
export interface SalesReader {
  promotion(tenantId: TenantId, id: string): Promise<Of<Promotion> | undefined>;
  /** Also a deleted one. */
  group(tenantId: TenantId, id: GroupId): Promise<Of<Group> | undefined>;
  /** A change of base rates as the journal has it, as long as it is retained. */
  rateChange(tenantId: TenantId, id: string): Promise<Of<{ at: Instant; changes: PriceChange[] }> | undefined>;
  /** A hold that a client requested, with the number of the state that it was read in. */
  hold(tenantId: TenantId, id: HoldId): Promise<(Of<Hold> & { seq: number }) | undefined>;
  /** Where a client's hold is; when there is none any more, where the request under this key was decided. */
  propertyOfHold(
    tenantId: TenantId,
    id: HoldId,
    key?: { subject: string; key: string },
  ): Promise<PropertyId | undefined>;
  /**
   * Unpaid holds of a subject in other properties of the tenant, including recently expired ones; decisions in progress
   * in other properties are not included.
   */
  heldUnpaid(others: Address, subject: string): Promise<HeldUnpaid>;
  /** Number of unpaid reservations that a card guarantees in other properties of the tenant. */
  openHoldsOfCard(others: Address, card: string): Promise<number>;
  /** Where a rate plan is sold. */
  propertyOfPlan(tenantId: TenantId, id: string): Promise<PropertyId | undefined>;
}
