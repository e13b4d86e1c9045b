import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, partsOf } from '../../kernel/rules/money.ts';
import { type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { MAX_NIGHTS } from '../../kernel/rules/stay-days.ts';
import type { Night } from '../../money/rules/night.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../money/rules/payment.ts';
import { RESERVATION_STATUSES, type ReservationStatus } from '../../stay/rules/reservation.ts';
import {
  amountFrom0,
  importedAmount,
  dayOfInstant,
  dayValue,
  instantValue,
  lineFault,
  mustHave,
  shortText,
  type ValueFormat,
  wholeNumber,
} from './line-values.ts';
import type { FieldSource, LineFields } from './mapping.ts';

/** A guest of a line, as a guest book knows one. */
export type GuestLine = { firstName: string; lastName: string; email: string; phone?: string };

/** A payment of a line; below 0 for a refund. */
export type PaymentLine = {
  externalId?: string;
  amount: Minor;
  method: PaymentMethod;
  at?: Instant;
  reference?: string;
};

/** A reservation as a line of a file says it. */
export type ReservationLine = {
  externalId: string;
  status: ReservationStatus;
  checkIn: Day;
  checkOut: Day;
  roomType: string;
  rateCode: string;
  adults: number;
  children: number;
  /** External id of a guest of another file. */
  guestRef?: string;
  guest: GuestLine;
  nights: Night[];
  retained: Minor;
  payments: PaymentLine[];
  bookedAt: Instant;
  endedAt: Instant;
  arrivedAt: Instant;
  departedAt: Instant;
  roomNumber?: string;
  channel: string;
  collectedBy?: 'CHANNEL';
  specialRequests: string[];
};

/** What lines are read with. */
export type LineContext = ValueFormat & {
  checkInTime: string;
  checkOutTime: string;
  today: Day;
  now: Instant;
  /** Sources of fields, for formats of their own. */
  sources: Readonly<Record<string, FieldSource>>;
};

const MAX = { id: 100, name: 100, email: 254, phone: 30, code: 50, roomNumber: 10, channel: 50, request: 500 };
const MAX_PERSONS = 50;
const DAY_MS = 86_400_000;

/** Reads a reservation. @throws DomainError VALIDATION_FAILED with the field that is wrong, and never its text */
export function reservationLine(fields: LineFields, context: LineContext): ReservationLine {
  const externalId = shortText('externalId', mustHave('externalId', fields['externalId']), MAX.id)!;
  const checkIn = dayOf('checkIn', mustHave('checkIn', fields['checkIn']), context);
  const checkOut = departureOfLine(fields, checkIn, context);
  const said = statusOf(mustHave('status', fields['status']));
  const { checkInTime, checkOutTime, timezone, now } = context;
  const momentOf = (field: string, usual: Instant): Instant => {
    const text = fields[field];
    return text === undefined ? usual : instantValue(field, text, context, formatOf(field, context));
  };
  const arrival = instantAt(checkIn, checkInTime, timezone);
  const leadDays = wholeNumber('leadDays', fields['leadDays'], 0, 3_000);
  const bookedAt = momentOf('bookedAt', arrival - leadDays * DAY_MS);
  const endedAt = momentOf('cancelledAt', said === 'NO_SHOW' ? arrival : Math.min(now, arrival));
  if (bookedAt > now && context.shiftDays !== 0) throw lineFault('bookedAt', 'is later than now');
  const status = context.shiftDays === 0 ? said : statusBy(said, { checkIn, checkOut, endedAt }, context);
  const rooms = roomsOf(fields);
  return {
    externalId,
    status,
    checkIn,
    checkOut,
    ...rooms,
    ...guestOf(fields),
    nights: nightsOfLine(fields, checkIn, checkOut, context),
    retained: retainedOf(fields, status, context),
    payments: ownPayment(fields, context),
    bookedAt: Math.min(bookedAt, now),
    endedAt: Math.min(endedAt, now),
    arrivedAt: Math.min(momentOf('arrivedAt', arrival), now),
    departedAt: Math.min(momentOf('departedAt', instantAt(checkOut, checkOutTime, timezone)), now),
  };
}

const formatOf = (field: string, { sources }: LineContext): string | undefined => {
  const source = sources[field];
  return typeof source === 'object' ? source.format : undefined;
};

const dayOf = (field: string, text: string, context: LineContext): Day =>
  dayValue(field, text, context, formatOf(field, context));

function departureOfLine(fields: LineFields, checkIn: Day, context: LineContext): Day {
  const { checkOut, nights } = fields;
  if (checkOut === undefined && nights === undefined) throw lineFault('checkOut', 'is required, or nights');
  const day =
    checkOut === undefined
      ? checkIn + wholeNumber('nights', nights, 0, MAX_NIGHTS)
      : dayOf('checkOut', checkOut, context);
  if (day <= checkIn) throw lineFault(checkOut === undefined ? 'nights' : 'checkOut', 'gives a stay without a night');
  if (day - checkIn > MAX_NIGHTS) throw lineFault('checkOut', `gives more than ${MAX_NIGHTS} nights`);
  return day;
}

function statusOf(text: string): ReservationStatus {
  const status = RESERVATION_STATUSES.find((one) => one === text);
  if (!status) throw lineFault('status', `is none of ${RESERVATION_STATUSES.join(', ')}: the mapping needs a map`);
  return status;
}

type Dates = { checkIn: Day; checkOut: Day; endedAt: Instant };

/** With moved dates: what a file says will happen later has not happened yet. */
function statusBy(
  said: ReservationStatus,
  { checkOut, endedAt }: Dates,
  { today, now }: LineContext,
): ReservationStatus {
  const isLater =
    said === 'CHECKED_OUT' || said === 'CHECKED_IN' ? checkOut > today : said !== 'PENDING' && endedAt > now;
  return isLater ? 'CONFIRMED' : said;
}

function roomsOf(fields: LineFields) {
  const roomNumber = shortText('roomNumber', fields['roomNumber'], MAX.roomNumber);
  const collectedBy = fields['collectedBy'];
  if (collectedBy !== undefined && collectedBy !== 'CHANNEL' && collectedBy !== 'PROPERTY')
    throw lineFault('collectedBy', 'is CHANNEL or PROPERTY');
  const request = shortText('specialRequests', fields['specialRequests'], MAX.request);
  return {
    roomType: shortText('roomType', mustHave('roomType', fields['roomType']), MAX.code)!,
    rateCode: shortText('rateCode', fields['rateCode'], MAX.code) ?? 'BAR',
    adults: wholeNumber('adults', fields['adults'], 1, MAX_PERSONS),
    children: wholeNumber('children', fields['children'], 0, MAX_PERSONS),
    channel: shortText('channel', fields['channel'], MAX.channel) ?? 'IMPORT',
    ...(collectedBy === 'CHANNEL' && { collectedBy: 'CHANNEL' as const }),
    ...(roomNumber !== undefined && { roomNumber }),
    specialRequests: request === undefined ? [] : [request],
  };
}

function guestOf(fields: LineFields): Pick<ReservationLine, 'guest' | 'guestRef'> {
  const guestRef = shortText('guest', fields['guest'], MAX.id);
  if (guestRef !== undefined) return { guestRef, guest: NOBODY };
  return { guest: guestLine(fields) };
}

const NOBODY: GuestLine = { firstName: '', lastName: '', email: '' };

/** Reads a guest. @throws DomainError VALIDATION_FAILED */
export function guestLine(fields: LineFields): GuestLine {
  const email = shortText('email', fields['email'], MAX.email) ?? '';
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) throw lineFault('email', 'is no address');
  const phone = shortText('phone', fields['phone'], MAX.phone);
  return {
    firstName: shortText('firstName', fields['firstName'], MAX.name) ?? '',
    lastName: shortText('lastName', mustHave('lastName', fields['lastName']), MAX.name)!,
    email,
    ...(phone !== undefined && { phone }),
  };
}

/** Prices of the nights, which add up to the total to the cent; taxes and fees are parts of it. */
function nightsOfLine(fields: LineFields, checkIn: Day, checkOut: Day, context: LineContext): Night[] {
  const gross = grossOf(fields, checkOut - checkIn, context);
  const part = (field: string): Minor => {
    const text = fields[field];
    return text === undefined ? 0 : amountFrom0(field, text, context);
  };
  const [tax, fee] = [part('taxAmount'), part('feeAmount')];
  const base = sum(gross, (one) => one) - tax - fee;
  if (base < 0) throw lineFault('taxAmount', 'and feeAmount are more than the total');
  // Each divides what those before it have left of a night, so that none is more than the night costs.
  const increment = incrementOf(context.currency);
  const rates = partsOf(base, gross, increment);
  const rest = gross.map((amount, n) => amount - rates[n]!);
  const taxes = partsOf(tax, rest, increment);
  return rates.map((rate, n) => ({ day: checkIn + n, rate, taxes: taxes[n]!, fees: rest[n]! - taxes[n]! }));
}

function grossOf(
  { totalAmount, nightlyRate, nightlyRates }: LineFields,
  nights: number,
  context: LineContext,
): Minor[] {
  const total = totalAmount === undefined ? undefined : amountFrom0('totalAmount', totalAmount, context);
  const rates = ratesOf(nightlyRate, nightlyRates, nights, context);
  if (rates && total !== undefined && sum(rates, (one) => one) !== total)
    throw lineFault('totalAmount', 'is not the sum of the nights');
  if (rates) return rates;
  if (total === undefined) throw lineFault('totalAmount', 'is required, or nightlyRate');
  return partsOf(
    total,
    Array.from({ length: nights }, () => 1),
    incrementOf(context.currency),
  );
}

function ratesOf(one: string | undefined, all: string | undefined, nights: number, context: LineContext) {
  if (all !== undefined) {
    const rates = all.split(/[;|]/).map((text) => amountFrom0('nightlyRates', text.trim(), context));
    if (rates.length !== nights) throw lineFault('nightlyRates', 'has not one rate for each night');
    return rates;
  }
  if (one === undefined) return undefined;
  const rate = amountFrom0('nightlyRate', one, context);
  return Array.from({ length: nights }, () => rate);
}

function retainedOf(fields: LineFields, status: ReservationStatus, context: LineContext): Minor {
  const text = fields['retainedAmount'];
  if (text === undefined || (status !== 'CANCELLED' && status !== 'NO_SHOW')) return 0;
  return amountFrom0('retainedAmount', text, context);
}

/** What the line of a reservation itself says was paid. */
function ownPayment(fields: LineFields, context: LineContext): PaymentLine[] {
  const { paidAmount: amount, paymentMethod: method, paymentDate: date, paymentReference: reference } = fields;
  if (amount === undefined || importedAmount('paidAmount', amount, context) === 0) return [];
  return [paymentLine({ amount, method, date, reference }, context)];
}

/** Reads a payment. @throws DomainError VALIDATION_FAILED */
export function paymentLine(fields: LineFields, context: LineContext): PaymentLine {
  const amount = importedAmount('amount', mustHave('amount', fields['amount']), context);
  if (amount === 0) throw lineFault('amount', 'is 0');
  const { date } = fields;
  const format = formatOf('date', context) ?? formatOf('paymentDate', context);
  const at = date === undefined ? undefined : instantValue('date', date, context, format);
  if (at !== undefined && dayOfInstant(at, context) > context.today) throw lineFault('date', 'is later than today');
  const externalId = shortText('externalId', fields['externalId'], MAX.id);
  const reference = shortText('reference', fields['reference'], MAX.id);
  return {
    ...(externalId !== undefined && { externalId }),
    amount,
    method: methodOf(fields['method']),
    ...(at !== undefined && { at }),
    ...(reference !== undefined && { reference }),
  };
}

function methodOf(text: string | undefined): PaymentMethod {
  const method = PAYMENT_METHODS.find((one) => one === (text ?? 'BANK_TRANSFER'));
  if (!method) throw new DomainError('VALIDATION_FAILED', `method is none of ${PAYMENT_METHODS.join(', ')}`);
  return method;
}
