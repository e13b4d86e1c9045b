import type { Booking } from '../kernel/rules/journal.ts';
import type { AllMembers } from '../kernel/rules/members.ts';
import type { GridCell } from '../rates/rules/queries.ts';
import type { Restriction } from '../rates/rules/restriction.ts';
import { amountNo, dayNo, momentNo } from './members.ts';

/** Values of which every member is filled in, for tests that follow members to more than one reader. */
export const BOOKING: AllMembers<Booking> = {
  event: 'HELD',
  reservationId: 'r-1',
  confirmationNumber: 'ABC',
  guestId: 'g-1',
  roomType: 'DLX',
  checkIn: dayNo(1),
  checkOut: dayNo(4),
  guests: 2,
  total: amountNo(1),
  paid: amountNo(2),
  status: 'CONFIRMED',
  channel: 'OTA',
  heldUntil: momentNo(1),
};

export const CELL: AllMembers<GridCell> = {
  roomType: 'DLX',
  day: dayNo(1),
  total: 20,
  booked: 1,
  held: 2,
  blocked: 3,
  available: 14,
  rate: amountNo(1),
};

export const RESTRICTION: AllMembers<Restriction> = {
  minStayArrival: 1,
  maxStayArrival: 2,
  minStayThrough: 3,
  maxStayThrough: 4,
  minAdvance: 5,
  maxAdvance: 6,
  closedToArrival: false,
  closedToDeparture: false,
  stopSell: false,
  rateLocked: false,
};
