import { type BookingDetails, bookingDetails } from '../../src/domain/booking-details.ts';
import type { Command } from '../../src/domain/commands.ts';
import type { Facts } from '../../src/domain/journal.ts';
import type { Reservation } from '../../src/domain/reservation.ts';
import type { Draft } from './draft.ts';

type Fresh = ReadonlyMap<string, { before: Reservation | undefined; after: Reservation }>;

/**
 * What the journal adds to the bookings of a command for their events. A reservation that a command changes in two ways,
 * such as a change of dates after which it is paid, has it once.
 */
export function detailsOf(
  { property }: Pick<Draft, 'property'>,
  command: Command,
  { facts, entity }: { facts: Facts; entity: string },
  fresh: Fresh,
): Pick<Facts, 'details'> {
  if (!facts.bookings || !property) return {};
  const told = new Set<string>();
  const details = facts.bookings.map(([event, id]): BookingDetails | null => {
    const reservationId = id ?? entity;
    const change = fresh.get(reservationId);
    if (!change || told.has(reservationId)) return null;
    told.add(reservationId);
    const said = bookingDetails(event, change, property);
    const named = command.type === 'MODIFY' && reservationId === command.reservationId;
    return said && { ...said, ...(named && { modificationId: command.modificationId }) };
  });
  return details.some((one) => one !== null) ? { details } : {};
}
