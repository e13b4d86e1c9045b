import { readdirSync, readFileSync } from 'node:fs';

import { percentiles } from '../../client/latencies.ts';
import type { ClusterWorld } from '../../cluster/cluster-world.ts';
import type { RoamingClient } from './roaming-client.ts';

/** A node at a moment: of a process that may be another one a sample later. */
export type NodeSample = { name: string; pid: number; ageMinutes: number; residentMb: number; descriptors: number };

/** PostgreSQL at a moment. */
export type DatabaseSample = {
  walMb: number;
  tablesMb: number;
  live: number;
  dead: number;
  /** Megabytes, live and dead rows by table. */
  tables: Record<string, [megabytes: number, live: number, dead: number]>;
};

export type SoakSample = {
  minute: number;
  nodes: NodeSample[];
  database?: DatabaseSample;
  answers: number;
  p50: number;
  p99: number;
  /** The mishap that is under way, or whose recovery is. */
  mishap?: string;
};

const MB = 1_048_576;
const TABLES = `
  select relid::regclass::text as name, pg_total_relation_size(relid)::float8 as bytes, n_dead_tup::float8 as dead
  from pg_stat_user_tables`;
/** Rows are counted: the counts of PostgreSQL's statistics begin anew after a crash, which is one of the mishaps. */
const rowsOf = (tables: readonly string[]): string =>
  tables.map((name) => `select '${name}' as name, count(*)::float8 as live from ${name}`).join(' union all ');
const WAL = 'select coalesce(sum(size), 0)::float8 as bytes from pg_ls_waldir()';

/** What grows: memory and descriptors of nodes, WAL and tables of PostgreSQL, and how long answers take. */
export class SoakSamples {
  readonly all: SoakSample[] = [];
  readonly #world: ClusterWorld;
  readonly #client: RoamingClient;
  readonly #began = performance.now();
  /** When each process was first seen. */
  readonly #processes = new Map<number, number>();

  constructor(world: ClusterWorld, client: RoamingClient) {
    this.#world = world;
    this.#client = client;
  }

  get minute(): number {
    return (performance.now() - this.#began) / 60_000;
  }

  async take(mishap: string | undefined): Promise<void> {
    const { minute } = this;
    const { count, p50, p99 } = percentiles(this.#client.latencies.splice(0));
    const nodes = this.#world.nodes.flatMap(({ name, pid, isUp }) => (isUp ? this.#node(name, pid, minute) : []));
    // PostgreSQL may be what a mishap has stopped.
    const database = await this.#database().catch(() => undefined);
    this.all.push({
      minute,
      nodes,
      answers: count,
      p50,
      p99,
      ...(database && { database }),
      ...(mishap && { mishap }),
    });
  }

  #node(name: string, pid: number, minute: number): NodeSample[] {
    if (!this.#processes.has(pid)) this.#processes.set(pid, minute);
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const residentMb = Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024);
      const descriptors = readdirSync(`/proc/${pid}/fd`).length;
      return [{ name, pid, ageMinutes: minute - this.#processes.get(pid)!, residentMb, descriptors }];
    } catch {
      return [];
    }
  }

  async #database(): Promise<DatabaseSample> {
    const tablesNow = await this.#world.query<{ name: string; bytes: number; dead: number }>(TABLES);
    const counted = await this.#world.query<{ name: string; live: number }>(
      rowsOf(tablesNow.map(({ name }) => name)),
    );
    const live = new Map(counted.map((one) => [one.name, one.live]));
    const rows = tablesNow.map((one) => ({ ...one, live: live.get(one.name) ?? 0 }));
    const [wal] = await this.#world.query<{ bytes: number }>(WAL);
    const sum = (of: 'bytes' | 'live' | 'dead'): number => rows.reduce((total, row) => total + row[of], 0);
    const tables = rows.map((row): [string, DatabaseSample['tables'][string]] => [
      row.name,
      [row.bytes / MB, row.live, row.dead],
    ]);
    return {
      walMb: wal!.bytes / MB,
      tablesMb: sum('bytes') / MB,
      live: sum('live'),
      dead: sum('dead'),
      tables: Object.fromEntries(tables),
    };
  }
}
