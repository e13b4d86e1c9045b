import { isErased } from '../../guests/rules/erasure.ts';
import type { Guest } from '../../guests/rules/guest.ts';
import { foldKey, guestKeys } from '../../guests/storage/guest-keys.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import { invoiceOf, issuedAtOf } from '../../money/rules/invoice.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import type { Property, RoomType } from '../../properties/rules/property.ts';
import type { Promotion } from '../../rates/rules/promotion.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { Hold, HoldDocument } from '../../stay/rules/hold.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { packNight } from '../../stay/storage/packed-night.ts';
import type { CellRow, Changes, FinalizedBatch } from '../ports.ts';

type Row = Record<string, unknown>;

/** Lists of rows that `commit_batch_v1` takes, in the order of its parameters after tenants and counts. */
const LISTS = [
  'fences',
  'asked',
  'claims',
  'ends',
  'releases',
  'guests',
  'newReservations',
  'reservations',
  'newPayments',
  'payments',
  'history',
  'newHolds',
  'holds',
  'holdsRemoved',
  'cells',
  'books',
  'baseRates',
] as const;

const SETUP = [
  'properties',
  'propertiesDeleted',
  'roomTypes',
  'roomTypesRemoved',
  'rooms',
  'roomsRemoved',
  'plans',
  'plansRemoved',
];
const SALES = [
  'rateChanges',
  'signals',
  'restrictions',
  'restrictionsRemoved',
  'promotions',
  'promotionNights',
  'groups',
  'groupBlocks',
];
const FRONT_DESK = ['roomStays', 'roomStaysGone', 'roomsToClean', 'roomsCleaned', 'invoices'];

/** Tenants, counts, the lists, set-up and journal. */
export const BATCH_ARGUMENTS = LISTS.length + 4;

/** Arguments of `commit_batch_v1`: rows of all batches, table by table, in the names its SQL reads. */
export function batchArguments(batches: readonly FinalizedBatch[]): (string | null)[] {
  const lists: Record<string, Row[]> = {};
  const add = (name: string, row: Row): void => {
    (lists[name] ??= []).push(row);
  };
  for (const batch of batches) addBatch(add, batch);
  const tenants = [...new Set(batches.map(({ to }) => to.tenantId))].join(',');
  const counts = Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length]));
  const text = (name: string): string | null => (lists[name] ? JSON.stringify(lists[name]) : null);
  const setup = [...SETUP, ...SALES, ...FRONT_DESK]
    .filter((name) => name in lists)
    .map((name) => [name, lists[name]] as const);
  const setupText = setup.length > 0 ? JSON.stringify(Object.fromEntries(setup)) : null;
  return [tenants, JSON.stringify(counts), ...LISTS.map(text), setupText, text('journal')];
}

/** Phases of a key that must not have been there before. */
const ASKING = new Set(['claim', 'whole', 'probe']);
const LIST_OF_PHASE = { claim: 'claims', whole: 'claims', end: 'ends', release: 'releases', probe: undefined };

function addBatch(add: (name: string, row: Row) => void, batch: FinalizedBatch): void {
  const { to, changes, entries, keys } = batch;
  const at = instant(batch.at);
  const here = { t: to.tenantId, p: to.propertyId };
  add('fences', {
    ...here,
    epoch: batch.epoch,
    old: batch.oldSeq,
    new: batch.newSeq,
    before: batch.oldHead,
    head: batch.head,
    at: optionalInstant(entries.at(-1)?.at),
    day: batch.today === undefined ? undefined : formatDay(batch.today),
    rates: batch.rateVersion,
  });
  for (const { subject, key, fingerprint, phase, ref, answer } of keys) {
    if (ASKING.has(phase)) add('asked', { ...here, subject, key });
    const list = LIST_OF_PHASE[phase];
    if (list) add(list, { ...here, subject, key, fingerprint, ref, answer, at });
  }
  for (const entry of entries)
    add('journal', {
      ...here,
      seq: entry.seq,
      at: instant(entry.at),
      type: entry.type,
      subject: entry.subject,
      request: entry.requestId,
      entity: entry.entity,
      facts: entry.facts,
      hash: entry.hash,
    });
  for (const { seq, at: when, entity, facts } of entries)
    if (facts.rates) add('rateChanges', { ...here, id: entity, seq, at: instant(when) });
  addBookings(add, here, changes, at);
  for (const cell of changes.cells) add('cells', { ...here, ...cellRow(cell), at });
  for (const { day, movedOn, revenue, pickup, cancelled } of changes.books)
    add('books', { ...here, day: formatDay(day), on: formatDay(movedOn), revenue, pickup, cancelled });
  for (const { roomType, day, rate, multiplier, amount, currency } of changes.rates)
    add('baseRates', {
      ...here,
      type: roomType,
      day: formatDay(day),
      rate: decimal(rate),
      currency,
      multiplier: multiplier / 100,
      amount: decimal(amount),
      at,
    });
  addSetup(add, here, changes, at);
  addSales(add, here, changes, at);
  addFrontDesk(add, here, changes, at);
}

type Here = { t: string; p: string };

function addBookings(add: (name: string, row: Row) => void, here: Here, changes: Changes, at: string): void {
  for (const { guest, wrappedKey } of changes.guests)
    add('guests', wrappedKey ? { t: here.t, ...guestRow(guest), wrapped: wrappedKey, at } : known(here, guest));
  const created = new Set(changes.created);
  for (const reservation of changes.reservations)
    add(created.has(reservation.id) ? 'newReservations' : 'reservations', reservationRow(here.t, reservation));
  for (const { reservationId, payment } of changes.payments)
    add(created.has(payment.paymentId) ? 'newPayments' : 'payments', {
      ...paymentRow(here, payment),
      reservation_id: reservationId,
      currency: changes.currency,
    });
  for (const { reservationId, from, to, at: when, by, reason } of changes.history)
    add('history', { t: here.t, id: reservationId, old: from, new: to, at: instant(when), by, reason });
  for (const hold of changes.holds) add(created.has(hold.id) ? 'newHolds' : 'holds', holdRow(here, hold));
  for (const id of changes.holdsRemoved) add('holdsRemoved', { ...here, id });
}

function addSetup(add: (name: string, row: Row) => void, here: Here, changes: Changes, at: string): void {
  if (changes.property) add('properties', { ...here, ...propertyImage(changes.property), at });
  if (changes.propertyDeleted) add('propertiesDeleted', { ...here, at });
  for (const type of changes.roomTypes) add('roomTypes', { ...here, ...roomTypeImage(type), at });
  for (const id of changes.roomTypesRemoved) add('roomTypesRemoved', { ...here, id, at });
  for (const room of changes.rooms) {
    const { roomNumber: number, roomType: type, floor, status, features, notes, reservationId: guest } = room;
    add('rooms', { ...here, number, type, floor, status, features, notes, guest, at: instant(room.updatedAt) });
  }
  for (const id of changes.roomsRemoved) add('roomsRemoved', { ...here, id, at });
  for (const plan of changes.plans) add('plans', { ...here, ...planImage(plan), currency: changes.currency, at });
  for (const { id, code } of changes.plansRemoved) add('plansRemoved', { ...here, id, code, at });
}

function addSales(add: (name: string, row: Row) => void, here: Here, changes: Changes, at: string): void {
  for (const { roomType: type, day, demand, market } of changes.signals)
    add('signals', { ...here, type, day: formatDay(day), demand, market: market && decimal(market), at });
  for (const { rateCode: code, roomType: type, day, restriction } of changes.restrictions)
    add(restriction ? 'restrictions' : 'restrictionsRemoved', {
      ...here,
      code,
      type,
      day: formatDay(day),
      at,
      ...restriction,
    });
  for (const { promotion, status, nights } of changes.promotions) {
    add('promotions', { ...here, ...promotionImage(promotion), status, at });
    for (const { day, used } of nights)
      add('promotionNights', { t: here.t, id: promotion.id, day: formatDay(day), used });
  }
  for (const { group, blocks } of changes.groups) {
    const { groupId: id, name, cutoff, released, createdAt } = group;
    add('groups', { ...here, id, name, cutoff: formatDay(cutoff), released, created: instant(createdAt), at });
    for (const { roomType: type, day, rooms, rate, pickedUp: picked } of blocks)
      add('groupBlocks', { t: here.t, id, type, day: formatDay(day), rooms, rate: decimal(rate), picked });
  }
}

function addFrontDesk(add: (name: string, row: Row) => void, here: Here, changes: Changes, at: string): void {
  for (const { reservationId: id, roomNumber: number, roomType: type, ...stay } of changes.roomStays)
    add('roomStays', {
      ...here,
      id,
      number,
      type,
      from: formatDay(stay.checkIn),
      to: formatDay(stay.checkOut),
      inHouse: stay.status === 'CHECKED_IN',
      fixed: stay.fixed ?? false,
    });
  for (const id of changes.roomStaysGone) add('roomStaysGone', { t: here.t, id });
  for (const { roomNumber: number, status, notes } of changes.rooms)
    if (status === 'DIRTY') add('roomsToClean', { ...here, number, notes, at });
    else if (status !== 'OCCUPIED' && status !== 'OUT_OF_ORDER') add('roomsCleaned', { ...here, number, at });
  for (const reservation of changes.reservations) {
    const issuedAt = issuedAtOf(reservation);
    // Whoever is erased keeps the invoice of a penalty that there is.
    const isNew = reservation.checkOut !== undefined || !isErased(reservation);
    if (issuedAt !== undefined && isNew) add('invoices', { ...here, ...invoiceImage(reservation, issuedAt), at });
  }
}

function invoiceImage(reservation: Reservation, issuedAt: Instant): Row {
  const { number, subtotal, taxes, fees, total, paid, lines } = invoiceOf(reservation);
  const id = reservation.checkOut?.checkOutId ?? reservation.cancellation!.cancellationId;
  return {
    id,
    reservation: reservation.id,
    number,
    currency: reservation.currency,
    issued: instant(issuedAt),
    subtotal: decimal(subtotal),
    taxes: decimal(taxes),
    fees: decimal(fees),
    total: decimal(total),
    paid: decimal(paid),
    lines: lines.map((line) => ({
      day: formatDay(line.day),
      description: line.description,
      amount: decimal(line.amount),
      taxes: decimal(line.taxes),
    })),
  };
}

/** Percent and nights are kept as they are, an amount as a decimal like every other. */
function promotionImage(promotion: Promotion): Row {
  const { id, name, description, promoCode: code, discount, validity, stayPeriod, conditions } = promotion;
  const { type, value } = discount;
  return {
    id,
    name,
    description,
    code,
    discount: type,
    value: type === 'FIXED_AMOUNT' ? decimal(value) : value,
    start: formatDay(validity.start),
    end: formatDay(validity.end),
    stayStart: stayPeriod && formatDay(stayPeriod.start),
    stayEnd: stayPeriod && formatDay(stayPeriod.end),
    roomTypes: promotion.roomTypes,
    conditions: { ...conditions, blackoutDates: conditions.blackoutDates?.map(formatDay) },
    limit: promotion.inventory.totalRooms,
    perDay: promotion.inventory.maxPerDay,
    used: promotion.used,
    paused: promotion.paused,
    created: instant(promotion.createdAt),
  };
}

function cellRow(cell: CellRow): Row {
  return {
    type: cell.roomType,
    day: formatDay(cell.day),
    total: cell.total,
    free: cell.available,
    booked: cell.booked,
    held: cell.held,
    grp: cell.groupBlocked,
    ooo: cell.outOfOrder,
    ext: cell.externalBlocked,
    over: cell.overbookingLimit,
    short: cell.shortfall,
    told: cell.told?.at,
    told_seq: cell.told?.seq,
  };
}

/** Only looked for: whether nobody has erased the guest meanwhile. */
const known = ({ t }: Here, { guestId: id }: Guest): Row => ({ t, id });

function guestRow(guest: Guest): Row {
  const { guestId, email, firstName, lastName, phone, preferences } = guest;
  const { emailKey, lastNameKey } = guestKeys(guest);
  const keys = { email_key: emailKey, last_name_key: lastNameKey };
  return { id: guestId, email, ...keys, first_name: firstName, last_name: lastName, phone, preferences };
}

/** A row of `reservations` with all its columns. */
export function reservationRow(tenantId: string, reservation: Reservation): Row {
  const {
    stay,
    guest,
    nights,
    source,
    specialRequests,
    billing,
    timeline,
    cancellation,
    checkIn,
    checkOut,
    leaving,
    charges,
    givenBack,
    roomFixed,
    bookedRoomType,
  } = reservation;
  return {
    tenant_id: tenantId,
    id: reservation.id,
    property_id: reservation.propertyId,
    confirmation_number: reservation.confirmationNumber,
    guest_id: guest.guestId,
    status: reservation.status,
    check_in: formatDay(stay.checkIn),
    check_out: formatDay(stay.checkOut),
    nights: stay.checkOut - stay.checkIn,
    adults: stay.adults,
    children: stay.children,
    room_type: stay.roomType,
    room_number: reservation.roomNumber,
    rate_code: stay.rateCode,
    ...amountsRow(reservation),
    currency: reservation.currency,
    source: source.channel,
    assigned_room: reservation.roomNumber,
    assigned_at: optionalInstant(reservation.assignedAt),
    cancellation_policy: reservation.cancellationPolicy,
    hold_expires_at: optionalInstant(reservation.holdExpiresAt),
    quote_id: reservation.quoteId,
    promo_code: reservation.promoCode,
    special_requests: specialRequests,
    group_id: reservation.groupId,
    checked_in_at: optionalInstant(checkIn?.at),
    details: {
      guest: { ...guest, guestId: undefined },
      nights: nights.map(packNight),
      source,
      billing,
      timeline,
      cancellation,
      checkIn,
      checkOut,
      leaving,
      charges,
      givenBack,
      roomFixed,
      bookedRoomType,
    },
    version: reservation.version,
    created_at: instant(reservation.createdAt),
    updated_at: instant(reservation.updatedAt),
    email_key: guest.email === '' ? undefined : foldKey(guest.email),
    status_key: statusKey(reservation.status),
  };
}

function amountsRow(reservation: Reservation): Row {
  const { base, taxes, fees, total } = folioTotals(reservation);
  return {
    total_amount: decimal(total),
    base_amount: decimal(base),
    taxes: decimal(taxes),
    fees: decimal(fees),
    paid_amount: decimal(reservation.paid),
    balance_due: decimal(total - reservation.paid),
  };
}

function paymentRow({ t, p }: Here, payment: Payment): Row {
  return {
    tenant_id: t,
    property_id: p,
    id: payment.paymentId,
    amount: decimal(payment.amount),
    method: payment.method,
    status: payment.status,
    transaction_id: payment.transactionId,
    transaction_type: payment.type,
    processed_at: optionalInstant(payment.processedAt),
    created_at: instant(payment.createdAt),
    charge_id: payment.chargeId,
    paid_out_by: payment.paidOut?.by,
    paid_out_reference: payment.paidOut?.reference,
  };
}

function holdRow({ t, p }: Here, hold: Hold): Row {
  return {
    tenant_id: t,
    property_id: p,
    id: hold.id,
    kind: hold.kind,
    room_type: hold.roomType,
    check_in: formatDay(hold.checkIn),
    check_out: formatDay(hold.checkOut),
    rooms: hold.rooms,
    expires_at: instant(hold.expiresAt),
    reservation_id: hold.reservationId,
    doc: docOf(hold),
    created_at: instant(hold.createdAt),
  };
}

function docOf({ booking, key, fromHold, card, terms, subject, lapsed }: Hold): HoldDocument {
  return { booking, key, fromHold, card, terms, subject, lapsed };
}

function propertyImage(property: Property): Row {
  const { name, propertyCode, brand, propertyType, metadata, address, contact, createdAt } = property;
  return {
    name,
    code: propertyCode,
    brand,
    type: propertyType,
    metadata,
    address,
    contact,
    created: instant(createdAt),
  };
}

function roomTypeImage(type: RoomType): Row {
  const { maxAdults: adults, maxChildren: children, maxGuests: guests, totalRooms: total, amenities, name } = type;
  return { type: type.roomType, name, adults, children, guests, total, amenities, rolling: type.rollingRates };
}

function planImage(plan: RatePlan): Row {
  const {
    id,
    code,
    name,
    status,
    strategy,
    baseRate,
    cancellationPolicy: policy,
    validFrom,
    validTo,
    ...rules
  } = plan;
  const valid_from = validFrom === undefined ? undefined : formatDay(validFrom);
  const valid_to = validTo === undefined ? undefined : formatDay(validTo);
  const base = baseRate === undefined ? undefined : decimal(baseRate);
  return { id, code, name, status, strategy, base, policy, valid_from, valid_to, rules };
}

const decimal = (amount: Minor): number => amount / 100;
const instant = (at: number): string => new Date(at).toISOString();
const optionalInstant = (at: number | undefined): string | undefined => (at === undefined ? undefined : instant(at));
