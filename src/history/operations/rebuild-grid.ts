import type { Services } from '../../kernel/operations/services.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ArchivedJournal, Checkpoint, JournalPosition } from '../ports.ts';
import type { CellChange, CellPlace, JournalRow } from '../rules/journal-fold.ts';
import type { GridSnapshot } from '../rules/past-grid.ts';

/** Rows after a checkpoint that one request may fold: sixteen times the distance of checkpoints. */
const MAX_ROWS = 65_536;

/** A past state of a property: the grid after the row `seq`, which was decided at `at`. */
export type Rebuilt = JournalPosition & { grid: GridSnapshot };

/** Start of a fold: a checkpoint, or `undefined` before the first row. */
type Start = Pick<Checkpoint, 'seq' | 'grid'> | undefined;

/**
 * Rebuilds the grid at an instant (docs/concepts/storage.md#history) from the newest checkpoint by then and the rows
 * after it. A very recent instant may still gain rows whose commit is in progress.
 * @returns `undefined` for an instant before the property was created
 * @throws DomainError INSUFFICIENT_DATA for an instant before the retained journal
 */
export async function gridAt(
  services: Pick<Services, 'computer'>,
  journal: ArchivedJournal,
  at: Instant,
): Promise<Rebuilt | undefined> {
  const start = await journal.checkpointAt(at);
  const position = await journal.positionAt(at, start);
  if (position) return { ...position, grid: await gridAfter(services, journal, start, position.seq) };
  if (journal.whole) return undefined;
  throw beforeTheJournal();
}

/** @throws DomainError VALIDATION_FAILED for an instant in the future */
export function mustHaveCome({ clock }: Pick<Services, 'clock'>, asOf: Instant): void {
  if (asOf <= clock.now()) return;
  const errors = [{ parameter: 'asOf', code: 'IN_THE_FUTURE', detail: 'is in the future' }];
  throw new DomainError('VALIDATION_FAILED', 'The instant has not come yet.', { errors });
}

/** The grid after the row `to`, from `start` on. @throws DomainError INSUFFICIENT_DATA when rows have been dropped */
export async function gridAfter(
  services: Pick<Services, 'computer'>,
  journal: ArchivedJournal,
  start: Start,
  to: number,
): Promise<GridSnapshot> {
  let last = start?.seq ?? 0;
  mayFold(to - last);
  let grid = start?.grid;
  for await (const rows of journal.rows(last, to)) {
    if (!follow(rows, last)) {
      if (last === 0) throw beforeTheJournal();
      throw new Error(`rows of the journal are missing behind ${last}`);
    }
    ({ grid } = await services.computer.run('foldJournal', { grid, rows }));
    last = rows.at(-1)!.seq;
  }
  if (last !== to) throw new Error(`the journal ends at ${last}, before ${to}`);
  return grid!;
}

/** Changes of a cell by rows from `start` to `to`, oldest first; at most the newest `most`. */
export async function cellChangesOf(
  services: Pick<Services, 'computer'>,
  journal: ArchivedJournal,
  { start, to, watched, most }: { start: Start; to: number; watched: CellPlace; most: number },
): Promise<CellChange[]> {
  mayFold(to - (start?.seq ?? 0));
  let grid = start?.grid;
  let changes: CellChange[] = [];
  for await (const rows of journal.rows(start?.seq ?? 0, to, watched)) {
    if (!grid && rows[0]!.seq !== 1) throw beforeTheJournal();
    const folded = await services.computer.run('foldJournal', { grid, rows, watched });
    grid = folded.grid;
    changes = [...changes, ...folded.changes].slice(-most);
  }
  return changes;
}

/** Whether rows follow each other without a gap. */
function follow(rows: readonly JournalRow[], last: number): boolean {
  return rows.every(({ seq }, index) => seq === last + index + 1);
}

function mayFold(rows: number): void {
  if (rows <= MAX_ROWS) return;
  const detail = 'The journal has no checkpoint near enough; one is made while the property is in use.';
  throw new DomainError('NOT_EXECUTED', detail, { retryAfterSeconds: 5 });
}

export function beforeTheJournal(): DomainError {
  return new DomainError('INSUFFICIENT_DATA', 'The journal of the property begins later.');
}
