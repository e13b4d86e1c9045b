import { readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** Passwords that `ops/logins.sql` is given. */
const PASSWORDS: Record<string, string> = {
  app_password: 'app-1',
  system_password: 'system-1',
  jobs_password: 'jobs-1',
};

/** Runs `ops/logins.sql` as psql would. @returns the connection strings of the logins that it made */
export async function makeLogins(admin: Client, url: string): Promise<Record<'app' | 'system' | 'jobs', string>> {
  const script = readFileSync(new URL('../../ops/logins.sql', import.meta.url), 'utf8');
  await admin.query(script.replaceAll(/:'(\w+)'/g, (_, name: string) => admin.escapeLiteral(PASSWORDS[name] ?? '')));
  const as = (role: 'app' | 'system' | 'jobs'): string => {
    const address = new URL(url);
    address.username = `innkeeper_${role}_login`;
    address.password = PASSWORDS[`${role}_password`] ?? '';
    return address.href;
  };
  return { app: as('app'), system: as('system'), jobs: as('jobs') };
}
