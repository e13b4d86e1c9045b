import { canonical } from '../../../src/kernel/rules/canonical.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { BookingFact, Facts } from '../../../src/kernel/rules/journal.ts';
import { MAX_AMOUNT } from '../../../src/kernel/rules/money.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { IMPORTED } from '../../../src/money/rules/invoice.ts';
import { totals } from '../../../src/money/rules/night.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import type { ImportedOutcome, ImportedStay } from '../../../src/stay/rules/imported-stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { moveNights } from '../nights.ts';
import { checkUsable, roomNumbered } from '../rooms/assign-room.ts';
import { putReservation } from '../rooms/room-stays.ts';
import { saleWindow } from '../state.ts';
import { putGuest } from '../stay/booking.ts';
import { firstSoldOut } from '../stay/stay-rules.ts';
import { importedReservation } from './imported-reservation.ts';

/**
 * Stores reservations of another system, each for itself: one that is refused leaves no trace, and the others are
 * stored (docs/reference/import.md#reservations). Prices are those of the file and restrictions of plans do not
 * count, since all of them were sold before; free rooms of nights to come do (I1).
 */
export function decideImportReservations(
  draft: Draft,
  command: CommandOf<'IMPORT_RESERVATIONS'>,
  context: DecisionContext,
): Decision<'IMPORT_RESERVATIONS'> {
  readBefore(draft, command.stays);
  const facts: Stored = { bookings: [], setup: [] };
  const outcomes = command.stays.map((stay): ImportedOutcome => {
    const { reservationId } = stay;
    try {
      storeOne(draft, stay, { command, context }, facts);
      return { reservationId, version: draft.reservations.get(reservationId)!.version };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { reservationId, refused: { code: error.code, detail: error.message } };
    }
  });
  const { bookings, setup } = facts;
  const entity = command.importId;
  if (bookings.length === 0) return { result: { outcomes }, entity, facts: {}, dryRun: true };
  return { result: { outcomes }, entity, facts: { bookings, ...(setup.length > 0 && { setup }) } };
}

/** Facts of the reservations that are stored. */
type Stored = { bookings: BookingFact[]; setup: NonNullable<Facts['setup']> };
type Importing = { command: CommandOf<'IMPORT_RESERVATIONS'>; context: DecisionContext };

/** Has all reservations that are replaced read at once. */
function readBefore(draft: Draft, stays: readonly ImportedStay[]): void {
  const missing = stays.filter(
    ({ reservationId, ifVersion }) => ifVersion !== undefined && !draft.reservations.get(reservationId),
  );
  for (const { reservationId } of missing) draft.missing.add(reservationId);
  if (missing.length > 0)
    throw new DomainError('NOT_EXECUTED', 'Reservations had to be read first.', { retryAfterSeconds: 1 });
}

/** @throws DomainError of one that cannot be stored, with the draft as it was */
function storeOne(draft: Draft, imported: ImportedStay, { command, context }: Importing, facts: Stored): void {
  const before = draft.reservations.get(imported.reservationId);
  // Sent again after an unknown outcome.
  if (before && imported.ifVersion === undefined) return;
  const next = importedReservation(draft, imported, before, context);
  if (before && isImportedAgain(before, imported) && contentOf(before) === contentOf(next)) return;
  if (before) checkReplaced(before, imported);
  checkStatus(draft, next);
  checkMoney(next);
  const given = givenBack(draft, before);
  const room = roomOf(draft, next, before);
  if (!command.overbook) checkFree(draft, next, given);
  store(draft, imported, { before, next, room }, context);
  facts.bookings.push(factOf(before ? 'MODIFIED' : 'CREATED', next, command.importId));
  if (room && next.status === 'CHECKED_IN') {
    const after: Room = { ...room, status: 'OCCUPIED', reservationId: next.id, updatedAt: context.now };
    draft.putRoom(after);
    facts.setup.push({ kind: 'room', id: room.roomNumber, before: room, after });
  }
}

/**
 * Whether an import made the one change since the version that its record has: the service ended between the commit and
 * the record. Any other change has a later time than the entry of the import.
 */
function isImportedAgain({ version, timeline, updatedAt }: Reservation, { ifVersion }: ImportedStay): boolean {
  const last = timeline.at(-1);
  return version - 1 === ifVersion && last?.event === IMPORTED && last.timestamp === updatedAt;
}

/** What a line says of a reservation; moments that a file leaves out are those of each import. */
function contentOf(of: Reservation): string {
  const { status, stay, nights, roomNumber = null, source, specialRequests, cancellation } = of;
  const payments = of.payments.map(({ paymentId, type, amount, method }) => ({ paymentId, type, amount, method }));
  const retained = cancellation?.penalty ?? null;
  return canonical({ status, stay, nights, roomNumber, source, specialRequests, retained, payments });
}

/** @throws DomainError STALE_VERSION, INVALID_STATE */
function checkReplaced(before: Reservation, imported: ImportedStay): void {
  const { ifVersion, payments } = imported;
  if (before.version !== ifVersion && !isImportedAgain(before, imported))
    throw new DomainError('STALE_VERSION', 'It was changed here since it was imported.');
  if (before.status === 'CHECKED_IN') throw new DomainError('INVALID_STATE', 'The guest is in house here.');
  const known = new Map(payments.map(({ paymentId, amount }) => [paymentId, amount]));
  if (before.payments.some(({ paymentId, amount }) => known.get(paymentId) !== amount))
    throw new DomainError('INVALID_STATE', 'A payment that was imported before is missing, or has another amount.');
}

/** @throws DomainError UNKNOWN_ROOM_TYPE, VALIDATION_FAILED where the state does not fit the dates */
function checkStatus(draft: Draft, { status, stay, roomNumber }: Reservation): void {
  const { checkIn, checkOut, roomType, rateCode } = stay;
  const { today } = draft;
  const refuse = (detail: string): never => {
    throw new DomainError('VALIDATION_FAILED', detail);
  };
  if (!draft.roomTypes.has(roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
  if (!draft.plans.has(rateCode)) refuse(`The property has no rate plan ${rateCode}.`);
  const { lastNight } = saleWindow(draft);
  if (countsAsSold(status) && checkOut - 1 > lastNight) refuse(`The last night on sale is ${formatDay(lastNight)}.`);
  if (status === 'PENDING' && checkIn < today) refuse('A PENDING reservation arrives today or later.');
  if (status === 'CONFIRMED' && checkOut <= today)
    refuse('Its nights are over: it is CHECKED_OUT, NO_SHOW or CANCELLED.');
  if (status === 'CHECKED_IN' && (checkIn > today || checkOut < today))
    refuse('A guest in house has arrived, and has not left.');
  if (status === 'CHECKED_IN' && roomNumber === undefined) refuse('A guest in house has a roomNumber.');
  if (status === 'CHECKED_OUT' && checkIn > today) refuse('A guest who has left had arrived.');
  if (status === 'NO_SHOW' && checkIn > today) refuse('A no-show was expected before.');
}

/** @throws DomainError VALIDATION_FAILED */
function checkMoney(next: Reservation): void {
  const { total } = totals(next.nights);
  if (next.paid < 0) throw new DomainError('VALIDATION_FAILED', 'More was refunded than was paid.');
  if (Math.max(total, next.paid, folioTotals(next).total) > MAX_AMOUNT)
    throw new DomainError('VALIDATION_FAILED', 'It costs more than an amount can store.');
}

const countsAsSold = (status: Reservation['status']): boolean =>
  status === 'PENDING' || status === 'CONFIRMED' || status === 'CHECKED_IN';

/** Nights on which a reservation counts as sold; nothing for one that is over. */
function soldNights(draft: Draft, reservation: Reservation | undefined): { from: Day; to: Day } | undefined {
  if (!reservation || !countsAsSold(reservation.status)) return undefined;
  return { from: Math.max(draft.today, reservation.stay.checkIn), to: reservation.stay.checkOut };
}

/** Nights and type that a replaced reservation gives back. */
function givenBack(draft: Draft, before: Reservation | undefined): (roomType: string, day: Day) => number {
  const sold = soldNights(draft, before);
  return (roomType, day) => (sold && before?.stay.roomType === roomType && day >= sold.from && day < sold.to ? 1 : 0);
}

/** @throws DomainError ROOM_NOT_AVAILABLE with the first night that is sold out */
function checkFree(draft: Draft, next: Reservation, given: (roomType: string, day: Day) => number): void {
  const sold = soldNights(draft, next);
  if (!sold) return;
  const { roomType } = next.stay;
  const slab = draft.slab(roomType)!;
  for (let day = sold.from; day < sold.to; day++) {
    const soldOut = firstSoldOut(slab, draft.property!.metadata.policies, day, day + 1, 1 - given(roomType, day));
    if (soldOut === undefined) continue;
    const date = formatDay(day);
    throw new DomainError('ROOM_NOT_AVAILABLE', `${roomType} is sold out on ${date}.`, { date });
  }
}

/** The room of a stay that is not over. @throws DomainError ROOM_NOT_FOUND, WRONG_ROOM_TYPE, ROOM_TAKEN */
function roomOf(draft: Draft, next: Reservation, before: Reservation | undefined): Room | undefined {
  const { status, roomNumber, stay } = next;
  if (roomNumber === undefined || (status !== 'CONFIRMED' && status !== 'CHECKED_IN')) return undefined;
  const room = roomNumbered(draft, roomNumber);
  if (room.roomType !== stay.roomType)
    throw new DomainError('WRONG_ROOM_TYPE', `Room ${roomNumber} is a ${room.roomType}.`);
  checkUsable(draft, { ...next, status: 'CONFIRMED' }, room);
  const isOthers = room.reservationId !== undefined && room.reservationId !== before?.id;
  if (status === 'CHECKED_IN' && isOthers) throw new DomainError('ROOM_TAKEN', 'Another guest is in the room.');
  return room;
}

type Change = { before: Reservation | undefined; next: Reservation; room: Room | undefined };

function store(draft: Draft, imported: ImportedStay, { before, next }: Change, context: DecisionContext): void {
  count(draft, before, -1);
  count(draft, next, 1);
  putGuest(draft, imported.guest, imported.wrappedKey);
  putReservation(draft, next);
  if (!before) draft.created.add(next.id);
  const known = new Set(before?.payments.map(({ paymentId }) => paymentId));
  for (const payment of next.payments) {
    if (known.has(payment.paymentId)) continue;
    draft.created.add(payment.paymentId);
    draft.payments.set(payment.paymentId, { reservationId: next.id, payment });
  }
  if (before?.status === next.status) return;
  const { now: at, subject: by } = context;
  draft.history.push({
    reservationId: next.id,
    from: before?.status ?? null,
    to: next.status,
    at: before ? at : next.createdAt,
    by,
    reason: 'IMPORTED',
  });
}

/** Counts the nights of a stay that is not over; what was sold before is no pickup of today. */
function count(draft: Draft, reservation: Reservation | undefined, rooms: 1 | -1): void {
  const sold = soldNights(draft, reservation);
  if (!reservation || !sold) return;
  const { from, to } = sold;
  draft.unfinished += rooms;
  moveNights(draft, { ...reservation.stay, checkIn: from }, 'booked', rooms);
  const slab = draft.slab(reservation.stay.roomType);
  for (let day = from; day < to; day++) if (slab?.has(day)) draft.enter({ day, pickup: -rooms });
}
