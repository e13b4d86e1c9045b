import type { CellChange } from '../../../../src/history/rules/journal-fold.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { GridCell } from '../../../../src/rates/rules/queries.ts';
import type { PickupReport } from '../../../../src/revenue/operations/read-pickup.ts';
import { wireMoneyOrNull } from '../../../http/money.ts';
import { iso } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/** One change of a cell. A cell that was not there, or is there no more, has no rooms and no rate. */
export function cellChange({ seq, at, type, entity, subject, before, after }: CellChange): Json {
  const [from, to] = [cellFields(before), cellFields(after)];
  const changes: Json = {};
  for (const field of Object.keys(to))
    if (from[field] !== to[field]) changes[field] = { from: wire(field, from[field]!), to: wire(field, to[field]!) };
  const shown = Object.fromEntries(Object.entries(to).map(([field, value]) => [field, wire(field, value)]));
  return { seq, at: iso(at), type, entity, by: subject, ...shown, changes };
}

/** Pickup by stay date and room type, by stay date, and in all. */
export function renderPickup(propertyId: string, days: number, report: PickupReport): Json {
  return {
    propertyId,
    asOf: iso(report.asOf),
    comparedTo: iso(report.comparedTo),
    days,
    items: report.cells.map(({ day, roomType, ...rooms }) => ({ date: formatDay(day), roomType, ...rooms })),
    dates: report.dates.map(({ day, ...rooms }) => ({ date: formatDay(day), ...rooms })),
    total: report.total,
    seq: report.seq,
  };
}

function cellFields(cell: GridCell | undefined): Record<string, number | null> {
  return {
    totalRooms: cell?.total ?? 0,
    bookedRooms: cell?.booked ?? 0,
    heldRooms: cell?.held ?? 0,
    blockedRooms: cell?.blocked ?? 0,
    availableRooms: cell?.available ?? 0,
    rate: cell?.rate ?? null,
  };
}

function wire(field: string, value: number | null): unknown {
  return field === 'rate' ? wireMoneyOrNull(value) : value;
}
