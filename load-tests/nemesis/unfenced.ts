import { readFileSync } from 'node:fs';

import type { TestDatabase } from '../../src/testing/database.ts';

const sql = (name: string): string => readFileSync(new URL(`../../migrations/sql/${name}`, import.meta.url), 'utf8');

/** The condition of a commit that says who owns, and what came before. */
const FENCE = /\s+and a\.epoch = fence\.epoch and a\.seq = fence\.old\s+and a\.head_hash = fence\.before/;
/** Whether a node is there, by its lease. */
const LIVES = /return exists \(\s*select 1 from system\.cluster_node[\s\S]*?\);/;

/**
 * Takes the fence out of a database: commits of anybody go through, and a property is taken from an owner that lives.
 * What is run on it must be found to be wrong.
 * @throws Error when the functions are not what they were: then the fence would still be there
 */
export async function removeFence({ admin }: TestDatabase): Promise<void> {
  const commit = replaced(sql('commit-batch.v3/commit-batch.sql'), FENCE, '');
  const take = replaced(sql('property-actor.v1.sql'), LIVES, 'return false;');
  // Replaced and not made anew: they stay their owner's, with his rights.
  await admin.query(take);
  await admin.query(commit);
}

function replaced(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`the fence is not where it was: ${what.source}`);
  return text.replace(what, by);
}
