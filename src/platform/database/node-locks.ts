import type { Client, QueryResult } from 'pg';

import type { AdvisoryLock } from '../../kernel/ports.ts';

/** Apart from the names that other locks of one number are made of. */
const SEED = 9;
const TAKE = `select pg_try_advisory_lock(hashtextextended($1, ${SEED})) as mine`;
const LEAVE = `select pg_advisory_unlock(hashtextextended($1, ${SEED}))`;

/** Works of this node alone, by session locks that end with the node. @param system a connection that the node keeps */
export function databaseLocks(system: () => Promise<Client>): AdvisoryLock {
  // One session may take a lock twice.
  const here = new Set<string>();
  // The driver takes one question at a time.
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
