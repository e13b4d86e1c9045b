import type { Client } from 'pg';

import type { FigurePoint } from './contracts/figure-series.ts';

/** Stored for a day and an hour: the oldest point of a day is whole. Rows of nodes that are gone go by the same age. */
const RETAINED = `interval '25 hours'`;
/** Rows read at once: a day of twenty nodes. */
const MAX_ROWS = 28_800;

/** A row is not deleted and written over by one statement. */
const WRITE = `
  with old as (
    delete from system.node_figures where minute < now() - ${RETAINED} and not (node_id = $1 and slot = $2))
  insert into system.node_figures (node_id, slot, minute, figures)
  values ($1, $2, to_timestamp($3::float8 / 1000), $4)
  on conflict (node_id, slot) do update set minute = excluded.minute, figures = excluded.figures`;

const READ = `
  select node_id as "nodeId", (extract(epoch from minute) * 1000)::float8 as at, figures
  from system.node_figures
  where minute > to_timestamp($1::float8 / 1000) and ($2::text is null or node_id = $2)
  order by minute desc limit ${MAX_ROWS}`;

const MINUTES_A_DAY = 1_440;

/** The figures of each minute of every node, for a day (docs/operations/health.md#figures-over-time). */
export class FigureRows {
  readonly #system: () => Promise<Client>;
  readonly #nodeId: string;

  /** @param system as innkeeper_system */
  constructor(system: () => Promise<Client>, nodeId: string) {
    this.#system = system;
    this.#nodeId = nodeId;
  }

  /** Writes a minute of this node over that of the day before, and deletes what is older than a day. */
  async write({ at, figures }: FigurePoint): Promise<void> {
    const slot = Math.floor(at / 60_000) % MINUTES_A_DAY;
    await (await this.#system()).query(WRITE, [this.#nodeId, slot, at, JSON.stringify(figures)]);
  }

  /** Minutes after a time, by node. */
  async since(after: number, nodeId: string | undefined): Promise<Map<string, FigurePoint[]>> {
    type Row = FigurePoint & { nodeId: string };
    const { rows } = await (await this.#system()).query<Row>(READ, [after, nodeId ?? null]);
    const found = new Map<string, FigurePoint[]>();
    for (const { nodeId: of, ...point } of rows) {
      const points = found.get(of) ?? [];
      points.push(point);
      found.set(of, points);
    }
    return found;
  }
}
