import type { PastRoom } from '../../src/history/rules/past-grid.ts';
import { wireMoney, wireMoneyOrNull } from '../../src/kernel/contracts/wire-money.ts';
import { formatDay } from '../../src/kernel/rules/dates.ts';
import type { CellFact, Facts, JournalEntry, SetupKind } from '../../src/kernel/rules/journal.ts';
import type { Room } from '../../src/properties/rules/property.ts';
import { marketNight, type MarketNight } from '../../src/rates/rules/competitor-rate.ts';
import type { GridCell } from '../../src/rates/rules/queries.ts';
import { averageDailyRate, occupancyRate, revenuePerAvailableRoom } from '../../src/revenue/rules/key-figures.ts';
import type { OtbEntry } from '../../src/stay/rules/otb-entry.ts';
import type { CellText, DayTexts, RoomText } from './change.ts';

/** A cell as the item of a grid (docs/reference/live-protocol.md#patches). */
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

export function cellFrame([roomType, day, total, booked, held, blocked, available, rate]: CellFact): GridCell {
  return { roomType, day, total, booked, held, blocked, available, rate };
}

/** Figures of a night over all room types (`kpi`); amounts only for roles with access. */
export function kpiTexts(rooms: { total: number; booked: number }, book: OtbEntry): DayTexts['texts'] {
  const { total, booked } = rooms;
  const { day, revenue, pickup, cancelled } = book;
  const moved = { pickupToday: pickup, cancellationsToday: cancelled };
  const sold = { date: formatDay(day), roomsSold: booked, roomsAvailable: total };
  const night = { ...sold, occupancyRate: occupancyRate(booked, total) };
  const amounts = {
    adr: wireMoneyOrNull(averageDailyRate(revenue, booked)),
    revPar: wireMoney(revenuePerAvailableRoom(revenue, total)),
  };
  const plain = JSON.stringify({ ...night, ...moved });
  return { viewer: plain, staff: plain, manager: JSON.stringify({ ...night, ...amounts, ...moved }) };
}

/** A night of the market as the item of `competitors`. */
export function marketText({ roomType, day, median, low, high, count, observedAt }: MarketNight): CellText {
  const amounts = { median: wireMoney(median), low: wireMoney(low), high: wireMoney(high) };
  return { roomType, day, text: JSON.stringify({ date: formatDay(day), roomType, ...amounts, count, observedAt }) };
}

/** Market of an entry; nights without rates have a count of 0. */
export function marketOf({ market }: Facts): MarketNight[] {
  return (market ?? []).map(marketNight);
}

/** A room as the item of `rooms`, with its guest while there is one. */
export function roomText({ roomNumber, roomType, status, reservationId }: PastRoom): string {
  return JSON.stringify({ roomNumber, roomType, status, reservationId });
}

/** Rooms that an entry changed. */
export function roomsOf(facts: Facts): RoomText[] {
  return (facts.setup ?? []).flatMap(({ kind, after }) =>
    kind === 'room' && isRoom(after) ? [{ roomNumber: after.roomNumber, text: roomText(after) }] : [],
  );
}

/** Set-up that changes values of cells alone, or nothing that is shown. */
const CHANGES_CELLS: ReadonlySet<SetupKind> = new Set([
  'inventory',
  'maintenance',
  'housekeepingTask',
  'waitlist',
  'inquiry',
  'extraStay',
  'calendarEvent',
  'note',
  'mail',
]);

/**
 * Whether an entry changes which cells or rooms exist, not only their values, or removes a name from the feed. Patches
 * cannot remove anything: such an entry is followed by snapshots.
 */
export function reshapes({ type, facts }: Pick<JournalEntry, 'type' | 'facts'>): boolean {
  return (
    type === 'ERASE_GUEST' ||
    marketOf(facts).some(({ count }) => count === 0) ||
    (facts.setup ?? []).some(({ kind, after }) => (kind === 'room' ? !isRoom(after) : !CHANGES_CELLS.has(kind)))
  );
}

/** Facts come from the own journal: a changed room is complete, a removed one is null. */
function isRoom(after: unknown): after is Room {
  return typeof after === 'object' && after !== null && 'roomNumber' in after && 'status' in after;
}
