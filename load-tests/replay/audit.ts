import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { Cells, compareCells, type Difference, HOLDING, type ListedStay, type ShownCell } from './cells.ts';
import type { Plan } from './plan.ts';
import type { Target } from './property.ts';

/**
 * Longest range of one `GET /availability` (docs/reference/set-up.md#availability) and longest page of a list
 * (docs/reference/api.md#lists).
 */
const LONGEST_RANGE = 366;
const PAGE = 200;

export type AuditReport = {
  cells: number;
  /** Reservations that hold rooms. */
  reservations: number;
  differences: Difference[];
  /** Findings of the service's own audit. */
  violations: unknown[];
  oversold: unknown[];
};

/**
 * Compares the availability of every night with the reservations that the service lists, cell by cell, and runs the
 * service's own audit. No bookings may run meanwhile.
 * @param today business date by now: nights before it are no longer shown
 * @param own rooms taken by the client's own ledger; when given, they must be shown too
 * @throws Error when the service does not answer one of the three
 */
export async function auditProperty(plan: Plan, today: Day, target: Target, own?: Cells): Promise<AuditReport> {
  const firstNight = Math.max(today, plan.firstNight);
  const { lastNight } = plan;
  const { cells, reservations } = await readReservations(target);
  const shown = await readAvailability(firstNight, lastNight, target);
  const totals = new Map(plan.types.map(({ roomType, totalRooms }) => [roomType, totalRooms]));
  const audit = await get<{ violations: unknown[]; oversold: unknown[] }>(
    target,
    `${target.reservationUrl}/api/v1/admin/audit/${target.propertyId}`,
  );
  const expected = { totals, firstNight, lastNight };
  return {
    cells: shown.length,
    reservations,
    differences: [cells, ...(own ? [own] : [])].flatMap((one) => compareCells(shown, one, expected)),
    violations: audit.violations,
    oversold: audit.oversold,
  };
}

async function readReservations(target: Target): Promise<{ cells: Cells; reservations: number }> {
  const cells = new Cells();
  let reservations = 0;
  for (const status of Object.keys(HOLDING)) {
    for await (const stay of listReservations<ListedStay>(target, `&status=${status}`)) {
      cells.add(stay);
      reservations += 1;
    }
  }
  return { cells, reservations };
}

/** Reservations of the property, page by page. @param filter more of the query, with its `&` */
export function listReservations<T>(target: Target, filter = ''): AsyncGenerator<T> {
  return listAll(target, `${target.reservationUrl}/api/v1/reservations?propertyId=${target.propertyId}${filter}`);
}

/** Items of a list, page by page. @param list its address, which may have a query */
export async function* listAll<T>(target: Target, list: string): AsyncGenerator<T> {
  const url = new URL(list);
  url.searchParams.set('limit', String(PAGE));
  for (;;) {
    const page = await get<{ items: T[]; nextCursor?: string | null }>(target, url.href);
    yield* page.items;
    if (!page.nextCursor) return;
    url.searchParams.set('cursor', page.nextCursor);
  }
}

async function readAvailability(firstNight: Day, lastNight: Day, target: Target): Promise<ShownCell[]> {
  const shown: ShownCell[] = [];
  for (let start = firstNight; start <= lastNight; start += LONGEST_RANGE) {
    const end = Math.min(lastNight, start + LONGEST_RANGE - 1);
    const range = `start_date=${formatDay(start)}&end_date=${formatDay(end)}`;
    const path = `/api/v1/tenants/${target.tenantId}/availability?property_id=${target.propertyId}&${range}`;
    const { items } = await get<{ items: ShownCell[] }>(target, `${target.reservationUrl}${path}`);
    shown.push(...items);
  }
  return shown;
}

/** The type follows docs/reference/api.md#api for the path; a missing member shows as a difference. */
export async function get<T>(target: Target, url: string): Promise<T> {
  const answer = await target.client.call({ method: 'GET', url });
  if (answer.status !== 200) throw new Error(`GET ${url} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  const body: T = JSON.parse(answer.text);
  return body;
}
