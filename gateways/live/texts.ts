import { formatDay } from '../../src/domain/dates.ts';
import type { CellFact, Facts, JournalEntry } from '../../src/domain/journal.ts';
import type { Room } from '../../src/domain/property.ts';
import type { GridCell } from '../../src/domain/queries.ts';
import { wireMoneyOrNull } from '../http/money.ts';
import type { RoomText } from './change.ts';

/** A cell as the item of a grid (contracts.md 9). */
export function cellText(cell: GridCell, currency: string): string {
  return JSON.stringify({
    roomType: cell.roomType,
    date: formatDay(cell.day),
    totalRooms: cell.total,
    bookedRooms: cell.booked,
    heldRooms: cell.held,
    blockedRooms: cell.blocked,
    availableRooms: cell.available,
    rate: wireMoneyOrNull(cell.rate),
    currency,
  });
}

export function cellOf([roomType, day, total, booked, held, blocked, available, rate]: CellFact): GridCell {
  return { roomType, day, total, booked, held, blocked, available, rate };
}

export function roomText({ roomNumber, roomType, status }: Room): string {
  return JSON.stringify({ roomNumber, roomType, status });
}

/** The rooms that an entry put. */
export function roomsOf(facts: Facts): RoomText[] {
  return (facts.setup ?? []).flatMap(({ kind, after }) =>
    kind === 'room' && isRoom(after) ? [{ roomNumber: after.roomNumber, text: roomText(after) }] : [],
  );
}

/**
 * Whether an entry changes what cells or rooms there are, not only their values, or takes a name out of the feed. Patches
 * cannot take anything away: after such an entry everybody gets a snapshot.
 */
export function reshapes({ type, facts }: Pick<JournalEntry, 'type' | 'facts'>): boolean {
  return (
    type === 'ERASE_GUEST' ||
    (facts.setup ?? []).some(({ kind, after }) => (kind === 'room' ? !isRoom(after) : kind !== 'inventory'))
  );
}

/** Facts come from our own journal: a room that was put is whole, one that was removed is null. */
function isRoom(after: unknown): after is Room {
  return typeof after === 'object' && after !== null && 'roomNumber' in after && 'status' in after;
}
