import { wireMoney, wireMoneyOrNull } from '../../../../src/kernel/contracts/wire-money.ts';
import { type AuditRow, entityOf, type PropertyAudit } from '../../../../src/kernel/rules/audit.ts';
import { type Day, formatDay, WEEKDAYS } from '../../../../src/kernel/rules/dates.ts';
import { bookingsOf, type CellFact, type HoldFact, type PaymentFact } from '../../../../src/kernel/rules/journal.ts';
import type { Minor } from '../../../../src/kernel/rules/money.ts';
import { formatInstant } from '../../../../src/kernel/rules/property-time.ts';
import { AMOUNT_POLICIES } from '../../../../src/properties/rules/property.ts';
import type { Tax } from '../../../../src/properties/rules/tax.ts';
import { DAY_NAMES } from '../../../../src/rates/rules/rate-plan.ts';
import { AMOUNTS as LEAF_AMOUNTS, type BookingDetails } from '../../../../src/stay/rules/booking-details.ts';
import type { auditTrailEntry } from '../../../../src/tenants/contracts/audit-trail.ts';
import { personalOf } from '../../../../src/tenants/operations/read-audit-trail.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { csvLine } from '../../csv.ts';

type Json = Record<string, unknown>;
type Opened = ReadonlyMap<string, string>;

/** One write: who, what, before, after, when, by which request (docs/concepts/audit-trail.md#audit-trail). */
export function auditEntry(row: AuditRow, opened: Opened): AnswerOf<typeof auditTrailEntry> {
  const { at, source, seq, subject, requestId, entityId, action, hash } = row;
  const [entity, before, after] =
    'facts' in row
      ? [entityOf(row.action), beforeOf(row), afterOf(row, opened)]
      : [row.entity, imageOf(row.before, opened), imageOf(row.after, opened)];
  return {
    at,
    userId: subject,
    action,
    entity,
    entityId,
    propertyId: source === '' ? null : source,
    before,
    after,
    requestId,
    journal: source === '' ? 'ADMINISTRATION' : 'PROPERTY',
    seq,
    hash,
  };
}

/** What stood under a guest's key is shown, or that he was erased. */
function imageOf(image: unknown, opened: Opened): Json | null {
  const personal = personalOf(image);
  if (personal === undefined) return (image as Json | undefined) ?? null;
  const plain = opened.get(personal);
  return plain === undefined ? { erased: true } : (JSON.parse(plain) as Json);
}

/** Facts of a property say what is now; of what is set up, of prices, holds and changes they say what was, too. */
function beforeOf({ facts, entityId }: PropertyAudit): Json | null {
  const { setup = [], rates, foreign, holds = [], payments = [] } = facts;
  const paid = payments.flatMap(([paymentId, , , status]) => (status === null ? [] : [{ paymentId, status }]));
  const were = setup.filter(({ before }) => before !== undefined);
  const held = holds.flatMap(([, holdId, , , , , , was]) => (was ? [{ holdId, ...heldBefore(was) }] : []));
  const before: Json = {
    ...changesIn({ facts, entity: entityId }, ([, from]) => from),
    ...(held.length > 0 && { holds: held }),
    ...(paid.length > 0 && { payments: paid }),
    ...(were.length > 0 && { changed: were.map(({ kind, id, before: was }) => ({ kind, id, value: value(was) })) }),
    ...(rates && { rates: rates.nights.map(([roomType, day, from]) => night(roomType, day, from)) }),
    ...(foreign && { rates: foreign.nights.map(([roomType, day, from]) => night(roomType, day, from)) }),
    ...(foreign && { ratePlans: foreign.plans.map((plan) => ({ id: plan.code, ...readable(plan.before) })) }),
  };
  return orNull(before);
}

function afterOf({ facts, entityId }: PropertyAudit, opened: Opened): Json | null {
  const { cells, holds, payments, setup, rates, foreign, businessDate, personal } = facts;
  const bookings = bookingsOf({ facts, entity: entityId });
  const guestName = personal === undefined ? undefined : (opened.get(personal) ?? null);
  return orNull({
    ...(bookings.length > 0 && { bookings: bookings.map((booking) => readable(booking)) }),
    ...changesIn({ facts, entity: entityId }, ([, , to]) => to),
    ...(guestName !== undefined && { guestName }),
    ...(holds && { holds: holds.map(holdOf) }),
    ...(payments && { payments: payments.map(paymentOf) }),
    ...documentsIn(facts.details),
    ...overrideIn(facts.details, opened),
    ...(setup && { changed: setup.map(({ kind, id, after }) => ({ kind, id, value: value(after) })) }),
    ...(rates && { rates: rates.nights.map(([roomType, day, , to]) => night(roomType, day, to)) }),
    ...(rates?.byRule && { byRule: rates.byRule }),
    ...(foreign && { rates: foreign.nights.map(([roomType, day, , to]) => night(roomType, day, to)) }),
    ...(foreign && { ratePlans: foreign.plans.map((plan) => ({ id: plan.code, ...readable(plan.after) })) }),
    ...(businessDate !== undefined && { businessDate: formatDay(businessDate) }),
    ...(cells && { cells: cells.map(cellOf) }),
    ...('more' in facts && { more: facts.more }),
  });
}

/** Invoices and credit notes that a row has issued. */
function documentsIn(details: PropertyAudit['facts']['details'] = []): Json {
  const documents = details.flatMap((one) => one?.documents ?? []);
  if (documents.length === 0) return {};
  return {
    documents: documents.map(([number, total, corrects]) => ({
      number,
      totalAmount: wireMoney(total),
      ...(corrects !== undefined && { corrects }),
    })),
  };
}

/** Reason for which restrictions were ignored; null where its guest was erased. */
function overrideIn(details: PropertyAudit['facts']['details'] = [], opened: Opened): Json {
  const sealed = details.find((one) => one?.override !== undefined)?.override;
  return sealed === undefined ? {} : { override: { reason: opened.get(sealed) ?? null } };
}

type Changes = NonNullable<BookingDetails['changes']>;

/**
 * What differs of the reservations of a row, on one side of the change: of one its leaves, of several those of each. Of a
 * personal leaf the journal has the name alone.
 */
function changesIn(row: Parameters<typeof bookingsOf>[0], side: (change: Changes[0]) => unknown): Json {
  const { details = [] } = row.facts;
  const bookings = bookingsOf(row);
  const all = bookings.flatMap(({ reservationId }, index) => {
    const changes = details[index]?.changes ?? [];
    return changes.length > 0 ? [{ reservationId, leaves: leavesOf(changes, side) }] : [];
  });
  if (all.length === 0) return {};
  const each = all.map(({ reservationId, leaves }) => ({ reservationId, ...leaves }));
  return { changes: bookings.length === 1 ? all[0]!.leaves : each };
}

function leavesOf(changes: Changes, side: (change: Changes[0]) => unknown): Json {
  return Object.fromEntries(
    changes.map((change): [string, unknown] => {
      const [[name], value] = [change, side(change)];
      if (change.length === 1) return [name, 'PERSONAL'];
      return [name, LEAF_AMOUNTS.has(name) ? wireMoneyOrNull(value as number | null) : (value ?? null)];
    }),
  );
}

const orNull = (image: Json): Json | null => (Object.keys(image).length === 0 ? null : image);

const night = (roomType: string, day: Day, rate: Minor | null): Json => ({
  roomType,
  date: formatDay(day),
  rate: wireMoneyOrNull(rate),
});

function cellOf([roomType, day, total, booked, held, blocked, available, rate]: CellFact): Json {
  const rooms = { totalRooms: total, bookedRooms: booked, heldRooms: held, blockedRooms: blocked };
  return { roomType, date: formatDay(day), ...rooms, availableRooms: available, rate: wireMoneyOrNull(rate) };
}

function holdOf([event, holdId, roomType, checkIn, checkOut, rooms, expiresAt]: HoldFact): Json {
  const nights = { checkIn: formatDay(checkIn), checkOut: formatDay(checkOut) };
  return { event, holdId, roomType, ...nights, rooms, expiresAt: formatInstant(expiresAt) };
}

function paymentOf([paymentId, type, amount, , status]: PaymentFact): Json {
  return { paymentId, type, amount: wireMoney(amount), status };
}

const heldBefore = ([rooms, expiresAt]: NonNullable<HoldFact[7]>): Json => ({
  rooms,
  expiresAt: formatInstant(expiresAt),
});

/** Members of what a property keeps that are amounts, days and moments, whatever they stand in. */
const AMOUNTS = new Set<string>([
  'total',
  'paid',
  'rate',
  'baseRate',
  'minRate',
  'maxRate',
  'adjustmentAmount',
  ...AMOUNT_POLICIES,
  'pricePoints',
  'singleRate',
  'doubleRate',
  'extraPersonRate',
  'market',
  ...WEEKDAYS,
  ...DAY_NAMES,
]);
const DAYS = new Set([
  'day',
  'start',
  'end',
  'first',
  'last',
  'cutoff',
  'checkIn',
  'checkOut',
  'firstNight',
  'lastNight',
  'validFrom',
  'validTo',
  'blackoutDates',
]);
const MOMENTS = new Set(['createdAt', 'updatedAt', 'expiresAt', 'setAt']);
/** Kept for ourselves. */
const OURS = new Set(['rollingRates']);

function readable(image: object | null): Json {
  const members = Object.entries(image ?? {}).filter(([name, member]) => member !== undefined && !OURS.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, value(member, name, image)]));
}

function value(member: unknown, name = '', inside: object | null = null): unknown {
  if (Array.isArray(member)) return member.map((one) => value(one, name));
  if (typeof member === 'object' && member !== null) return readable(member);
  if (!Number.isSafeInteger(member)) return member;
  const whole = member as number;
  const isFixed = name === 'value' && inside !== null && 'type' in inside && inside.type === 'FIXED_AMOUNT';
  if (AMOUNTS.has(name) || isFixed || isTaxAmount(name, inside)) return wireMoney(whole);
  if (DAYS.has(name) || (isTax(inside) && (name === 'from' || name === 'to'))) return formatDay(whole);
  return MOMENTS.has(name) ? formatInstant(whole) : whole;
}

const isTax = (inside: object | null): inside is Tax => inside !== null && 'kind' in inside && 'included' in inside;

const isTaxAmount = (name: string, inside: object | null): boolean =>
  name === 'value' && isTax(inside) && inside.kind !== 'PERCENT';

const COLUMNS = [
  'at',
  'userId',
  'action',
  'entity',
  'entityId',
  'propertyId',
  'before',
  'after',
  'requestId',
  'journal',
  'seq',
  'hash',
];

/** The first line of a file of {@link auditLine}. */
export const AUDIT_HEAD = csvLine(COLUMNS);

/** An entry as a line; images as JSON. */
export const auditLine = (entry: Json): string => csvLine(COLUMNS.map((name) => entry[name]));
