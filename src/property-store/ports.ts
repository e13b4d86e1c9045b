import type { Group, GroupBlock } from '../groups/rules/group.ts';
import type { Guest } from '../guests/rules/guest.ts';
import type { Page, PagePosition } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { IdempotencyRecord, KeyClaim } from '../kernel/rules/commands.ts';
import type { ExternalStamp } from '../kernel/rules/commands/properties.ts';
import type { PriceChange } from '../kernel/rules/commands/rates.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { TenantId, PropertyId, ReservationId } from '../kernel/rules/ids.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import type { Minor } from '../kernel/rules/money.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { DocumentNumber, InvoiceDocument } from '../money/rules/invoice-document.ts';
import type { Payment } from '../money/rules/payment.ts';
import type { Policies, Property, Room, RoomType } from '../properties/rules/property.ts';
import type { Promotion } from '../rates/rules/promotion.ts';
import type { RatePlan } from '../rates/rules/rate-plan.ts';
import type { Restriction } from '../rates/rules/restriction.ts';
import type { StoredRate, StoredRates } from '../rates/rules/stored-rates.ts';
import type { PlanStay } from '../rooms/rules/room-plan.ts';
import type { StatusChange } from '../stay/ports.ts';
import type { HeldUnpaid } from '../stay/rules/hold-bounds.ts';
import type { Hold } from '../stay/rules/hold.ts';
import type { OtbEntry } from '../stay/rules/otb-entry.ts';
import type { Reservation } from '../stay/rules/reservation.ts';

/** A cell in which two of the three accounts differ; of revenue, a night over all room types, whose name is empty. */
type CellDifference = {
  roomType: string;
  day: Day;
  counter: 'booked' | 'held' | 'group' | 'revenue';
  stored: number;
  recomputed: number;
};

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
  differences: CellDifference[];
};

/** The database's account of a property, recomputed in SQL from reservations and holds, in one snapshot. */
export interface InventoryAudit {
  read(to: Address): Promise<StoredInventory>;
}

/** Properties of a tenant as the database lists them, without activating their actors. */
export interface PropertyReader {
  /** Whether it was deleted, and can be restored. */
  isRemoved(to: Address): Promise<boolean>;
  /** A room type that was removed, with rooms of it that were. */
  removedRoomType(to: Address, roomType: string): Promise<{ roomType: RoomType; rooms: Room[] } | undefined>;
  /** Rooms that the property has. */
  rooms(to: Address): Promise<Room[]>;
  removedRoom(to: Address, roomNumber: string): Promise<Room | undefined>;
  removedPlan(tenantId: TenantId, id: string): Promise<{ propertyId: PropertyId; plan: RatePlan } | undefined>;
  list(tenantId: TenantId, limit: number, after?: PagePosition): Promise<Page<Property>>;
}

/** A property taken by this node: later commits must carry the epoch (docs/concepts/commit-and-fence.md#fence). */
export type Ownership = { epoch: number; seq: number; generation: number; head: string };

/** A property that was not taken: this node owns it, and its lease has not run out. */
export type HeldByOtherNode = { heldBy: string };

/** A property that this node gives up, and the epoch under which it had it. */
export type Released = { to: Address; epoch: number };

/** Everything an actor keeps in memory, read in one snapshot at `seq`. */
export type Loaded = {
  ownership: Ownership;
  /** Commit time of the newest entry. */
  at: Instant;
  property: Property | undefined;
  /** The property as it was, when it is deleted. */
  removed?: Property;
  /** What its tenant says of the policies of its properties. */
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
  groups: Group[];
  /** Version of plans and rates, and the one up to which the journal contains external changes. */
  rateVersion: number;
  journaledRateVersion: number;
  holds: Hold[];
  /** Stays that have a room; of loyalty and wishes nothing is known here. */
  roomStays: PlanStay[];
  /** The highest number of each kind of document and year. */
  serials: DocumentNumber[];
  /** Quote tokens used within their life, with the end of it. */
  usedQuotes: { quoteId: string; expiresAt: Instant }[];
  unfinished: number;
  /** Reservations that are PENDING: their holds may run out. */
  pending: Reservation[];
  /** The business date that the newest TICK or the creation set; undefined before the first. */
  today: Day | undefined;
};

/** Some nights of a property as the database has them, without its owner: enough to price a stay in it. */
export type LoadedNights = { to: Address } & Pick<
  Loaded,
  'property' | 'roomTypes' | 'plans' | 'cells' | 'rates' | 'signals' | 'restrictions'
> &
  Pick<Ownership, 'seq' | 'generation'>;

/** What forecast and market say of a night; 0 and undefined when they say nothing. */
export type StoredSignal = { roomType: string; day: Day; demand: number; market?: Minor };

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
  /** The newest external stamp of it. */
  told?: ExternalStamp;
};

/** A night's book with the business date that its moves are of. */
export type StoredOtbEntry = OtbEntry & { movedOn: Day };

export type CellRow = StoredCell & { available: number; shortfall: number };

/** Restrictions of a night under a plan in a room type; none when `restriction` is absent. */
export type StoredRestriction = { rateCode: string; roomType: string; day: Day; restriction?: Restriction };

/**
 * One idempotency key in a batch: claimed, completed, both at once, released, or only looked up: an error
 * that is not recorded must still find the record of an earlier request.
 */
export type KeyChange = KeyClaim & {
  subject: string;
  phase: 'claim' | 'end' | 'whole' | 'release' | 'probe';
  answer?: IdempotencyRecord;
};

/** After-images of everything a batch changed, each thing once. */
export type Changes = {
  property?: Property;
  propertyDeleted?: boolean;
  roomTypes: RoomType[];
  roomTypesRemoved: string[];
  rooms: Room[];
  roomsRemoved: string[];
  plans: RatePlan[];
  /** With the restrictions that go with them. */
  plansRemoved: { id: string; code: string }[];
  /** Currency of the property, where plans or payments need it. */
  currency?: string;
  cells: CellRow[];
  /** Books as of the business date that the batch leaves. */
  books: StoredOtbEntry[];
  rates: (StoredRate & { currency: string })[];
  signals: StoredSignal[];
  restrictions: StoredRestriction[];
  /** Promotions with what has been used of them, and the nights whose units moved. */
  promotions: { promotion: Promotion; status: string; nights: { day: Day; used: number }[] }[];
  groups: { group: Group; blocks: GroupBlock[] }[];
  /** Ids of reservations, payments and holds that did not exist before: they are only inserted. */
  created: string[];
  reservations: Reservation[];
  payments: { reservationId: ReservationId; payment: Payment }[];
  /** Invoices and credit notes, which are only inserted. */
  documents: InvoiceDocument[];
  history: StatusChange[];
  guests: { guest: Guest; wrappedKey?: string }[];
  holds: Hold[];
  holdsRemoved: string[];
  /** Stays that got a room or another one, and those that have none any more. */
  roomStays: PlanStay[];
  roomStaysGone: string[];
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
  /** The business date, when the batch moved it. */
  today?: Day;
  /** Version of foreign rates, when the batch takes them over. */
  rateVersion?: number;
  /** Decision time, milliseconds. */
  at: Instant;
  changes: Changes;
  entries: JournalEntry[];
  keys: KeyChange[];
};

/** A key that was there before: nothing of the batch was written. */
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
  /** Another owner has these properties, or a statement of ours came twice; nothing was written. */
  | { outcome: 'fenced'; properties: Address[] }
  /** Another transaction was in the way, of a key or of a lock: nothing was written, and a retry may succeed. */
  | { outcome: 'raced' }
  /** A batch of the property before this one was not written, so this one cannot be: decide it again. */
  | { outcome: 'overtaken' }
  /** The database refused a row; nothing was written. */
  | {
      outcome: 'rejected';
      reason: 'guest-moved' | 'number-taken' | 'code-taken' | 'promo-code-taken' | 'poison';
      detail: string;
    }
  /** No connection could be had: nothing was sent. */
  | { outcome: 'unavailable'; detail: string }
  /** The connection died before the answer: written or not, nobody knows yet. */
  | { outcome: 'unknown' };

/** Version of stored rates and plans (0: nobody else ever changed them), and the epoch of the property's owner. */
export type RateVersion = { version: number; epoch: number };

/** The durable side of property actors. */
export interface PropertyStore {
  /**
   * Takes the property with the next epoch, so that whatever an earlier owner still has under way is dead; unless it
   * belongs to another node that lives: then nothing changes.
   */
  take(to: Address): Promise<Ownership | HeldByOtherNode>;
  /** Gives up what this node still owns under these epochs, so that the next owner need not wait for its lease. */
  release(of: readonly Released[]): Promise<void>;
  /**
   * Reads nights of many properties of a tenant in one statement, without taking them; what the tenant does not have is
   * left out. Both days inclusive.
   */
  nights(tenantId: TenantId, propertyIds: readonly string[], first: Day, last: Day): Promise<LoadedNights[]>;
  /** Whether the property exists (not deleted), without taking it. */
  exists(to: Address): Promise<boolean>;
  /**
   * Takes the property as `take` does and reads all of it in that state: the activation by the next owner.
   *
   * @param mustExist whether one that does not exist (or is deleted) is left as it is
   * @returns nothing when it was left as it is
   */
  open(to: Address, mustExist: boolean): Promise<Loaded | HeldByOtherNode | undefined>;
  /**
   * The property as it stands committed, whichever node owns it and without taking it, for a node that only reads;
   * one that nobody has ever taken is empty, at seq and epoch 0.
   */
  committed(to: Address): Promise<Loaded>;
  /**
   * The newest entries of the journal up to number `last`, `most` at most, oldest first; of the newest of them with the
   * names of guests, as feeds show them.
   */
  recent(to: Address, last: number, most: number): Promise<JournalEntry[]>;
  /** How stored rates and plans stand, of many properties in one question and in its order. */
  rateVersions(of: readonly Address[]): Promise<RateVersion[]>;
  /** Rates from the business date on, and plans, of one moment. */
  rates(to: Address): Promise<StoredRates>;
  /** A reservation of the property, with the epoch under which the property was when it was read. */
  reservation(to: Address, id: string): Promise<{ reservation: Reservation; epoch: number } | undefined>;
  /** Writes the batches of many properties in one call, all or nothing. `lane` chooses the connection. */
  commit(lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult>;
}

/** Something that belongs to a property. */
export type Of<T> = { propertyId: PropertyId; value: T };

/**
 * Promotions, groups and clients' holds of a tenant by their id alone, as the database has them: also those that
 * their property has forgotten since they are over.
 */
export interface SalesReader {
  promotion(tenantId: TenantId, id: string): Promise<Of<Promotion> | undefined>;
  group(tenantId: TenantId, id: string): Promise<Of<Group> | undefined>;
  /** A change of base rates as the journal has it, as long as it is retained. */
  rateChange(tenantId: TenantId, id: string): Promise<Of<{ at: Instant; changes: PriceChange[] }> | undefined>;
  /** A hold that a client requested, with the number of the state that it was read in. */
  hold(tenantId: TenantId, id: string): Promise<(Of<Hold> & { seq: number }) | undefined>;
  /** Where a client's hold is; when there is none any more, where the request under this key was decided. */
  propertyOfHold(tenantId: TenantId, id: string, key?: { subject: string; key: string }): Promise<string | undefined>;
  /**
   * What a subject holds unpaid in other properties of the tenant, those included that ran out a short while ago; what
   * another property is just deciding is not in it.
   */
  heldUnpaid(others: Address, subject: string): Promise<HeldUnpaid>;
  /** How many unpaid reservations a card guarantees in other properties of the tenant. */
  openHoldsOfCard(others: Address, card: string): Promise<number>;
  /** Where a rate plan is sold. */
  propertyOfPlan(tenantId: TenantId, id: string): Promise<string | undefined>;
}
