import type { Database } from '../storage/database.ts';

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] };

/** How a piece of work was answered: the indexes used, the tables read from end to end. */
export type Plans = { indexes: string[]; scanned: string[] };

/** Runs `work` and asks for the plan of every question it put, as innkeeper_app of `tenant`, under the policies. */
export async function plansOf(database: Database, tenant: string, work: () => Promise<unknown>): Promise<Plans> {
  const asked: { sql: string; params: unknown[] }[] = [];
  database.orm.config.set('onQuery', (sql, params) => {
    if (/^\s*select\s.*\sfrom\s/s.test(sql)) asked.push({ sql, params: [...params] });
    return sql;
  });
  await work();
  database.orm.config.set('onQuery', (sql) => sql);
  const plans: Plans = { indexes: [], scanned: [] };
  await database.readTenant(tenant, async (em) => {
    for (const { sql, params } of asked) {
      const rows = await em.execute<{ 'QUERY PLAN': { Plan: Node }[] }[]>(`explain (format json) ${sql}`, params);
      for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) collect(Plan, plans);
    }
  });
  return plans;
}

function collect(node: Node, plans: Plans): void {
  if (node['Index Name']) plans.indexes.push(node['Index Name']);
  if (node['Node Type'] === 'Seq Scan') plans.scanned.push(node['Relation Name'] ?? '?');
  for (const child of node.Plans ?? []) collect(child, plans);
}
