import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

import { percentiles } from '../client/latencies.ts';

const TABLE = 'load_report_commits';

type Commits = AsyncDisposable & {
  round: (seconds: number) => Promise<{ requests: number; perSecond: number; ms: { p50: number; p99: number } }>;
};

/** What the database can do at all: transactions of one small row, on some connections, each after the other. */
export async function commits(databaseUrl: string, connections: number): Promise<Commits> {
  const clients = Array.from({ length: connections }, () => new Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]!.query(`create table if not exists ${TABLE} (id uuid primary key, at timestamptz not null)`);
  return {
    round: async (seconds) => {
      const times: number[] = [];
      const began = performance.now();
      const insert = async (client: Client): Promise<void> => {
        for (let from = began; from - began < seconds * 1_000;) {
          const values = [randomUUID(), new Date()];
          await client.query({ name: 'insert', text: `insert into ${TABLE} values ($1, $2)`, values });
          const now = performance.now();
          times.push(now - from);
          from = now;
        }
      };
      await Promise.all(clients.map(insert));
      const perSecond = Math.round((1_000 * times.length) / (performance.now() - began));
      return { requests: times.length, perSecond, ms: percentiles(times) };
    },
    [Symbol.asyncDispose]: async () => {
      await clients[0]!.query(`drop table if exists ${TABLE}`);
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
