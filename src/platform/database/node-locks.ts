import type { Client, QueryResult } from 'pg';

import type { AdvisoryLock } from '../../kernel/ports.ts';
import { connect, type ConnectOptions } from './connection.ts';

/** Hash seed: separates these locks from others with one number. */
const SEED = 9;
const TAKE = `select pg_try_advisory_lock(hashtextextended($1, ${SEED})) as mine`;
const LEAVE = `select pg_advisory_unlock(hashtextextended($1, ${SEED}))`;

/**
 * Runs work on one node at a time, by session locks that end with the node.
 * @param system a permanent connection of the node
 */
export function databaseLocks(system: () => Promise<Client>): AdvisoryLock {
  // One session may take a lock twice.
  const here = new Set<string>();
  // The driver runs one query at a time.
  let last: Promise<unknown> = Promise.resolve();
  const ask = (client: Client, sql: string, what: string): Promise<QueryResult<{ mine: boolean }>> => {
    const answer = last.then(() => client.query<{ mine: boolean }>(sql, [what]));
    last = answer.catch(() => undefined);
    return answer;
  };
  return async (what, work) => {
    if (here.has(what)) return false;
    here.add(what);
    try {
      const client = await system();
      const { rows } = await ask(client, TAKE, what);
      if (!rows[0]!.mine) return false;
      try {
        await work();
        return true;
      } finally {
        await ask(client, LEAVE, what).catch(() => undefined);
      }
    } finally {
      here.delete(what);
    }
  };
}

type OwnConnection = ConnectOptions & { databaseUrl: string; lock: readonly [number, number] };

/**
 * Runs work as innkeeper_system on a connection for one round: waiting for a lock blocks nobody else. Nodes are
 * serialized by a session advisory lock.
 * @param of parts that the work needs
 */
export function oneAtATimeOn<T>({ databaseUrl, lock, ...options }: OwnConnection, of: (client: Client) => T) {
  return {
    async alone(work: (what: T) => Promise<void>): Promise<boolean> {
      const client = await connect(databaseUrl, 'innkeeper_system', options);
      try {
        const sql = 'select pg_try_advisory_lock($1, $2) as mine';
        const { rows } = await client.query<{ mine: boolean }>(sql, [...lock]);
        if (!rows[0]!.mine) return false;
        await work(of(client));
        return true;
      } finally {
        await client.end();
      }
    },
  };
}
