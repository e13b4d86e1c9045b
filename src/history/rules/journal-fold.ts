import type { Day } from '../../kernel/rules/dates.ts';
import type { Facts } from '../../kernel/rules/journal.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { type GridSnapshot, PastGrid } from './past-grid.ts';

/** A journal row for folding: `facts` is still text, parsed when folded. */
export type JournalRow = {
  seq: number;
  at: Instant;
  type: string;
  subject: string;
  entity: string;
  facts: string;
};

/** One room type x night. */
export type CellPlace = { roomType: string; day: Day };

/** Change of a cell by one row; `before` or `after` is `undefined` when the cell did not exist. */
export type CellChange = Omit<JournalRow, 'facts'> & { before?: GridCell; after?: GridCell };

/** Rows to apply to a grid, and the cell whose changes are returned. */
export type Fold = { grid?: GridSnapshot; rows: readonly JournalRow[]; watched?: CellPlace };
export type Folded = { grid: GridSnapshot; changes: CellChange[] };

/**
 * Applies rows to a grid (docs/concepts/storage.md#history). Pure and CPU-heavy: runs in a worker thread.
 * @returns the grid after the last row, and every change of the watched cell, oldest first. A night that passes is no
 * change: it leaves the grid as it was.
 */
export function foldJournal({ grid: from, rows, watched }: Fold): Folded {
  const grid = new PastGrid(from);
  const look = (): GridCell | undefined => watched && grid.cells(watched.day, watched.day, watched.roomType)[0];
  const changes: CellChange[] = [];
  let before = look();
  for (const { facts: text, ...row } of rows) {
    const facts = JSON.parse(text) as Facts;
    grid.apply(row.at, facts);
    const after = look();
    const passed = before && !after && !facts.setup?.some(({ kind, after }) => kind === 'roomType' && after === null);
    if (!passed && !isSame(before, after)) changes.push({ ...row, before, after });
    before = after;
  }
  return { grid: grid.snapshot(), changes };
}

function isSame(a: GridCell | undefined, b: GridCell | undefined): boolean {
  if (!a || !b) return a === b;
  return (Object.keys(a) as (keyof GridCell)[]).every((field) => a[field] === b[field]);
}
