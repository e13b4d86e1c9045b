import type { Client } from 'pg';

const ID = `
  select to_hex(system_identifier) || '-' || (select oid from pg_database where datname = current_database()) as id
  from pg_control_system()`;

/** Unique name of this database, where several share a store. @param system as innkeeper_system */
export async function installationOf(system: () => Promise<Client>): Promise<string> {
  const client = await system();
  return (await client.query<{ id: string }>(ID)).rows[0]!.id;
}
