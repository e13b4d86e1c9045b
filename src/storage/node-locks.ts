import type { Client } from 'pg';

import type { Alone } from '../ports/alone.ts';

/** Apart from the names that other locks of one number are made of. */
const SEED = 9;
const TAKE = `select pg_try_advisory_lock(hashtextextended($1, ${SEED})) as mine`;
const LEAVE = `select pg_advisory_unlock(hashtextextended($1, ${SEED}))`;

/** Works of this node alone, by session locks that end with the node. @param system a connection that the node keeps */
export function databaseLocks(system: () => Promise<Client>): Alone {
  // One session may take a lock twice.
  const here = new Set<string>();
  return async (what, work) => {
    if (here.has(what)) return false;
    here.add(what);
    try {
      const client = await system();
      const { rows } = await client.query<{ mine: boolean }>(TAKE, [what]);
      if (!rows[0]!.mine) return false;
      try {
        await work();
        return true;
      } finally {
        await client.query(LEAVE, [what]).catch(() => undefined);
      }
    } finally {
      here.delete(what);
    }
  };
}
