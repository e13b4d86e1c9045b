import type { Day } from '../../kernel/rules/dates.ts';
import type { Facts } from '../../kernel/rules/journal.ts';
import {
  businessDate,
  endOfBusinessDay,
  type Instant,
  type PropertyClock,
} from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { ArchivedJournal } from '../ports.ts';
import type { JournalRow } from '../rules/journal-fold.ts';
import { type RowsUntil, type RowsOfDate } from '../rules/rows-of-date.ts';

/** Longer than the property can have had the same business date, whatever its time zone and night audit hour. */
const SURELY_BEFORE_MS = 72 * 3_600_000;

/**
 * Finds the rows of a business date by the rows that changed the date, independently of the property's current clock
 * (docs/concepts/night-audit.md#postings).
 * @param behind a position before which the date did not begin, if one is known
 * @returns `undefined` when the property did not exist, or the date is not over
 */
export async function rowsOfDate(
  journal: ArchivedJournal,
  date: Day,
  clock: PropertyClock,
  behind?: number,
): Promise<RowsUntil | undefined> {
  const start = behind ?? (await surelyBefore(journal, date, clock));
  let began: { after: number; from: Instant } | undefined;
  for await (const row of journal.dates(start)) {
    const reached = dateOf(row);
    if (reached === undefined || reached < date) continue;
    if (!began && row.type === 'CREATE_PROPERTY' && reached > date) return undefined;
    began ??= { after: row.seq - 1, from: row.at };
    if (reached > date)
      return { after: behind ?? began.after, to: row.seq - 1, from: began.from, until: row.at, reached };
  }
  return undefined;
}

/** Rows of the current date up to the newest one; none when the property did not exist on the date. */
export async function rowsSoFar(journal: ArchivedJournal, date: Day, clock: PropertyClock): Promise<RowsOfDate> {
  const closed = await rowsOfDate(journal, date, clock);
  if (closed) return closed;
  const from = endOfBusinessDay(date - 1, clock);
  const until = endOfBusinessDay(date, clock);
  let after: number | undefined;
  for await (const row of journal.dates(await surelyBefore(journal, date, clock))) {
    const reached = dateOf(row);
    if (reached === date) after ??= row.seq - 1;
    else if (reached !== undefined && reached > date) return { after: row.seq, to: row.seq, from, until };
  }
  return { after: after ?? journal.seq, to: journal.seq, from, until };
}

async function surelyBefore(journal: ArchivedJournal, date: Day, clock: PropertyClock): Promise<number> {
  const checkpoint = await journal.checkpointAt(endOfBusinessDay(date - 1, clock) - SURELY_BEFORE_MS);
  return checkpoint?.seq ?? 0;
}

/** Business date that a row sets, or the least that it implies. */
function dateOf({ at, facts: text }: JournalRow): Day | undefined {
  const { businessDate: rolled, setup } = JSON.parse(text) as Facts;
  if (rolled !== undefined) return rolled;
  const put = setup?.find(({ kind }) => kind === 'property')?.after as Property | null | undefined;
  if (!put) return undefined;
  const { timezone, policies } = put.metadata;
  return businessDate(at, { timezone, nightAuditHour: policies.nightAuditHour });
}

/** Business date on which the property was created; `undefined` when its journal begins later. */
export async function firstDate(journal: ArchivedJournal): Promise<Day | undefined> {
  if (!journal.whole) return undefined;
  for await (const row of journal.dates(0)) return dateOf(row);
  return undefined;
}
