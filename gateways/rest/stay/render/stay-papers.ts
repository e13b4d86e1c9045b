import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { CommandResults } from '../../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import { type IssuedTo, invoiceOf, issuedTo } from '../../../../src/money/rules/invoice.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import type { PropertyConflict, RoomNow } from '../../../../src/rooms/operations/read-rooms.ts';
import type { HousekeepingTask } from '../../../../src/rooms/ports.ts';
import type { StatusChange } from '../../../../src/stay/ports.ts';
import { verificationOf } from '../../../../src/stay/rules/guest-verification.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { may } from '../../../auth/permissions.ts';
import { maskName } from '../../../http/masks.ts';
import { wireMoney } from '../../../http/money.ts';
import { pageText } from '../../page.ts';
import { billingAddressOf, iso, isoOrNull, paymentOf, timelineOf } from './reservation.ts';

type Json = Record<string, unknown>;
type Viewed = Pick<Caller, 'role'>;

export function assignedRoom({
  reservation,
  room,
  upgraded,
  previousRoomNumber,
}: CommandResults['ASSIGN_ROOM']): Json {
  const { roomNumber, roomType } = room;
  const assignedAt = isoOrNull(reservation.assignedAt);
  const previous = { previousRoomNumber: previousRoomNumber ?? null };
  return { reservationId: reservation.id, roomNumber, roomType, assignedAt, upgraded, ...previous };
}

export function conflict({ day, ...conflict }: PropertyConflict): Json {
  return { ...conflict, date: formatDay(day) };
}

export function roomNow({ propertyId, room, nextArrival }: RoomNow): Json {
  const { roomNumber, roomType, floor, status, reservationId, updatedAt } = room;
  return {
    propertyId,
    roomNumber,
    roomType,
    floor,
    status,
    ...(reservationId !== undefined && { reservationId }),
    ...(nextArrival !== undefined && { nextArrival: formatDay(nextArrival) }),
    updatedAt: iso(updatedAt),
  };
}

export function verification(reservation: Reservation): Json {
  const { status, method, verifiedAt, verifiedBy } = verificationOf(reservation);
  const { id, guest } = reservation;
  const who = { reservationId: id, guestId: guest.guestId };
  return { ...who, status, method, verifiedAt: isoOrNull(verifiedAt), verifiedBy };
}

export function reservationHistory({ id, status, timeline }: Reservation, changes: readonly StatusChange[]): Json {
  return {
    reservationId: id,
    status,
    items: timeline.map((entry) => ({ ...timelineOf(entry), by: entry.by })),
    statusHistory: changes.map(({ from, to, at, by, reason }) => ({
      oldStatus: from,
      newStatus: to,
      changedAt: iso(at),
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
): Json {
  const { number, lines, ...made } = invoiceOf(reservation);
  const { name } = to;
  const isMasked = !may(caller, 'contact.read');
  return {
    invoiceNumber: number,
    status: made.status,
    reservationId: reservation.id,
    confirmationNumber: reservation.confirmationNumber,
    issuedAt: isoOrNull(made.issuedAt),
    issuedBy: { propertyId: property.propertyId, propertyName: property.name, address: property.address ?? null },
    issuedTo: {
      name: isMasked ? maskName(name) : name,
      address: billingAddressOf({ billing: { address: to.address ?? undefined } }, caller),
    },
    currency: reservation.currency,
    items: lines.map(({ day, description, amount, taxes, code }) => ({
      date: formatDay(day),
      description,
      amount: wireMoney(amount),
      taxes: wireMoney(taxes),
      code: code ?? null,
    })),
    subtotal: wireMoney(made.subtotal),
    taxes: wireMoney(made.taxes),
    fees: wireMoney(made.fees),
    totalAmount: wireMoney(made.total),
    paidAmount: wireMoney(made.paid),
    refundedAmount: wireMoney(made.refunded),
    balanceDue: wireMoney(made.balance),
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
${refunded > 0 ? row('Refunded', -refunded) : ''}${row('Balance', balance)}</table>`;
}

export function housekeepingTask({ createdAt, notes, ...task }: HousekeepingTask): Json {
  return { ...task, notes: notes ?? null, createdAt: iso(createdAt) };
}
