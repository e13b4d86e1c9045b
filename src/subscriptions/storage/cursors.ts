import type { Client } from 'pg';

import type { BackgroundPartition } from '../../kernel/ports.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import { isFree, MORE_THAN_ONES_SHARE, ofNobodyElse, sharedOut } from '../../platform/database/partition-sql.ts';
import type {
  ActiveSubscription,
  CursorAddress,
  CursorLag,
  CursorMove,
  CursorPage,
  Cursors,
  CursorRow,
  LeasedCursor,
  ReadsRows,
} from '../ports.ts';

/** Rows of one cursor in one read; more than a commit has, so that every read has a whole one. */
const ROWS_OF_ONE = 256;
/** Total rows after which no further cursor is read: some ms of work each. */
const ROWS_OF_ALL = 1_024;

const ACTIVE = `
  select tenant_id as "tenantId", id as "subscriptionId", kind, property_ids as "propertyIds"
  from subscriptions where status = 'ACTIVE' order by tenant_id, id limit $1`;

/** Guests of a sandbox are nobody's event. */
const COVERED = `
  from subscriptions s
  join property_actor a on a.tenant_id = s.tenant_id
    and (s.property_ids is null or a.property_id = any (s.property_ids))
  left join subscription_cursors c
    on c.tenant_id = s.tenant_id and c.subscription_id = s.id and c.property_id = a.property_id
  where s.status = 'ACTIVE' and not system.is_sandbox(a.property_id)
    and (a.seq > coalesce(c.seq, 0) or c.snapshot)`;

/** Parameters: limit, node. */
const DUE = `
  select s.tenant_id as "tenantId", s.id as "subscriptionId", a.property_id as "propertyId",
    ${isFree('a', '$2')} as free ${COVERED}
    and (c.retry_at is null or c.retry_at <= app_now()) and ${ofNobodyElse('a', '$2')}
  order by free, c.moved_at nulls first limit $1`;

/** Rows that are waited for are those of active subscriptions, on whatever node. */
const LAG = `
  select count(*)::int as cursors, coalesce(sum(w.newest - w.seq), 0)::float8 as rows,
    count(*) filter (where w.failing_since is not null)::int as failing,
    (extract(epoch from min(first.at)) * 1000)::float8 as oldest
  from (
    select s.tenant_id, a.property_id, a.seq as newest, coalesce(c.seq, 0) as seq, c.failing_since
    ${COVERED}) as w
  left join lateral (
    select at from journal j
    where j.tenant_id = w.tenant_id and j.property_id = w.property_id and j.seq > w.seq
    order by j.seq limit 1) as first on true`;

const CLAIM = 'select * from system.claim_cursors_v1($1, $2, $3, $4)';
const MOVE = 'select n, failing_seconds as "failingSeconds" from system.move_cursors_v1($1)';

const PAGES = `
  with ahead as (
    select w.n, a.tenant_id, a.property_id, a.generation, a.seq as newest, w.seq as cursor,
      sum(w.reads::int * least(greatest(a.seq - w.seq, 0), ${ROWS_OF_ONE})) over (order by w.n)
        - w.reads::int * least(greatest(a.seq - w.seq, 0), ${ROWS_OF_ONE}) as before, w.reads
    from unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[]) with ordinality
      as w (tenant_id, property_id, seq, reads, n)
    join property_actor a using (tenant_id, property_id))
  select a.n::int as n, a.newest, a.generation as current, j.seq, (extract(epoch from j.at) * 1000)::float8 as at,
    j.type, j.request_id as "requestId", j.entity, j.facts,
    generation_of(a.tenant_id, a.property_id, j.seq, a.generation) as generation
  from ahead a
  left join lateral (
    select seq, at, type, request_id, entity, facts from journal j
    where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.seq > a.cursor and j.seq <= a.newest
    order by j.seq limit ${ROWS_OF_ONE}) as j on a.reads and a.before < ${ROWS_OF_ALL}
  order by a.n, j.seq`;

/** A cursor without rows has one row without a number. */
type FoundRow = Omit<CursorRow, 'seq'> & { seq: number | null; n: number; newest: number; current: number };

/**
 * Cursors of subscriptions in PostgreSQL.
 * @param client acts as innkeeper_system
 * @param share properties of this node
 */
export function databaseCursors(client: () => Promise<Client>, share: BackgroundPartition): Cursors {
  const ask = async <Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> =>
    (await (await client()).query<Row>({ name, text, values })).rows;
  const read = async (of: readonly LeasedCursor[], reads: ReadsRows): Promise<CursorPage[]> => {
    const values = [of.map(({ of: { tenantId } }) => tenantId), of.map(({ of: { propertyId } }) => propertyId)];
    const found = [...values, of.map(({ seq }) => seq), of.map(reads)];
    return pagesOf(of, await ask<FoundRow>('cursor-pages', PAGES, found));
  };
  return {
    async active(limit) {
      const found = await ask<ActiveSubscription & { propertyIds: string[] | null }>('subscriptions-active', ACTIVE, [
        limit,
      ]);
      return found.map(({ propertyIds, ...one }) => ({ ...one, ...(propertyIds && { propertyIds }) }));
    },
    async due(limit) {
      const values = [limit * MORE_THAN_ONES_SHARE, share.nodeId];
      const found = await ask<CursorAddress & { free: boolean }>('cursors-due', DUE, values);
      return sharedOut(found, share, (one) => one, limit).map(({ free: _free, ...of }) => of);
    },
    async claim(of) {
      const values = [share.nodeId, ...lists(of)];
      const taken = await ask<Omit<LeasedCursor, 'of'> & { n: number }>('cursors-claim', CLAIM, values);
      return taken.map(({ n, ...cursor }) => ({ of: of[n - 1]!, ...cursor }));
    },
    pages: (of, reads) => readEach(of, (some) => read(some, reads)),
    async move(all) {
      const moved = await ask<{ n: number; failingSeconds: number | null }>('cursors-move', MOVE, [
        JSON.stringify(all.map(stored)),
      ]);
      return moved.map(({ n, failingSeconds }) => ({
        move: all[n - 1]!,
        failingSeconds: failingSeconds ?? undefined,
      }));
    },
    async lag() {
      const [found] = await ask<CursorLag & { oldest: number | null }>('cursors-lag', LAG);
      return { ...found!, oldest: found!.oldest ?? undefined };
    },
  };
}

/** Reads all at once; when a row makes that fail, one by one, so that its cursor is known. */
async function readEach(
  of: readonly LeasedCursor[],
  read: (of: readonly LeasedCursor[]) => Promise<CursorPage[]>,
): Promise<CursorPage[]> {
  if (of.length === 0) return [];
  try {
    return await read(of);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const [cursor] = of;
    if (of.length === 1 && cursor) {
      const { code = 'no code' } = error as { code?: string };
      const unreadable = `the database cannot read its rows (${code})`;
      return [{ cursor, newest: cursor.seq, generation: 0, rows: [], unreadable }];
    }
  }
  const found: CursorPage[] = [];
  for (const one of of) found.push(...(await readEach([one], read)));
  return found;
}

function pagesOf(of: readonly LeasedCursor[], rows: readonly FoundRow[]): CursorPage[] {
  const found = new Map<number, CursorPage>();
  for (const { n, newest, current, ...row } of rows) {
    const page = found.get(n) ?? { cursor: of[n - 1]!, newest, generation: current, rows: [] };
    if (row.seq !== null) page.rows.push(row as CursorRow);
    found.set(n, page);
  }
  return [...found.values()];
}

const lists = (of: readonly CursorAddress[]): [string[], string[], string[]] => [
  of.map(({ tenantId }) => tenantId),
  of.map(({ subscriptionId }) => subscriptionId),
  of.map(({ propertyId }) => propertyId),
];

const stored = ({ cursor: { of, epoch, seq, part }, to, snapshot, failure, pauseMs }: CursorMove): object => ({
  t: of.tenantId,
  id: of.subscriptionId,
  p: of.propertyId,
  epoch,
  seq,
  part,
  toSeq: to.seq,
  toPart: to.part,
  snapshot,
  failure: failure ?? null,
  pauseMs,
});
