import type { Client } from 'pg';

import type { JobRounds, SeenMoment, StoredRound } from '../../kernel/ports.ts';

const MOMENTS = ['completed', 'advanced', 'delivered'] as const;
type Moment = (typeof MOMENTS)[number];
type Row = { name: string } & Record<`${Moment}_mark`, string | null> & Record<`${Moment}_age`, number | null>;

/** Null for an infinite time: a row written by anybody must not prevent recording. */
const finite = (column: string): string => `case when isfinite(r.${column}) then r.${column} end`;

const COLUMNS = [
  'name',
  ...MOMENTS.map(
    (moment) => `
    (extract(epoch from ${finite(`${moment}_at`)}) * 1000000)::bigint::text as ${moment}_mark,
    (extract(epoch from now() - ${finite(`${moment}_at`)}) * 1000)::float8 as ${moment}_age`,
  ),
].join(', ');

const ALL = `select ${COLUMNS} from system.job_round r`;

const NOTE = `
  insert into system.job_round as r (name, node_id, completed_at, advanced_at, delivered_at)
  values ($1, $2, case when $3 then now() end, case when $4 then now() end, case when $5 then now() end)
  on conflict (name) do update set
    node_id = excluded.node_id,
    completed_at = coalesce(excluded.completed_at, r.completed_at),
    advanced_at = coalesce(excluded.advanced_at, r.advanced_at),
    delivered_at = coalesce(excluded.delivered_at, r.delivered_at)
  returning ${COLUMNS}`;

/** A claim in the future was made before the server's clock was set back. */
const CLAIM = `
  insert into system.job_round as r (name, node_id, claimed_at) values ($1, $2, now())
  on conflict (name) do update set node_id = excluded.node_id, claimed_at = excluded.claimed_at
  where r.claimed_at is null or r.claimed_at > now()
    or r.claimed_at < now() - $3 * interval '1 millisecond'
  returning name`;

/**
 * State of repeated jobs in `system.job_round`, by the database's real time: the application's clock is advanced in
 * development, which must not make rounds late.
 * @param system as innkeeper_system
 */
export function databaseJobRounds(system: () => Promise<Client>, nodeId: string): JobRounds {
  return {
    async all() {
      const { rows } = await (await system()).query<Row>(ALL);
      return new Map(rows.map((row) => [row.name, roundOf(row)]));
    },
    async note(name, { completed = false, advanced = false, delivered = false }) {
      const { rows } = await (await system()).query<Row>(NOTE, [name, nodeId, completed, advanced, delivered]);
      return roundOf(rows[0]!);
    },
    async claim(name, forMs) {
      const { rows } = await (await system()).query(CLAIM, [name, nodeId, forMs]);
      return rows.length > 0;
    },
  };
}

function roundOf(row: Row): StoredRound {
  const of = (moment: Moment): SeenMoment | undefined => {
    const mark = row[`${moment}_mark`];
    const ageMs = row[`${moment}_age`];
    return mark === null || ageMs === null ? undefined : { mark, ageMs };
  };
  return { completed: of('completed'), advanced: of('advanced'), delivered: of('delivered') };
}
