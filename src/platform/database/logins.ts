import type { Config } from '../config/config.ts';

/**
 * Connection strings by role. With one login for all roles a session may leave its role (RESET ROLE, SET ROLE), so
 * row-level security does not stop injected SQL; with one login per role, which is a member of that role only, it
 * does.
 */
type DatabaseLogins = {
  /** Migrations. */
  owner: string;
  /** Data of one tenant: commits, reads. */
  app: string;
  /** Lease, relay, retention: across tenants, few tables. */
  system: string;
  /** The job queue of PostgreSQL. */
  jobs: string;
};

type Given = Pick<Config, 'DATABASE_URL' | 'DATABASE_APP_URL' | 'DATABASE_SYSTEM_URL' | 'DATABASE_JOBS_URL'>;

/** @throws Error with one line when there is no database at all */
export function databaseLogins({ DATABASE_URL: owner, ...own }: Given): DatabaseLogins {
  if (owner === undefined) throw new Error('DATABASE_URL is not set; npm start brings a database of its own');
  return {
    owner,
    app: own.DATABASE_APP_URL ?? owner,
    system: own.DATABASE_SYSTEM_URL ?? owner,
    jobs: own.DATABASE_JOBS_URL ?? owner,
  };
}

/** Whether each role has its own login. */
export function isSeparated({ owner, app, system, jobs }: DatabaseLogins): boolean {
  return new Set([owner, app, system, jobs]).size === 4;
}
