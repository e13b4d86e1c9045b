import type { CellChange } from '../../../../src/history/rules/journal-fold.ts';
import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type { GridCell } from '../../../../src/rates/rules/queries.ts';
import type * as answers from '../../../../src/revenue/contracts/availability-answers.ts';
import type { PickupReport } from '../../../../src/revenue/operations/read-pickup.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** One change of a cell. A cell that did not exist has no rooms and no rate. */
export function cellChange(
  { seq, at, type, entity, subject, before, after }: CellChange,
  names: ReadonlyMap<string, string>,
): AnswerOf<typeof answers.cellChangeAnswer> {
  const from = cellFields(before);
  const to = cellFields(after);
  const fields = Object.keys(to) as (keyof typeof to)[];
  const changed = fields.filter((field) => from[field] !== to[field]);
  const changes: Changes = Object.fromEntries(changed.map((field) => [field, { from: from[field], to: to[field] }]));
  return { seq, at, type, entity, by: subject, byName: names.get(subject) ?? null, ...to, changes };
}

/** Pickup by stay date and room type, by stay date, and in total. */
export function renderPickup(
  propertyId: PropertyId,
  days: number,
  report: PickupReport,
): AnswerOf<typeof answers.pickupAnswer> {
  return {
    propertyId,
    asOf: report.asOf,
    comparedTo: report.comparedTo,
    days,
    items: report.cells.map(({ day, roomType, ...rooms }) => ({ date: day, roomType, ...rooms })),
    dates: report.dates.map(({ day, ...rooms }) => ({ date: day, ...rooms })),
    total: report.total,
    seq: report.seq,
  };
}

type Changes = AnswerOf<typeof answers.cellChangeAnswer>['changes'];

function cellFields(
  cell: GridCell | undefined,
): Pick<AnswerOf<typeof answers.cellChangeAnswer>, keyof typeof answers.rooms | 'rate'> {
  return {
    totalRooms: cell?.total ?? 0,
    bookedRooms: cell?.booked ?? 0,
    heldRooms: cell?.held ?? 0,
    blockedRooms: cell?.blocked ?? 0,
    availableRooms: cell?.available ?? 0,
    rate: cell?.rate ?? null,
  };
}
