import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

import { copyDatabase, copyTemplate, keepDatabase } from '../../src/testing/database-template.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import type { LaunchOptions } from './launched.ts';
import { until } from './waiting.ts';

/** What a first start does behind its back, on a machine with other work. */
const SETTLED_MS = 60_000;
/** Variables that change nothing of what a service does before somebody calls it. */
const CHANGE_NO_START = /^(RATE_LIMIT|OPEN_HOLDS|WEBHOOK_ALLOW|CHANNEL_ALLOW|CONTINGENCY|SMTP|SMS|PUBLIC|TRUST)_/;

/** The service that makes it. */
type Maker = {
  readonly dataDir: string;
  launchOptions: LaunchOptions;
  up(): Promise<unknown>;
  terminate(): Promise<{ code: number | string | null }>;
  remove(): Promise<void>;
};

/**
 * Copies the database of a service that has set the hotels of the demo up, read their competitors and priced them: a
 * third of what a start costs. The first start of a run (test/loop/ci.ts) makes it, so that it is always of this code.
 * It is made again each hour, when days of hotels begin.
 * @returns false where there is none, or the service is to begin in another way
 */
export async function copyDemo(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  prepare: () => Promise<Maker>,
): Promise<boolean> {
  const folder = process.env.INNKEEPER_DEMOS;
  if (folder === undefined || !Object.keys(env).every((name) => CHANGE_NO_START.test(name))) return false;
  const demo = join(folder, new Date().toISOString().slice(0, 13));
  // Where it cannot be made, as on a machine that is too slow for it, a start does all of it, as it would without.
  if (!existsSync(demo) && isFirst(demo)) await make(demo, await prepare()).catch(() => undefined);
  return copyDatabase(demo, dataDir);
}

/** Others do not wait for it. */
function isFirst(demo: string): boolean {
  try {
    mkdirSync(`${demo}.begun`);
    return true;
  } catch {
    return false;
  }
}

async function make(demo: string, service: Maker): Promise<void> {
  service.launchOptions = { isWatched: false };
  try {
    await copyTemplate(service.dataDir);
    await service.up();
    await settle(service.dataDir);
    const { code } = await service.terminate();
    if (code === 0) await keepDatabase(service.dataDir, demo);
  } finally {
    await service.remove();
  }
}

/** Waits for what is due, and forgets what is of this service alone. */
async function settle(dataDir: string): Promise<void> {
  const client = new Client({ connectionString: embeddedDatabaseUrl(dataDir) });
  await client.connect();
  try {
    await until('competitors are read and prices optimized', SETTLED_MS, async () => {
      const { rowCount } = await client.query(
        `select from optimizations where (select count(*) from competitor_sources where last_success is not null) =
           (select count(*) from properties)`,
      );
      return rowCount || undefined;
    });
    // Its issuer is at an address of its own, and the key of its secrets is not in the database.
    for (const table of ['user_tenant_associations', 'users', 'system.secret_key'])
      await client.query(`delete from ${table}`);
  } finally {
    await client.end();
  }
}
