import type { Change } from '../../kernel/rules/commands/stay.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { departureOf, nightsOfStay } from '../../kernel/rules/stay-days.ts';
import type { RoutingRule } from '../../money/rules/folio-window.ts';
import { folioTotals, paymentStatus } from '../../money/rules/folio.ts';
import { partyOf } from '../../rates/rules/stay.ts';
import type { Reservation } from './reservation.ts';

/**
 * Changed leaves of a reservation as shown to the buyer, derived ones included (docs/reference/reservations.md#change).
 */
export function changesOf(before: Reservation, next: Reservation): Record<string, Change> {
  return differing(leavesOf(before), leavesOf(next));
}

/**
 * Leaves that change as a consequence rather than by a request; events have them beside {@link changesOf}
 * (docs/reference/events.md#topics).
 */
export function movesOf(before: Reservation, next: Reservation): Record<string, Change> {
  return differing(stateLeavesOf(before), stateLeavesOf(next));
}

type Leaves = Record<string, unknown>;

function differing(from: Leaves, to: Leaves): Record<string, Change> {
  const changes: Record<string, Change> = {};
  for (const name of Object.keys({ ...from, ...to }))
    if (JSON.stringify(from[name]) !== JSON.stringify(to[name])) changes[name] = { from: from[name], to: to[name] };
  return changes;
}

function leavesOf(reservation: Reservation): Leaves {
  const { stay, guest } = reservation;
  const { firstName, lastName, email, phone, language, preferences } = guest;
  const { roomType: preferredRoomType, ...wishes } = preferences ?? {};
  const { checkIn, roomType, rateCode } = stay;
  return {
    checkIn: formatDay(checkIn),
    checkOut: formatDay(departureOf(stay)),
    nights: nightsOfStay(stay),
    ...partyOf(stay),
    roomType,
    rateCode,
    totalAmount: folioTotals(reservation).total,
    firstName,
    lastName,
    email,
    phone,
    language,
    ...wishes,
    preferredRoomType,
    specialRequests: reservation.specialRequests,
    roomWishes: reservation.roomWishes,
    sharer: reservation.sharer?.guestId,
  };
}

function stateLeavesOf(reservation: Reservation): Leaves {
  const { status, roomNumber, paid: paidAmount, charges = [], routing = [] } = reservation;
  const { total: totalAmount } = folioTotals(reservation);
  const money = { totalAmount, paidAmount, paymentStatus: paymentStatus(reservation) };
  const posting = charges.findLast(({ id }) => id !== undefined)?.id;
  const windows = routing.map(routed).join(', ');
  return { status, roomNumber, ...money, posting, routing: windows || undefined };
}

const routed = ({ kind, window, percent }: RoutingRule): string =>
  percent === undefined ? `${kind} ${window}` : `${kind} ${window} ${percent}`;
