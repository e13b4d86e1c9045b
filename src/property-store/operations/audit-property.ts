import type { Services } from '../../kernel/operations/services.ts';
import type { LiveView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { sameValue } from '../../kernel/rules/members.ts';
import type { ExtraStay } from '../../stay/rules/extra-nights.ts';
import type { StoredInventory } from '../ports.ts';

type Violation = {
  roomType: string;
  date: string;
  what: string;
  memory?: number;
  stored?: number;
  recomputed?: number;
};
export type AuditReport = {
  violations: Violation[];
  oversold: { roomType: string; date: Day; shortfall: number }[];
  cellsChecked: number;
  seq: number;
};

/** Waiting time for the actor's state of the snapshot's `seq`. */
const WAIT_MS = 2_000;

/**
 * Compares three accounts of a property at one `seq` (`/admin/audit`, ARCHITECTURE.md#what-we-promise): the actor's
 * memory, the stored cells, and the sums of reservations and holds. Correct under load too: while the database's
 * snapshot is read, every committed state of the actor is retained, and the one of the snapshot's `seq` is compared.
 */
export async function auditProperty(
  services: Services,
  caller: Caller,
  propertyId: PropertyId,
): Promise<AuditReport> {
  const to = { tenantId: caller.tenantId, propertyId };
  const views = new Map<number, LiveView>();
  const feed = await services.properties.follow(to, undefined, {
    entry: (_, view) => void views.set(view.seq, view),
    lost: () => undefined,
  });
  try {
    views.set(feed.view.seq, feed.view);
    const stored = await services.audit(to);
    const until = performance.now() + WAIT_MS;
    while (!views.has(stored.seq) && performance.now() < until) await new Promise((done) => setTimeout(done, 5));
    return compare(stored, views.get(stored.seq));
  } finally {
    feed.close();
  }
}

/** What each stored count follows from. */
const SOURCE_OF: Record<StoredInventory['differences'][number]['counter'], string> = {
  booked: 'reservations and holds',
  held: 'reservations and holds',
  group: 'the blocks of groups',
  outOfOrder: 'the maintenances of rooms',
  revenue: 'reservations and holds',
  extra: 'the postings of folios',
};

function compare(stored: StoredInventory, view: LiveView | undefined): AuditReport {
  const violations: Violation[] = stored.differences.map(({ roomType, day, counter, stored: has, recomputed }) => ({
    roomType: counter === 'extra' ? '' : roomType,
    date: formatDay(day),
    what: `${counter === 'extra' ? `extra ${roomType}` : counter} differs from ${SOURCE_OF[counter]}`,
    stored: has,
    recomputed,
  }));
  const oversold: AuditReport['oversold'] = [];
  const cells = new Map(stored.cells.map((cell) => [`${cell.roomType} ${cell.day}`, cell]));
  const grid = view?.grid(0, Number.MAX_SAFE_INTEGER) ?? [];
  for (const memory of grid) {
    const date = formatDay(memory.day);
    const row = cells.get(`${memory.roomType} ${memory.day}`);
    const gap = row?.shortfall ?? 0;
    if (gap > 0) oversold.push({ roomType: memory.roomType, date: memory.day, shortfall: gap });
    for (const counter of ['booked', 'held', 'blocked'] as const) {
      const has = row?.[counter] ?? 0;
      if (has !== memory[counter])
        violations.push({
          roomType: memory.roomType,
          date,
          what: `${counter} in memory differs`,
          memory: memory[counter],
          stored: has,
        });
    }
    if (row && row.total !== memory.total)
      violations.push({
        roomType: memory.roomType,
        date,
        what: 'total in memory differs',
        memory: memory.total,
        stored: row.total,
      });
  }
  violations.push(...revenueViolations(stored, view), ...extraViolations(stored, view));
  if (!view) violations.push({ roomType: '', date: '', what: `the actor never was at seq ${stored.seq}` });
  return { violations, oversold, cellsChecked: Math.max(grid.length, stored.cells.length), seq: stored.seq };
}

/** Revenue is stored per night of the whole property: it has no room type. */
function revenueViolations(stored: StoredInventory, view: LiveView | undefined): Violation[] {
  if (!view) return [];
  const rows = new Map(stored.books.map(({ day, revenue }) => [day, revenue]));
  const memory = new Map(view.books.map(({ day, revenue }) => [day, revenue]));
  return [...new Set([...rows.keys(), ...memory.keys()])].flatMap((day) => {
    const has = rows.get(day) ?? 0;
    const holds = memory.get(day) ?? 0;
    if (has === holds || day < view.businessDate) return [];
    return { roomType: '', date: formatDay(day), what: 'revenue in memory differs', memory: holds, stored: has };
  });
}

/** Pieces of extras belong to a posting: each is compared as a whole. */
function extraViolations({ extraStays: stored }: StoredInventory, view: LiveView | undefined): Violation[] {
  if (!view?.extraStays) return [];
  const rows = new Map(stored.map((stay) => [stay.postingId, stay]));
  const memory = new Map(view.extraStays.map((stay) => [stay.postingId, stay]));
  return [...new Set([...rows.keys(), ...memory.keys()])].flatMap((id) => {
    const [has, holds] = [rows.get(id), memory.get(id)];
    if (sameValue(has, holds)) return [];
    const { code, firstNight } = (has ?? holds)!;
    const what = `extra ${code} in memory differs`;
    return [{ roomType: '', date: formatDay(firstNight), what, memory: piecesOf(holds), stored: piecesOf(has) }];
  });
}

/** Pieces over all nights. */
function piecesOf(stay: ExtraStay | undefined): number {
  return stay ? stay.quantity * (stay.lastNight - stay.firstNight + 1) : 0;
}
