import type { Client } from 'pg';

import type { BackgroundPartition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import { isFree, MORE_THAN_ONES_SHARE, ofNobodyElse, sharedOut } from '../../platform/database/partition-sql.ts';
import type { CursorAdvance, Behind, Outbox, RelayRow, PendingEvents } from '../ports.ts';

/** Rows of one property in one read; more than a commit has, so that every read has a whole one. */
const ROWS_OF_ONE = 256;
/** Total rows after which no further property is read: some ms of work each. */
const ROWS_OF_ALL = 512;

/** Guests of a sandbox are nobody's event. Parameters: limit, node. */
const BEHIND = `
  select a.tenant_id as "tenantId", a.property_id as "propertyId", a.seq - coalesce(c.seq, 0) as rows,
    ${isFree('a', '$2')} as free, (extract(epoch from first.at) * 1000)::float8 as since
  from property_actor a
  left join relay_cursor c using (tenant_id, property_id)
  cross join lateral (
    select at from journal j
    where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.seq > coalesce(c.seq, 0)
    order by j.seq limit 1) as first
  where a.seq > coalesce(c.seq, 0) and not system.is_sandbox(a.property_id) and ${ofNobodyElse('a', '$2')}
  order by free, c.updated_at nulls first limit $1`;

const LAG = `
  select coalesce(sum(a.seq - coalesce(c.seq, 0)), 0)::float8 as rows,
    (extract(epoch from min(first.at)) * 1000)::float8 as oldest
  from property_actor a
  left join relay_cursor c using (tenant_id, property_id)
  left join lateral (
    select at from journal j
    where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.seq > coalesce(c.seq, 0)
    order by j.seq limit 1) as first on true
  where a.seq > coalesce(c.seq, 0) and not system.is_sandbox(a.property_id)`;

const PENDING = `
  with ahead as (
    select w.n, a.tenant_id, a.property_id, a.generation, a.seq as newest, coalesce(c.seq, 0) as cursor,
      sum(least(a.seq - coalesce(c.seq, 0), ${ROWS_OF_ONE})) over (order by w.n)
        - least(a.seq - coalesce(c.seq, 0), ${ROWS_OF_ONE}) as before
    from unnest($1::text[], $2::text[]) with ordinality as w (tenant_id, property_id, n)
    join property_actor a using (tenant_id, property_id)
    left join relay_cursor c using (tenant_id, property_id)
    where a.seq > coalesce(c.seq, 0) and not system.is_sandbox(a.property_id))
  select a.n::int as n, a.cursor, a.newest, j.seq, (extract(epoch from j.at) * 1000)::float8 as at, j.type,
    j.request_id as "requestId", j.entity, j.facts,
    generation_of(a.tenant_id, a.property_id, j.seq, a.generation) as generation
  from ahead a
  left join lateral (
    select seq, at, type, request_id, entity, facts from journal j
    where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.seq > a.cursor and j.seq <= a.newest
    order by j.seq limit ${ROWS_OF_ONE}) as j on a.before < ${ROWS_OF_ALL}
  order by a.n, j.seq`;

const CURSOR = 'select seq from relay_cursor where tenant_id = $1 and property_id = $2';

const ADVANCE = 'select system.advance_relay_v1($1, $2, $3, $4) as moved';

type BehindRow = Address & Omit<Behind, 'to'> & { free: boolean };
/** A property that was not read any more has one row without a number. */
type FoundRow = Omit<RelayRow, 'seq'> & { seq: number | null; n: number; cursor: number; newest: number };

/** Positions of the relay in PostgreSQL. @param client acts as innkeeper_system @param share properties of this node */
export function databaseOutbox(client: () => Promise<Client>, share: BackgroundPartition): Outbox {
  const ask = async <Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await (await client()).query<Row>({ name, text, values })).rows;
  const read = async (of: readonly Address[]): Promise<PendingEvents[]> =>
    pendingOf(of, await ask<FoundRow>('relay-untold', PENDING, lists(of)));
  const unreadable = async (to: Address, error: unknown): Promise<PendingEvents> => {
    const [found] = await ask<{ seq: number }>('relay-cursor', CURSOR, [to.tenantId, to.propertyId]);
    const cursor = found?.seq ?? 0;
    const { code = 'no code' } = error as { code?: string };
    return { to, cursor, newest: cursor, rows: [], unreadable: `the database cannot read its rows (${code})` };
  };
  return {
    async behind(limit) {
      const values = [limit * MORE_THAN_ONES_SHARE, share.nodeId];
      const found = await ask<BehindRow>('relay-behind', BEHIND, values);
      return sharedOut(found, share, (one) => one, limit).map(({ tenantId, propertyId, rows, since }) => ({
        to: { tenantId, propertyId },
        rows,
        since,
      }));
    },
    pending: (of) => readEach(of, read, unreadable),
    async advance(all) {
      const [{ moved } = { moved: [] }] = await ask<{ moved: number[] }>('relay-advance', ADVANCE, [
        ...lists(all.map(({ to }) => to)),
        all.map(({ from }) => from),
        all.map(({ published }) => published),
      ]);
      return moved.map((n): CursorAdvance => all[n - 1]!);
    },
  };
}

/** Rows that wait for the broker, of all properties on whatever node, and the moment of the oldest. */
export async function outboxLag(client: Client): Promise<{ rows: number; oldest: number | undefined }> {
  const { rows: found } = await client.query<{ rows: number; oldest: number | null }>(LAG);
  return { rows: found[0]!.rows, oldest: found[0]!.oldest ?? undefined };
}

/** Reads all at once; when a row makes that fail, one by one, so that its property is known. */
async function readEach(
  of: readonly Address[],
  read: (of: readonly Address[]) => Promise<PendingEvents[]>,
  unreadable: (to: Address, error: unknown) => Promise<PendingEvents>,
): Promise<PendingEvents[]> {
  try {
    return await read(of);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    if (of.length === 1) return [await unreadable(of[0]!, error)];
  }
  const found: PendingEvents[] = [];
  for (const to of of) found.push(...(await readEach([to], read, unreadable)));
  return found;
}

function pendingOf(of: readonly Address[], rows: readonly FoundRow[]): PendingEvents[] {
  const found = new Map<number, PendingEvents>();
  for (const { n, cursor, newest, ...row } of rows) {
    const one = found.get(n) ?? { to: of[n - 1]!, cursor, newest, rows: [] };
    if (row.seq !== null) one.rows.push(row as RelayRow);
    found.set(n, one);
  }
  return [...found.values()];
}

const lists = (of: readonly Address[]): [string[], string[]] => [
  of.map(({ tenantId }) => tenantId),
  of.map(({ propertyId }) => propertyId),
];
