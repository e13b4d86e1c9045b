import type { Group } from '../../groups/rules/group.ts';
import type { Guest, GuestChange, LoyaltyTier } from '../../guests/rules/guest.ts';
import type { Bill } from '../../money/rules/folio.ts';
import type {
  EndPayment,
  GiveRefund,
  PayOutRefund,
  StartPayment,
  TakePaymentResult,
  WaivePenalty,
} from '../../money/rules/payment-commands.ts';
import type { Payment } from '../../money/rules/payment.ts';
import type { Policies, Property, Room, RoomStatus, RoomType } from '../../properties/rules/property.ts';
import type { MarketNight } from '../../rates/rules/competitor-rate.ts';
import type { PromotionEstimate } from '../../rates/rules/promotion-estimate.ts';
import type { Promotion } from '../../rates/rules/promotion.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { RestrictionChange } from '../../rates/rules/restriction.ts';
import type { StoredRates } from '../../rates/rules/stored-rates.ts';
import type { RoomAssignment } from '../../rooms/rules/assign-rooms.ts';
import type { MayHold } from '../../stay/rules/hold-bounds.ts';
import type { Hold } from '../../stay/rules/hold.ts';
import type {
  CancelReason,
  CheckInRecord,
  Reservation,
  ReservationStatus,
  RoomCondition,
  Source,
  Stay,
} from '../../stay/rules/reservation.ts';
import type { Day, Weekday } from './dates.ts';
import type { ErrorDetails } from './domain-error.ts';
import type { Minor } from './money.ts';

/** What may be asked before it is done: a dry run answers the same and leaves no trace. */
export type DryRun = { dryRun?: boolean };

/**
 * What may be asked of a property actor. Commands carry everything that the decision needs and that is not the
 * actor's own: ids, ciphertext and verified quotes are made before, so that deciding is a pure function.
 */
export type Command =
  | { type: 'CREATE_PROPERTY'; property: Property; plans: RatePlan[] }
  | { type: 'UPDATE_PROPERTY'; property: Property }
  | { type: 'DELETE_PROPERTY' }
  | { type: 'RESTORE_PROPERTY' }
  | { type: 'FOLLOW_TENANT'; policies: Partial<Policies> }
  | { type: 'PUT_ROOM_TYPE'; roomType: RoomType; mode: PutMode }
  | { type: 'REMOVE_ROOM_TYPE'; roomType: string }
  | RestoreRoomType
  | { type: 'PUT_ROOMS'; rooms: Room[]; mode: PutMode }
  | { type: 'REMOVE_ROOM'; roomNumber: string }
  | { type: 'RESTORE_ROOM'; roomNumber: string; removed?: Room }
  | { type: 'SET_ROOM_STATUS'; roomNumber: string; status: RoomStatus; notes?: string }
  | SetInventory
  | SetBaseRates
  | SetRestrictions
  | { type: 'PUT_RATE_PLAN'; plan: RatePlan; mode: Exclude<PutMode, 'put'> }
  | { type: 'REMOVE_RATE_PLAN'; planId: string }
  | SetSignals
  | NoteMarket
  | ImplementRates
  | { type: 'CREATE_PROMOTION'; promotion: NewPromotion; estimate: PromotionEstimate }
  | { type: 'PAUSE_PROMOTION'; promotionId: string; paused: boolean }
  | CreateGroup
  | PlaceHold
  | { type: 'EXTEND_HOLD'; holdId: string }
  | { type: 'RELEASE_HOLD'; holdId: string }
  | StartBooking
  | { type: 'CONFIRM_BOOKING'; holdId: string; payment: Payment }
  | { type: 'ABANDON_BOOKING'; holdId: string; payment: Payment; refusal?: { detail: string } }
  | Book
  | Cancel
  | Modify
  | ({ type: 'ASSIGN_ROOM'; reservationId: string; roomNumber: string; by?: string; ifVersion?: number } & DryRun)
  | AssignRooms
  | CheckIn
  | CheckOut
  | NoShow
  | StartPayment
  | EndPayment
  | TakePaymentResult
  | ConfirmReservation
  | { type: 'LAPSE'; reservationId: string }
  | WaivePenalty
  | GiveRefund
  | { type: 'SETTLE_REFUND'; reservationId: string; payment: Payment }
  | PayOutRefund
  | EraseGuest
  | Reload
  | { type: 'EXPIRE' }
  | { type: 'TICK' };

export type CommandType = Command['type'];

/** create refuses what exists, replace refuses what does not, put does either. */
export type PutMode = 'create' | 'replace' | 'put';

/** A room type and rooms of it that were removed, as the database has them; nothing where there is none. */
export type RestoreRoomType = {
  type: 'RESTORE_ROOM_TYPE';
  roomType: string;
  removed?: { roomType: RoomType; rooms: Room[] };
};

export type SetInventory = {
  type: 'SET_INVENTORY';
  roomType: string;
  start: Day;
  end: Day;
  totalRooms?: number;
  blockedRooms?: number;
  overbookingLimit?: number;
  /** Where others tell it: a night that a newer one has told already stays. */
  told?: ExternalStamp;
};

/** When something was told from outside, by the clock of who told it, and its number there, where it has one. */
export type ExternalStamp = { at: number; seq: number | null };

export type Season = {
  name: string;
  start: Day;
  end: Day;
  /** Hundredths: a multiplier of 1.10 is 110. */
  multiplier: number;
  /** Added to the night after the multiplier. */
  amount: Minor;
};

/** `PUT /rates/base`: both ends inclusive; weekdays not named and nights in no season keep what they have. */
export type SetBaseRates = {
  type: 'SET_BASE_RATES';
  rateId: string;
  roomType: string;
  start: Day;
  end: Day;
  rates: { weekday: Weekday; rate: Minor }[];
  seasons: Season[];
  /** What would become of prices; nothing is changed. */
  dryRun?: boolean;
};

/** A price under BAR before and after a change; null where a night has none. */
export type PriceChange = { roomType: string; day: Day; from: Minor | null; to: Minor | null };

/** The rates of an optimization, from what they were when it was computed. */
export type ImplementRates = { type: 'IMPLEMENT_RATES'; optimizationId: string; nights: PriceChange[] };

/** `PUT /rates/restrictions`: both ends inclusive, on the weekdays named or on all; absent codes mean every one. */
export type SetRestrictions = {
  type: 'SET_RESTRICTIONS';
  rateCode?: string;
  roomType?: string;
  start: Day;
  end: Day;
  weekdays?: Weekday[];
  change: RestrictionChange;
};

/** What is known of nights beside their own bookings; what is absent stays, a market of null is known no more. */
export type SetSignals = {
  type: 'SET_SIGNALS';
  roomType: string;
  nights: {
    day: Day;
    /** Whole percent by which demand lets the price move, -100 to 127. */
    demand?: number;
    /** Median price of the competitors. */
    market?: Minor | null;
  }[];
};

/**
 * What competitors ask has moved. The owner keeps nothing of it but the row in the journal, which gives the change its
 * place among all others for whoever looks on.
 */
export type NoteMarket = { type: 'NOTE_MARKET'; nights: MarketNight[] };

/** A promotion before anybody has booked with it. */
export type NewPromotion = Omit<Promotion, 'used' | 'usedOn' | 'paused' | 'createdAt'>;

/** Keeps rooms for a group until the end of its cut-off day (docs/reference/reservations.md#groups). */
export type CreateGroup = {
  type: 'CREATE_GROUP';
  groupId: string;
  name: string;
  cutoff: Day;
  blocks: { roomType: string; day: Day; rooms: number; rate: Minor }[];
};

/** Sets rooms aside at the price of the moment (docs/reference/reservations.md#holds). */
export type PlaceHold = MayHold & {
  type: 'PLACE_HOLD';
  holdId: string;
  /** Whom the price is told for; two adults, or as many as the room type sleeps, when it is not said. */
  stay: Omit<Stay, 'adults'> & { adults?: number };
  rooms: number;
};

/**
 * Rates and plans that somebody else changed in the database, to be taken over (docs/concepts/actor.md#rate-freshness).
 */
export type Reload = {
  type: 'RELOAD';
  stored: StoredRates;
  /** They were changed while nobody was awake: what they were before is not known, so every night is told. */
  unseen?: true;
};

/** A price promised by a quote token that the caller verified (docs/reference/rates.md#quote). */
export type VerifiedQuote = {
  quoteId: string;
  expiresAt: number;
  nightly: Minor[];
  /** The promotion that the price has in it. */
  promoCode?: string;
};

/** What a booking is made of, before it has a price. */
export type BookingRequest = {
  reservationId: string;
  /** Tried in order when one is already taken in the batch. */
  confirmationNumber: string;
  guest: Guest;
  stay: Stay;
  source: Source;
  specialRequests: string[];
  billing?: Reservation['billing'];
  quote?: VerifiedQuote;
  maxTotal?: Minor;
  promoCode?: string;
  /** Takes its rooms from the blocks of this group, at their rate. */
  groupId?: string;
  /** Takes its room out of this EXPLICIT hold, at its price. */
  fromHold?: string;
  personal: SealedPersonal;
  /** The guest's own data key, wrapped, when the guest is new. */
  wrappedKey?: string;
};

/** Step one of a paid create: rooms held, a payment attempt on record (docs/concepts/money.md#payments). */
export type StartBooking = { type: 'START_BOOKING'; holdId: string; booking: BookingRequest; attempt: Payment };

/** A create without a card: PENDING with a hold, or CONFIRMED where the property asks for no payment. */
export type Book = MayHold & {
  type: 'BOOK';
  booking: BookingRequest;
  pendingPaymentId: string;
  /** The card that guarantees it, and how many holds it has in other houses of the tenant: its limit is one for all. */
  guarantee?: { card: string; openElsewhere: number };
};

export type Cancel = DryRun & {
  type: 'CANCEL';
  reservationId: string;
  cancellationId: string;
  refundId: string;
  reason: CancelReason;
  description?: string;
  cancelledBy: string;
  refundRequested: boolean;
  ifVersion?: number;
};

export type Modify = MayHold & {
  type: 'MODIFY';
  reservationId: string;
  modificationId: string;
  refundId: string;
  stay: Partial<Pick<Stay, 'roomType' | 'checkIn' | 'checkOut' | 'adults' | 'children'>> & { nights?: number };
  guest: GuestChange;
  specialRequests?: string[];
  reason?: string;
  modifiedBy?: string;
  ifVersion?: number;
  /** New ciphertext when contact data changes. */
  personal?: SealedPersonal;
  dryRun: boolean;
};

/** Rooms for arrivals, and for those who make place for them, as they were computed beside the actor. */
export type AssignRooms = { type: 'ASSIGN_ROOMS'; assignments: Pick<RoomAssignment, RoomChoice>[] };
type RoomChoice = 'reservationId' | 'roomNumber' | 'previousRoomNumber';

/** The guest is there (docs/reference/reservations.md#check-in-and-check-out). */
export type CheckIn = DryRun & {
  type: 'CHECK_IN';
  reservationId: string;
  checkInId: string;
  at: number;
  identified: boolean;
  guests?: { adults: number; children: number };
  keyCards: number;
  staffMember?: string;
  notes?: string;
  tier: LoyaltyTier;
  ifVersion?: number;
};

/** The guest leaves. What is due is charged first: then the answer is an attempt on record, and END_PAYMENT ends both. */
export type CheckOut = DryRun & {
  tier: LoyaltyTier;
  type: 'CHECK_OUT';
  reservationId: string;
  checkOutId: string;
  /** Of the attempt on the card on file, should anything be due. */
  paymentId: string;
  refundId: string;
  /** Said by the desk; else it is now. */
  at?: number;
  charges: { description: string; amount: Minor; day?: Day; code?: string }[];
  roomCondition: RoomCondition;
  keyCardsReturned: number;
  staffMember?: string;
  /** Lets the guest go with what he owes (`force-checkout`). */
  forced: boolean;
  ifVersion?: number;
};

/**
 * The guest did not come: by hand on the arrival day, or at the roll after it (docs/reference/reservations.md#states).
 */
export type NoShow = {
  type: 'NO_SHOW';
  reservationId: string;
  cancellationId: string;
  refundId: string;
  by: string;
  reason?: string;
  ifVersion?: number;
};

/** Somebody confirms a PENDING reservation whose deposit is paid (docs/concepts/money.md#paid-and-not-confirmed). */
export type ConfirmReservation = {
  type: 'CONFIRM_RESERVATION';
  reservationId: string;
  reason?: string;
  ifVersion?: number;
};

/**
 * Takes the person out of a reservation that is over (docs/concepts/guests-and-erasure.md#erasure); again, it changes
 * nothing.
 */
export type EraseGuest = { type: 'ERASE_GUEST'; reservationId: string; names?: string[] };

/**
 * Personal fields as they may stand in the journal: ciphertext under the guest's own key
 * (docs/concepts/guests-and-erasure.md#encryption).
 */
export type SealedPersonal = { guestId: string; name: string };

/**
 * An `Idempotency-Key`: one effect and one kept answer per tenant, subject and key (docs/reference/api.md#idempotency).
 * `ref` names the hold, or the attempt to pay, that a repeat resumes.
 */
export type KeyClaim = { key: string; fingerprint: string; ref: string };

/** What an idempotency record says: the result, or the refusal, as it was decided. */
export type IdempotencyRecord =
  | { result: unknown; seq: number }
  | { refusal: { code: string; detail: string; details: ErrorDetails }; requestId: string; seq: number };

/** Who sends a command, and under which key its answer is kept. */
export type Envelope = {
  command: Command;
  subject: string;
  requestId: string;
  /** Place in its trace (W3C `traceparent`), where it is traced. */
  trace?: string;
  key?: KeyClaim;
  /** When it is pointless to start (milliseconds, the property store's clock). */
  deadline: number;
};

/** What the buyer gets back for a change of a reservation. */
export type Change = { from: unknown; to: unknown };
export type ModifyResult = {
  reservation: Reservation;
  modificationId: string;
  changes: Record<string, Change>;
  additional: Minor;
  dueDate: number | null;
  refund: Minor;
  modifiedAt: number;
};

/** The result of each command, as rendered by the gateways and as kept under an idempotency key. */
export type CommandResults = {
  CREATE_PROPERTY: Property;
  UPDATE_PROPERTY: Property;
  DELETE_PROPERTY: null;
  RESTORE_PROPERTY: Property;
  FOLLOW_TENANT: Property;
  PUT_ROOM_TYPE: RoomType;
  REMOVE_ROOM_TYPE: null;
  RESTORE_ROOM_TYPE: RoomType;
  PUT_ROOMS: Room[];
  REMOVE_ROOM: null;
  RESTORE_ROOM: Room;
  SET_ROOM_STATUS: Room;
  /** `stale`: nights about which something newer is known stayed as they were. */
  SET_INVENTORY: { oversold: { roomType: string; day: Day; shortfall: number }[]; stale?: number };
  SET_BASE_RATES: {
    rateId: string;
    start: Day;
    affectedDates: number;
    updatedAt: number;
    /** Of a dry run. */
    changes?: PriceChange[];
  };
  SET_RESTRICTIONS: { cells: number; updatedAt: number };
  PUT_RATE_PLAN: RatePlan;
  REMOVE_RATE_PLAN: null;
  SET_SIGNALS: { nights: number };
  NOTE_MARKET: null;
  IMPLEMENT_RATES: { affectedDates: number; implementedAt: number };
  CREATE_PROMOTION: { promotion: Promotion; estimate: PromotionEstimate };
  PAUSE_PROMOTION: Promotion;
  CREATE_GROUP: Group;
  PLACE_HOLD: Hold;
  EXTEND_HOLD: Hold;
  RELEASE_HOLD: Hold;
  START_BOOKING: StartedBooking;
  CONFIRM_BOOKING: { reservation: Reservation };
  ABANDON_BOOKING: null;
  BOOK: { reservation: Reservation };
  CANCEL: { reservation: Reservation };
  MODIFY: ModifyResult;
  ASSIGN_ROOM: { reservation: Reservation; room: Room; upgraded: boolean; previousRoomNumber?: string };
  /** Who was given one, and for whom it was too late: their state had moved on. */
  ASSIGN_ROOMS: { assigned: string[]; skipped: string[] };
  CHECK_IN: { reservation: Reservation; checkIn: CheckInRecord; room: Room; upgraded: boolean };
  /** `refunds` go back with it; absent in answers of earlier releases. */
  CHECK_OUT: { reservation: Reservation; bill: Bill; attempt?: Payment; refunds?: Payment[] };
  NO_SHOW: { reservation: Reservation };
  START_PAYMENT: { reservation: Reservation; attempt: Payment };
  END_PAYMENT: { reservation: Reservation; payment: Payment };
  /** Whether it has changed anything: what has ended is not told again. */
  TAKE_PAYMENT_RESULT: { taken: boolean; status: ReservationStatus };
  CONFIRM_RESERVATION: { reservation: Reservation };
  LAPSE: { reservation: Reservation };
  WAIVE_PENALTY: { reservation: Reservation; waived: Minor; refundId: string };
  /** `credit` is what the stay costs less for it. */
  GIVE_REFUND: { reservation: Reservation; refunds: Payment[]; credit: Minor };
  SETTLE_REFUND: null;
  PAY_OUT_REFUND: { reservation: Reservation; refund: Payment };
  ERASE_GUEST: null;
  RELOAD: { version: number; nights: number; plans: number };
  EXPIRE: { released: number };
  TICK: { businessDate: Day };
};

/** A hold with its price and payment attempt, ready to be charged. */
export type StartedBooking = { holdId: string; reservation: Reservation; attempt: Payment; expiresAt: number };

/** An answer of an actor; refusals are thrown as `DomainError` with the `seq` of the state they were decided on. */
export type Reply<T> = { seq: number; result: T; replayed: boolean };
