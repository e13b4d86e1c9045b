import type { Test } from 'tap';

import { type BlackboxProperty, must } from './property.ts';
import type { Audit, Reservation } from './shapes.ts';

/** Statuses that hold rooms, and as what the cell counts them. */
const HOLDING: Record<string, 'bookedRooms' | 'heldRooms'> = {
  PENDING: 'heldRooms',
  CONFIRMED: 'bookedRooms',
  CHECKED_IN: 'bookedRooms',
};

/**
 * Availability of some nights must be what the property's own reservations add up to, and the service's own audit must
 * find nothing. Nothing may be booking meanwhile.
 */
export async function addsUp(t: Test, property: BlackboxProperty, from: number, nights: number): Promise<void> {
  const reservations = await property.reservations();
  const wrong: string[] = [];
  for (const cell of await property.cells(from, nights)) {
    const count = (how: 'bookedRooms' | 'heldRooms') => reservations.filter((one) => holds(one, how, cell)).length;
    const booked = count('bookedRooms');
    const held = count('heldRooms');
    const left = Math.max(0, cell.totalRooms - booked - held - cell.blockedRooms);
    if (cell.bookedRooms === booked && cell.heldRooms === held && cell.availableRooms === left) continue;
    wrong.push(`${JSON.stringify(cell)}: recomputed ${booked} booked, ${held} held, ${left} left`);
  }
  t.same(wrong, [], 'availability is what the reservations add up to');
  await auditIsClean(t, property);
}

/**
 * The service's own audit finds nothing: memory, stored cells, and what reservations and holds add up to.
 * @param checksMoney false for release 0.1.0, whose audit does not look at money
 */
export async function auditIsClean(t: Test, property: BlackboxProperty, checksMoney = true): Promise<void> {
  const url = `${property.service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
  const audit = must(await property.service.call<Audit>('GET', url), 200).json;
  t.same(audit.violations, [], 'the audit finds nothing');
  t.ok(audit.cellsChecked > 0, 'the audit looked');
  if (checksMoney) t.same(audit.money.violations, [], 'money adds up');
}

function holds(one: Reservation, how: string, cell: { roomType: string; date: string }): boolean {
  const { roomType, checkIn, checkOut } = one.stayDetails;
  const covers = roomType === cell.roomType && checkIn <= cell.date && cell.date < checkOut;
  return covers && HOLDING[one.status] === how;
}
