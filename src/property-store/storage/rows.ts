import { foldKey, guestKeys } from '../../guests/rules/guest-keys.ts';
import type { Guest } from '../../guests/rules/guest.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { AllMembers } from '../../kernel/rules/members.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import { statusKey } from '../../platform/database/row-values.ts';
import { RESERVATIONS_TABLE } from '../../platform/database/tables/bookings.ts';
import { byColumn, rowWriter, type Unsaid } from '../../platform/database/tables/table.ts';
import type { Promotion } from '../../rates/rules/promotion.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { Hold, HoldDocument } from '../../stay/rules/hold.ts';
import type { Inquiry, InquiryDocument } from '../../stay/rules/inquiry.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { WaitlistDocument, WaitlistEntry } from '../../stay/rules/waitlist.ts';
import { packNight } from '../../stay/storage/packed-night.ts';
import type { Changes, FinalizedBatch } from '../ports.ts';
import { type ColumnsOf, columnsOf, ROW_LISTS, type RowList, LISTS, type RowOf } from './lists.ts';

type Row = Record<string, unknown>;

/** Adds a row to a list; does not compile when the value leaves out a column, even one that may be null. */
type Add = <L extends RowList, V extends RowOf<L>>(list: L, value: V & Unsaid<ColumnsOf<L>, V>) => void;

const WRITERS = new Map(ROW_LISTS.map((name) => [name, rowWriter(columnsOf(LISTS[name]))]));

/** Arguments of the commit function, in the order of its statement: tenants, counts and the lists of all batches. */
export function batchArguments(batches: readonly FinalizedBatch[]): (string | null)[] {
  const lists: Record<string, Row[]> = {};
  for (const batch of batches) {
    const otherwise = { t: batch.to.tenantId, p: batch.to.propertyId, at: formatInstant(batch.at) };
    addBatch((list, value) => {
      (lists[list] ??= []).push(WRITERS.get(list)!(value, otherwise));
    }, batch);
  }
  const tenants = [...new Set(batches.map(({ to }) => to.tenantId))].join(',');
  const counts = Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length]));
  const text = (name: RowList): string | null => (lists[name] ? JSON.stringify(lists[name]) : null);
  return [tenants, JSON.stringify(counts), ...ROW_LISTS.map(text)];
}

/** Phases whose key must not exist yet. */
const LOOKED_UP = new Set(['claim', 'whole', 'probe']);
const LIST_OF_PHASE = {
  claim: 'keyClaims',
  whole: 'keyClaims',
  end: 'keyCompletions',
  release: 'keyReleases',
  probe: undefined,
} as const;

function addBatch(add: Add, batch: FinalizedBatch): void {
  const { changes, entries, keys } = batch;
  add('fences', {
    epoch: batch.epoch,
    old: batch.oldSeq,
    seq: batch.newSeq,
    before: batch.oldHead,
    headHash: batch.head,
    committedAt: entries.at(-1)?.at,
    businessDate: batch.today,
    rateVersion: batch.rateVersion,
  });
  for (const { phase, ...key } of keys) {
    if (LOOKED_UP.has(phase)) add('keyLookups', key);
    const list = LIST_OF_PHASE[phase];
    if (list) add(list, key);
  }
  for (const entry of entries) add('journal', entry);
  for (const { seq, at, entity, facts } of entries) if (facts.rates) add('rateChanges', { id: entity, seq, at });
  addBookings(add, changes);
  for (const cell of changes.cells) add('cells', { ...cell, toldAt: cell.told?.at, toldSeq: cell.told?.seq });
  for (const entry of changes.books) add('books', entry);
  for (const rate of changes.rates) add('baseRates', rate);
  addSetup(add, changes, batch.at);
  addSales(add, changes);
  addFrontDesk(add, changes);
}

function addBookings(add: Add, changes: Changes): void {
  // A guest without a new key is known: the row only checks that the guest was not erased meanwhile.
  for (const { guest, wrappedKey: wrapped } of changes.guests)
    add('guests', { id: guest.guestId, ...(wrapped && personalOf(guest)), wrapped });
  const created = new Set(changes.created);
  for (const reservation of changes.reservations)
    add(created.has(reservation.id) ? 'newReservations' : 'reservations', rowOfReservation(reservation));
  const currencies = new Map(changes.reservations.map(({ id, currency }) => [id, currency]));
  for (const { reservationId, payment } of changes.payments) {
    // A stay that was promised in another currency than its property's is paid in it.
    const currency = currencies.get(reservationId) ?? changes.currency!;
    const { by: paidOutBy, reference: paidOutReference } = payment.paidOut ?? {};
    const { chargeback, tendered, terminal, regains, partOf, isInstalment } = payment;
    const isMore = chargeback ?? tendered ?? terminal ?? regains ?? partOf ?? isInstalment;
    const details = isMore && { chargeback, tendered, terminal, regains, partOf, isInstalment };
    const { name: gatewayName, response: gatewayResponse } = payment.gateway ?? {};
    const paidOut = { paidOutBy, paidOutReference };
    const row = { ...payment, reservationId, currency, ...paidOut, details, gatewayName, gatewayResponse };
    add(created.has(payment.paymentId) ? 'newPayments' : 'payments', row);
  }
  for (const change of changes.history) add('history', change);
  for (const hold of changes.holds) add(created.has(hold.id) ? 'newHolds' : 'holds', { ...hold, doc: docOf(hold) });
  for (const id of changes.holdsRemoved) add('holdsRemoved', { id });
}

function addSetup(add: Add, changes: Changes, at: Instant): void {
  if (changes.property) add('properties', { ...changes.property, updatedAt: at });
  if (changes.propertyDeleted) add('propertiesDeleted', {});
  for (const type of changes.roomTypes) add('roomTypes', type);
  for (const roomType of changes.roomTypesRemoved) add('roomTypesRemoved', { roomType });
  for (const room of changes.rooms)
    add('rooms', { ...room, accessible: room.accessible ?? false, connectsTo: room.connectsTo ?? [] });
  for (const roomNumber of changes.roomsRemoved) add('roomsRemoved', { roomNumber });
  for (const plan of changes.plans) add('plans', { ...rowOfPlan(plan), currency: changes.currency! });
  for (const plan of changes.plansRemoved) add('plansRemoved', plan);
}

function addSales(add: Add, changes: Changes): void {
  for (const signal of changes.signals) add('signals', signal);
  for (const { restriction, ...night } of changes.restrictions)
    if (restriction) {
      const {
        closedToArrival = false,
        closedToDeparture = false,
        stopSell = false,
        rateLocked = false,
      } = restriction;
      add('restrictions', {
        ...night,
        ...restriction,
        closedToArrival,
        closedToDeparture,
        stopSell,
        rateLocked,
      });
    } else add('restrictionsRemoved', night);
  for (const { promotion, status, nights } of changes.promotions) {
    add('promotions', { ...rowOfPromotion(promotion), status });
    for (const night of nights) add('promotionNights', { ...night, promotionId: promotion.id });
  }
  for (const eventId of changes.calendarEventsRemoved) add('calendarEventsRemoved', { eventId });
  for (const event of changes.calendarEvents) add('calendarEvents', event);
  for (const { group, blocks, blocksRemoved } of changes.groups) {
    add('groups', group);
    for (const block of blocksRemoved) add('groupBlocksRemoved', { ...block, groupId: group.groupId });
    for (const block of blocks) add('groupBlocks', { ...block, groupId: group.groupId });
  }
}

function addFrontDesk(add: Add, changes: Changes): void {
  for (const stay of changes.roomStays)
    add('roomStays', {
      ...stay,
      roomNumber: stay.roomNumber!,
      inHouse: stay.status === 'CHECKED_IN',
      fixed: stay.fixed ?? false,
    });
  for (const reservationId of changes.roomStaysRemoved) add('roomStaysRemoved', { reservationId });
  for (const maintenance of changes.maintenances) add('maintenances', maintenance);
  for (const maintenanceId of changes.maintenancesRemoved) add('maintenancesRemoved', { maintenanceId });
  for (const entry of changes.waitlist) add('waitlist', rowOfWaiting(entry));
  for (const inquiry of changes.inquiries) add('inquiries', rowOfInquiry(inquiry));
  for (const postingId of changes.extraStaysRemoved) add('extraStaysRemoved', { postingId });
  for (const stay of changes.extraStays) add('extraStays', stay);
  for (const task of changes.housekeeping) add('housekeeping', task);
  for (const document of changes.documents) add('invoiceDocuments', document);
}

function rowOfWaiting({ stay, maxTotal, expiresAt, guest, offer, ...entry }: WaitlistEntry) {
  const { roomType, checkIn, checkOut } = stay;
  const details = { stay, maxTotal, expiresAt, guest, offer } satisfies AllMembers<WaitlistDocument>;
  return { ...entry, roomType, checkIn, checkOut, details };
}

function rowOfInquiry({ stay, quote, guest, notes, reservationId, ...inquiry }: Inquiry) {
  const { roomType, checkIn, checkOut } = stay;
  const details = { stay, quote, guest, notes, reservationId } satisfies AllMembers<InquiryDocument>;
  return { ...inquiry, roomType, checkIn, checkOut, details };
}

function personalOf(guest: Guest) {
  const { email, firstName, lastName, phone, language, preferences } = guest;
  const keys = guestKeys(guest);
  // An address that is not there is no key: each such guest has a profile.
  return {
    email,
    firstName,
    lastName,
    phone,
    language,
    preferences,
    ...keys,
    ...(email === '' && { emailKey: undefined }),
  };
}

function rowOfReservation(reservation: Reservation) {
  const { id, propertyId, stay, guest, nights, source, checkIn, checkOut, paid } = reservation;
  const { total, base, taxes, fees } = folioTotals(reservation);
  const { billing, timeline, cancellation, leaving, charges, givenBack, roomFixed, bookedRoomType } = reservation;
  const { routing, paymentWindows } = reservation;
  const { terms, guarantee, companyId, retained, deferred, basis, taxedBy } = reservation;
  const { endsTakenBack, unclaimed, posted, comp, companions, sharer, unmetWishes } = reservation;
  return {
    ...reservation,
    ...stay,
    id,
    p: propertyId,
    guestId: guest.guestId,
    nights: stay.checkOut - stay.checkIn,
    totalAmount: total,
    baseAmount: base,
    taxes,
    fees,
    paidAmount: paid,
    balanceDue: total - paid,
    source: source.channel,
    externalId: source.externalId,
    assignedRoom: reservation.roomNumber,
    checkedInAt: checkIn?.at,
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
      routing,
      paymentWindows,
      givenBack,
      roomFixed,
      bookedRoomType,
      terms,
      guarantee,
      companyId,
      retained,
      deferred,
      basis,
      taxedBy,
      endsTakenBack,
      unclaimed,
      posted,
      comp,
      companions,
      unmetWishes,
    },
    // Rows without a value are those of nodes that do not know the column: they leave it.
    roomWishes: reservation.roomWishes ?? [],
    sharerId: sharer?.guestId,
    sharer: sharer && { ...sharer, guestId: undefined },
    emailKey: guest.email === '' ? undefined : foldKey(guest.email),
    statusKey: statusKey(reservation.status),
  };
}

const writeReservation = rowWriter(RESERVATIONS_TABLE.columns);

/** A row of `reservations` with all columns, by their database names. */
export function reservationRow(tenantId: TenantId, reservation: Reservation): Row {
  return byColumn(RESERVATIONS_TABLE, writeReservation(rowOfReservation(reservation), { t: tenantId }));
}

function docOf({ booking, key, fromHold, card, terms, subject, lapsed, overdue }: Hold): HoldDocument {
  return { booking, key, fromHold, card, terms, subject, lapsed, overdue };
}

function rowOfPlan(plan: RatePlan) {
  const { id, code, name, status, strategy, baseRate, cancellationPolicy, validFrom, validTo, ...rules } = plan;
  return { id, code, name, status, strategy, baseRate, cancellationPolicy, validFrom, validTo, rules };
}

function rowOfPromotion(promotion: Promotion) {
  const { discount, validity, stayPeriod, conditions, inventory } = promotion;
  return {
    ...promotion,
    discountType: discount.type,
    discountValue: discount.type === 'FIXED_AMOUNT' ? discount.value : discount.value * 100,
    startDate: validity.start,
    endDate: validity.end,
    stayStartDate: stayPeriod?.start,
    stayEndDate: stayPeriod?.end,
    conditions: { ...conditions, blackoutDates: conditions.blackoutDates?.map(formatDay) },
    inventoryLimit: inventory.totalRooms,
    maxPerDay: inventory.maxPerDay,
  };
}
