import { readFileSync } from 'node:fs';

import type { TestDatabase } from '../../src/testing/database.ts';

const sql = (name: string): string => readFileSync(new URL(`../../migrations/sql/${name}`, import.meta.url), 'utf8');

/** Condition of a commit on owner and predecessor. */
const FENCE = /\s+and a\.epoch = fence\.epoch and a\.seq = fence\.old\s+and a\.head_hash = fence\.before/;
/** Whether a node is alive, by its lease. */
const LIVES = /return exists \(\s*select 1 from system\.cluster_node[\s\S]*?\);/;

/**
 * Removes the fence from a database: commits of any node succeed, and a property can be taken from a live owner. A run
 * on it must be found faulty.
 * @throws Error when the functions have changed: then the fence would still be there
 */
export async function removeFence({ admin }: TestDatabase): Promise<void> {
  const commit = replaced(sql('commit-batch.v3/commit-batch.sql'), FENCE, '');
  const take = replaced(sql('property-actor.v1.sql'), LIVES, 'return false;');
  // Replaced and not created: owner and grants stay.
  await admin.query(take);
  await admin.query(commit);
}

function replaced(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`the fence is not where it was: ${what.source}`);
  return text.replace(what, by);
}
