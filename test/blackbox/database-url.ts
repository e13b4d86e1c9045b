import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Line of postmaster.pid that has the port. */
const PORT_LINE = 3;

/** The embedded PostgreSQL of a running service: its port and password lie in its data directory. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const read = (name: string): string => readFileSync(join(dataDir, 'postgres', name), 'utf8');
  const port = read('postmaster.pid').split('\n')[PORT_LINE]?.trim();
  return `postgres://postgres:${read('innkeeper.password').trim()}@127.0.0.1:${port}/innkeeper`;
}
