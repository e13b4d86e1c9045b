import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import { negated } from '../../../../src/kernel/rules/money.ts';
import { type IssuedTo, invoiceOf, issuedTo } from '../../../../src/money/rules/invoice.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import type { PropertyConflict, RoomNow } from '../../../../src/rooms/operations/read-rooms.ts';
import type { HousekeepingTask } from '../../../../src/rooms/ports.ts';
import type * as answers from '../../../../src/stay/contracts/stay-papers.ts';
import type { StatusChange } from '../../../../src/stay/ports.ts';
import { verificationOf } from '../../../../src/stay/rules/guest-verification.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { may } from '../../../auth/permissions.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { mask, maskName } from '../../../http/masks.ts';
import { pageText } from '../../page.ts';
import { billingAddressOf, paymentOf, timelineOf } from './reservation.ts';

type Viewed = Pick<Caller, 'role'>;

export function assignedRoom({
  reservation,
  room,
  upgraded,
  previousRoomNumber,
}: CommandResults['ASSIGN_ROOM']): AnswerOf<typeof answers.assignedRoomAnswer> {
  const { roomNumber, roomType } = room;
  const assignedAt = reservation.assignedAt!;
  const previous = { previousRoomNumber: previousRoomNumber ?? null };
  return { reservationId: reservation.id, roomNumber, roomType, assignedAt, upgraded, ...previous };
}

export function conflict({ day, ...conflict }: PropertyConflict): AnswerOf<typeof answers.conflictAnswer> {
  return { ...conflict, date: day };
}

export function roomNow({ propertyId, room, nextArrival }: RoomNow): AnswerOf<typeof answers.roomNowAnswer> {
  const { roomNumber, roomType, floor, status, reservationId, updatedAt } = room;
  return {
    propertyId,
    roomNumber,
    roomType,
    floor,
    status,
    ...(reservationId !== undefined && { reservationId }),
    ...(nextArrival !== undefined && { nextArrival }),
    updatedAt,
  };
}

export function verification(reservation: Reservation): AnswerOf<typeof answers.verificationAnswer> {
  const { status, method, verifiedAt, verifiedBy } = verificationOf(reservation);
  const { id, guest } = reservation;
  const who = { reservationId: id, guestId: guest.guestId };
  return { ...who, status, method, verifiedAt: verifiedAt ?? null, verifiedBy };
}

export function reservationHistory(
  { id, status, timeline }: Reservation,
  changes: readonly StatusChange[],
): AnswerOf<typeof answers.reservationHistoryAnswer> {
  return {
    reservationId: id,
    status,
    items: timeline.map((entry) => ({ ...timelineOf(entry), by: entry.by })),
    statusHistory: changes.map(({ from, to, at, by, reason }) => ({
      oldStatus: from,
      newStatus: to,
      changedAt: at,
      changedBy: by,
      reason: reason ?? null,
    })),
  };
}

/**
 * @param to whom it was issued, where the reservation does not say so any more
 * @param receiptUrl of the page that the guest may open without signing in; a VIEWER does not get it
 */
export function invoice(
  { reservation, to = issuedTo(reservation) }: { reservation: Reservation; to?: IssuedTo },
  property: Property,
  caller: Viewed,
  receiptUrl: string,
): AnswerOf<typeof answers.invoiceAnswer> {
  const { number, lines, ...made } = invoiceOf(reservation);
  const { name } = to;
  const isMasked = !may(caller, 'contact.read');
  return {
    invoiceNumber: number,
    status: made.status,
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    issuedAt: made.issuedAt ?? null,
    issuedBy: { propertyId: property.propertyId, propertyName: property.name, address: property.address ?? null },
    issuedTo: {
      name: isMasked ? maskName(name) : name,
      address: billingAddressOf({ billing: { address: to.address ?? undefined } }, caller),
    },
    currency: reservation.currency,
    items: lines.map(({ day, description, amount, taxes, code }) => ({
      date: day,
      // What is typed may name somebody.
      description: isMasked && code === undefined ? mask(description) : description,
      amount,
      taxes,
      code: code ?? null,
    })),
    subtotal: made.subtotal,
    taxes: made.taxes,
    fees: made.fees,
    totalAmount: made.total,
    paidAmount: made.paid,
    refundedAmount: made.refunded,
    balanceDue: made.balance,
    payments: reservation.payments.map(paymentOf),
    receiptUrl: isMasked ? null : receiptUrl,
  };
}

/** The receipt as a page, for whoever was given its address. */
export function receipt(reservation: Reservation, property: Property): string {
  const { number, status, lines, taxes, total, paid, refunded, balance } = invoiceOf(reservation);
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: reservation.currency });
  const amount = (minor: number): string => pageText(money.format(minor / 100));
  const row = (words: string, minor: number): string =>
    `<tr><td>${pageText(words)}</td><td>${amount(minor)}</td></tr>`;
  const rows = lines.map(({ day, description, amount: of }) => row(`${formatDay(day)} ${description}`, of));
  const { address } = property;
  const where = address ? `${address.addressLine1}, ${address.zipCode} ${address.city}, ${address.country}` : '';
  const { guest, stay, confirmationNumber } = reservation;
  return `<h1>${pageText(property.name)}</h1><p>${pageText(where)}</p>
<h2>${status === 'ISSUED' ? 'Receipt' : 'Not yet final'}: ${pageText(number)}</h2>
<p>${pageText(`${guest.firstName} ${guest.lastName}`)}, ${formatDay(stay.checkIn)} to ${formatDay(stay.checkOut)},
confirmation ${pageText(confirmationNumber)}</p>
<table>${rows.join('')}${row('Taxes', taxes)}${row('Total', total)}${row('Paid', paid + refunded)}
${refunded > 0 ? row('Refunded', negated(refunded)) : ''}${row('Balance', balance)}</table>`;
}

export function housekeepingTask({
  createdAt,
  notes,
  ...task
}: HousekeepingTask): AnswerOf<typeof answers.housekeepingTaskAnswer> {
  return { ...task, notes: notes ?? null, createdAt };
}
