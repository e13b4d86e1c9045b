import type { Address } from '../kernel/rules/caller.ts';
import type { Command, CommandOf, Envelope, KeyClaim } from '../kernel/rules/commands.ts';
import type { NewPromotion } from '../kernel/rules/commands/rates.ts';
import type { BookingRequest, UpgradePrice } from '../kernel/rules/commands/stay.ts';
import { dayOf, type Day, WEEKDAYS } from '../kernel/rules/dates.ts';
import type { Payment } from '../money/rules/payment.ts';
import {
  DEFAULT_POLICIES,
  type Policies,
  type Property,
  type Room,
  type RoomType,
} from '../properties/rules/property.ts';
import type { RatePlan } from '../rates/rules/rate-plan.ts';
import type { RestrictionChange } from '../rates/rules/restriction.ts';
import { type Stay, partyOfPersons } from '../rates/rules/stay.ts';
import { confirmationNumber } from '../stay/rules/confirmation-number.ts';
import type { Hold } from '../stay/rules/hold.ts';
import type { Reservation } from '../stay/rules/reservation.ts';

/**
 * A named property for tests: `anchor` of tenant `acme` in Berlin, EUR. STD has 3 rooms at 100.00, DLX has 2 at 150.00;
 * 10 % tax, 2.00 a person and night. It is Monday 2026-06-01, noon at the property.
 */
export const PROPERTY_ID: Address = { tenantId: 'acme', propertyId: 'anchor' };
export const NOW = Date.parse('2026-06-01T10:00:00Z');
export const DAY: Day = dayOf('2026-06-01');

/** The n-th id of a test: a UUID that says its number. */
export function id(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

let made = 0;

/** An id that no other call has given. */
export function freshId(): string {
  return `00000000-0000-4000-a000-${(++made).toString(16).padStart(12, '0')}`;
}

export type PropertyOptions = {
  policies?: Partial<Policies>;
  propertyId?: string;
  timezone?: string;
  currency?: string;
  today?: Day;
};

export function property({
  policies = {},
  propertyId = PROPERTY_ID.propertyId,
  timezone = 'Europe/Berlin',
  currency = 'EUR',
}: PropertyOptions = {}): Property {
  return {
    propertyId,
    name: 'The Anchor',
    propertyType: 'HOTEL',
    metadata: {
      checkInTime: '15:00',
      checkOutTime: '11:00',
      currency,
      timezone,
      amenities: [],
      policies: { ...DEFAULT_POLICIES, taxPercent: 10, feePerPersonNight: 200, horizonNights: 30, ...policies },
    },
    createdAt: 0,
    updatedAt: 0,
  };
}

export function plan(changed: Partial<RatePlan> = {}): RatePlan {
  return {
    id: freshId(),
    code: 'BAR',
    name: 'Best available rate',
    status: 'ACTIVE',
    strategy: 'FIXED',
    cancellationPolicy: 'STANDARD',
    adjustmentPercent: 0,
    minRatePercent: 60,
    maxRatePercent: 200,
    minLengthOfStay: 1,
    maxLengthOfStay: 30,
    minAdvanceBooking: 0,
    maxAdvanceBooking: 365,
    ...changed,
  };
}

export function plans(): RatePlan[] {
  return [
    plan(),
    plan({ code: 'FLEX', adjustmentPercent: 10, cancellationPolicy: 'FLEXIBLE' }),
    plan({ code: 'NRF', adjustmentPercent: -10, cancellationPolicy: 'NON_REFUNDABLE' }),
  ];
}

export function roomType(code: string, totalRooms: number, changed: Partial<RoomType> = {}): RoomType {
  const sleeps = { maxAdults: 2, maxChildren: 1, maxGuests: 3 };
  return { roomType: code, name: code, ...sleeps, totalRooms, amenities: [], ...changed };
}

/** One rate for all weekdays of a type over the window. */
export function baseRates(code: string, rate: number, start = DAY, end = start + 30): Command {
  const rates = WEEKDAYS.map((weekday) => ({ weekday, rate }));
  return { type: 'SET_BASE_RATES', rateId: freshId(), roomType: code, start, end, rates, seasons: [] };
}

/** The commands that set the property up, in order. */
export function settingUp(options: PropertyOptions = {}): Command[] {
  const { today = DAY, policies } = options;
  const lastNight = today + Math.min(30, policies?.horizonNights ?? 30);
  return [
    { type: 'CREATE_PROPERTY', property: property(options), plans: plans() },
    { type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 3), mode: 'create' },
    { type: 'PUT_ROOM_TYPE', roomType: roomType('DLX', 2), mode: 'create' },
    baseRates('STD', 10_000, today, lastNight),
    baseRates('DLX', 15_000, today, lastNight),
  ];
}

/** A stay in STD from the fifth day on for two nights, or as said. */
export function stayWish(changed: Partial<Stay> = {}): Stay {
  return {
    roomType: 'STD',
    checkIn: DAY + 5,
    checkOut: DAY + 7,
    ...partyOfPersons(2),
    rateCode: 'BAR',
    ...changed,
  };
}

export type BookingOptions = Partial<Omit<BookingRequest, 'stay' | 'guest'>> & {
  stay?: Partial<Stay>;
  guest?: Partial<Reservation['guest']>;
};

/** A booking by a guest who is new unless `guest.guestId` is given. */
export function booking({ stay: of = {}, guest = {}, ...changed }: BookingOptions = {}): BookingRequest {
  const reservationId = freshId();
  const guestId = guest.guestId ?? freshId();
  const number = Uint8Array.from({ length: 9 }, (_, place) => Number((BigInt(made) >> BigInt(4 * place)) & 15n));
  return {
    reservationId,
    confirmationNumber: confirmationNumber(number),
    guest: { guestId, firstName: 'Ada', lastName: 'Byron', email: `guest-${guestId}@example.com`, ...guest },
    stay: stayWish(of),
    source: { channel: 'DIRECT' },
    specialRequests: [],
    personal: { guestId, name: 'sealed' },
    wrappedKey: guest.guestId === undefined ? 'k1.wrapped' : undefined,
    ...changed,
  };
}

export function charge(changed: Partial<Payment> = {}): Payment {
  const paymentId = freshId();
  return {
    paymentId,
    type: 'CHARGE',
    amount: 0,
    method: 'CREDIT_CARD',
    status: 'PROCESSING',
    createdAt: NOW,
    ...changed,
  };
}

/** The attempt as it looks when the provider has charged it. */
export function paid(attempt: Payment, at = NOW): Payment {
  return { ...attempt, status: 'COMPLETED', transactionId: `tx_${attempt.paymentId}`, processedAt: at };
}

export function bookCommand(options: BookingOptions = {}): CommandOf<'BOOK'> {
  return { type: 'BOOK', booking: booking(options), pendingPaymentId: freshId() };
}

export function startBookingCommand(options: BookingOptions = {}): CommandOf<'START_BOOKING'> {
  return { type: 'START_BOOKING', holdId: freshId(), booking: booking(options), attempt: charge() };
}

/** A hold of two STD rooms, asked for by nobody who has others. */
export function placeHoldCommand(
  rooms = 2,
  of: Partial<CommandOf<'PLACE_HOLD'>['stay']> = {},
): CommandOf<'PLACE_HOLD'> {
  return {
    type: 'PLACE_HOLD',
    holdId: freshId(),
    stay: stayWish(of),
    rooms,
  };
}

/** What a booking out of a hold is made of. */
export function outOfHold({ id: fromHold, roomType: type, checkIn, checkOut }: Hold): BookingOptions {
  return { stay: { roomType: type, checkIn, checkOut }, fromHold };
}

export function cancelCommand(
  reservationId: string,
  changed: Partial<CommandOf<'CANCEL'>> = {},
): CommandOf<'CANCEL'> {
  return {
    type: 'CANCEL',
    reservationId,
    cancellationId: freshId(),
    refundId: freshId(),
    reason: 'GUEST_REQUEST',
    cancelledBy: 'guest',
    refundRequested: true,
    ...changed,
  };
}

export function modifyCommand(
  reservationId: string,
  of: CommandOf<'MODIFY'>['stay'],
  changed: Partial<CommandOf<'MODIFY'>> = {},
): CommandOf<'MODIFY'> {
  return {
    type: 'MODIFY',
    reservationId,
    modificationId: freshId(),
    refundId: freshId(),
    stay: of,
    guest: {},
    extraStock: {},
    dryRun: false,
    ...changed,
  };
}

export function restrict(
  change: RestrictionChange,
  changed: Partial<CommandOf<'SET_RESTRICTIONS'>> = {},
): CommandOf<'SET_RESTRICTIONS'> {
  return {
    type: 'SET_RESTRICTIONS',
    rateCode: 'BAR',
    roomType: 'STD',
    start: DAY,
    end: DAY + 20,
    change,
    ...changed,
  };
}

/** Ten percent off with the code `TEN`, booked today or later, without limits. */
export function promotion(changed: Partial<NewPromotion> = {}): CommandOf<'CREATE_PROMOTION'> {
  const basics = { id: freshId(), name: 'Ten off', promoCode: 'TEN', validity: { start: DAY, end: DAY + 30 } };
  const discount = { type: 'PERCENTAGE' as const, value: 10 };
  const estimate = { bookings: 0, revenue: 0 };
  return {
    type: 'CREATE_PROMOTION',
    estimate,
    promotion: { ...basics, discount, conditions: {}, inventory: {}, ...changed },
  };
}

/** Blocks of `rooms` STD at 80.00 from the fifth day on for three nights, kept until the second day. */
export function group(rooms = 2, changed: Partial<CommandOf<'CREATE_GROUP'>> = {}): CommandOf<'CREATE_GROUP'> {
  const blocks = [5, 6, 7].map((offset) => ({ roomType: 'STD', day: DAY + offset, rooms, rate: 8_000 }));
  return { type: 'CREATE_GROUP', groupId: freshId(), name: 'Wedding', cutoff: DAY + 2, blocks, ...changed };
}

/** The same group with other members; blocks of `rooms` for nights by their days after `DAY`. */
export function changedGroup(
  groupId: string,
  changed: Partial<Omit<CommandOf<'CHANGE_GROUP'>, 'type' | 'groupId'>> = {},
): CommandOf<'CHANGE_GROUP'> {
  return { ...group(2, changed), type: 'CHANGE_GROUP', groupId };
}

export function checkInCommand(
  reservationId: string,
  changed: Partial<CommandOf<'CHECK_IN'>> = {},
): CommandOf<'CHECK_IN'> {
  const record = { checkInId: freshId(), at: NOW, identified: true, keyCards: 2, tier: 'NONE' as const };
  return { type: 'CHECK_IN', reservationId, ...record, ...changed };
}

export function undoCheckInCommand(
  reservationId: string,
  changed: Partial<CommandOf<'UNDO_CHECK_IN'>> = {},
): CommandOf<'UNDO_CHECK_IN'> {
  return { type: 'UNDO_CHECK_IN', reservationId, roomUsed: false, by: 'desk', ...changed };
}

/** A room of a property; ready unless said otherwise. */
export function plainRoom(roomNumber: string, changed: Partial<Room> = {}): Room {
  return { roomNumber, roomType: 'STD', floor: 1, status: 'CLEAN', features: [], updatedAt: NOW, ...changed };
}

export function envelope<C extends Command>(
  command: C,
  key?: KeyClaim,
  deadline = Infinity,
): Envelope & { command: C } {
  return { command, subject: 'tester', requestId: 'request-1', key, deadline };
}

export function keyed(key: string, ref: string, fingerprint = 'body'): KeyClaim {
  return { key, fingerprint, ref };
}

/** A reservation as rules see it, without having been booked. */
export function reservation(
  changed: Partial<Omit<Reservation, 'stay'>> & { stay?: Partial<Stay> } = {},
): Reservation {
  const { stay: of = {}, ...rest } = changed;
  return {
    id: freshId(),
    propertyId: PROPERTY_ID.propertyId,
    confirmationNumber: '0000000000',
    status: 'CONFIRMED',
    guest: { guestId: freshId(), firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
    stay: stayWish(of),
    nights: [],
    currency: 'EUR',
    cancellationPolicy: 'STANDARD',
    paid: 0,
    payments: [],
    source: {},
    specialRequests: [],
    timeline: [],
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...rest,
  };
}

export function checkOutCommand(
  reservationId: string,
  changed: Partial<CommandOf<'CHECK_OUT'>> = {},
): CommandOf<'CHECK_OUT'> {
  return {
    type: 'CHECK_OUT',
    reservationId,
    checkOutId: freshId(),
    paymentId: freshId(),
    refundId: freshId(),
    at: NOW,
    charges: [],
    roomCondition: 'GOOD',
    keyCardsReturned: 2,
    forced: false,
    tier: 'NONE',
    ...changed,
  };
}

export function noShowCommand(
  reservationId: string,
  changed: Partial<CommandOf<'NO_SHOW'>> = {},
): CommandOf<'NO_SHOW'> {
  return {
    type: 'NO_SHOW',
    reservationId,
    cancellationId: freshId(),
    refundId: freshId(),
    by: 'desk',
    ...changed,
  };
}

/** To the Crown, for 50.00. */
export function walkCommand(reservationId: string, changed: Partial<CommandOf<'WALK'>> = {}): CommandOf<'WALK'> {
  const ids = { reservationId, cancellationId: freshId(), refundId: freshId() };
  const walk = { to: 'The Crown', compensation: 5_000, reason: 'A burst pipe', by: 'boss' };
  return { type: 'WALK', ...ids, ...walk, ...changed };
}

export function reinstateCommand(
  reservationId: string,
  changed: Partial<CommandOf<'REINSTATE'>> = {},
): CommandOf<'REINSTATE'> {
  const said = { pendingPaymentId: freshId(), reason: 'He has come after all', by: 'boss', extraStock: {} };
  return { type: 'REINSTATE', reservationId, ...said, ...changed };
}

/** To DLX for 30.00 a night. */
export function upgradeCommand(
  reservationId: string,
  changed: Partial<Omit<CommandOf<'UPGRADE'>, 'amount' | 'amountPerNight'>> = {},
  price: UpgradePrice = { amountPerNight: 3_000 },
): CommandOf<'UPGRADE'> {
  return { type: 'UPGRADE', reservationId, roomType: 'DLX', by: 'desk', ...changed, ...price };
}

/** Makes nights complimentary, all of the stay where none are named. */
export function compCommand(reservationId: string, changed: Partial<CommandOf<'COMP'>> = {}): CommandOf<'COMP'> {
  const said = { reason: 'The lift was broken', by: 'boss', refundRequested: false, refundId: freshId() };
  return { type: 'COMP', reservationId, ...said, ...changed };
}

/** Two bottles of water for 4.50 each. */
export function postCommand(
  reservationId: string,
  changed: Partial<CommandOf<'POST_CHARGE'>> = {},
): CommandOf<'POST_CHARGE'> {
  const water = { description: 'Water', unitAmount: 450, quantity: 2 };
  return { type: 'POST_CHARGE', reservationId, postingId: freshId(), ...water, by: 'desk', ...changed };
}

/** Extra beds on each night. */
export const BEDS = 2;

/** An extra bed for 20.00 a night with 2.00 of tax in it. */
export function bedCommand(
  reservationId: string,
  changed: Partial<CommandOf<'POST_CHARGE'>> = {},
): CommandOf<'POST_CHARGE'> {
  const taxLines = [{ code: 'TAX', amount: 200 }];
  const bed = { description: 'Extra bed', code: 'BED', unitAmount: 2_000, quantity: 1, taxLines, stock: BEDS };
  return postCommand(reservationId, { ...bed, ...changed });
}

export function voidCommand(reservationId: string, postingId: string): CommandOf<'VOID_POSTING'> {
  const reversal = { reversalId: freshId(), reason: 'Wrong room', by: 'boss' };
  return { type: 'VOID_POSTING', reservationId, postingId, ...reversal };
}

/** All that is due, in cash. */
export function startPaymentCommand(
  reservationId: string,
  changed: Partial<Payment> = {},
): CommandOf<'START_PAYMENT'> {
  return { type: 'START_PAYMENT', reservationId, attempt: charge({ method: 'CASH', ...changed }) };
}

export function endPaymentCommand(reservationId: string, payment: Payment): CommandOf<'END_PAYMENT'> {
  return { type: 'END_PAYMENT', reservationId, payment, refundId: freshId() };
}
