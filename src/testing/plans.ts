import type { Database } from '../platform/database/database.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Sort Key'?: string[];
  Plans?: Node[];
};

/** How a piece of work was answered. */
export type Plans = {
  indexes: string[];
  /** What was looked up in each index, as `<index>: <condition>`. */
  conditions: string[];
  /** Tables read from end to end. */
  scanned: string[];
  /** Keys of what was put in order as a whole; in parts, by an index that has most of the order, does not count. */
  sorted: string[];
};

type Question = { sql: string; params: unknown[] };

/** Runs `work` and explains every query it sent, as innkeeper_app of `tenant`, under the policies. */
export async function plansOf(database: Database, tenant: string, work: () => Promise<unknown>): Promise<Plans> {
  const plans: Plans = { indexes: [], conditions: [], scanned: [], sorted: [] };
  for (const rows of await explained(database, tenant, 'format json', work)) {
    for (const row of rows as { 'QUERY PLAN': { Plan: Node }[] }[])
      for (const { Plan } of row['QUERY PLAN']) collect(Plan, plans);
  }
  return plans;
}

/** The same as text, with the times it took: lines of each question. */
export async function timedPlansOf(
  database: Database,
  tenant: string,
  work: () => Promise<unknown>,
): Promise<string[][]> {
  const all = await explained(database, tenant, 'analyze, buffers, costs off', work);
  return all.map((rows) => (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']));
}

/** Rows of EXPLAIN for each question that `work` puts. */
async function explained(
  database: Database,
  tenant: string,
  options: string,
  work: () => Promise<unknown>,
): Promise<unknown[][]> {
  const queries: Question[] = [];
  database.orm.config.set('onQuery', (sql, params) => {
    if (/^\s*(with|select)\s.*\sfrom\s/s.test(sql)) queries.push({ sql, params: [...params] });
    return sql;
  });
  await work();
  database.orm.config.set('onQuery', (sql) => sql);
  return database.readTenant(tenant, async (em) => {
    const answers: unknown[][] = [];
    for (const { sql, params } of queries) answers.push(await em.execute(`explain (${options}) ${sql}`, params));
    return answers;
  });
}

function collect(node: Node, plans: Plans): void {
  if (node['Index Name']) plans.indexes.push(node['Index Name']);
  if (node['Index Cond']) plans.conditions.push(`${node['Index Name']}: ${node['Index Cond']}`);
  if (node['Node Type'] === 'Sort') plans.sorted.push((node['Sort Key'] ?? []).join());
  if (node['Node Type'] === 'Seq Scan') plans.scanned.push(node['Relation Name'] ?? '?');
  for (const child of node.Plans ?? []) collect(child, plans);
}
