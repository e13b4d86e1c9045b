import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';

import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import { connect } from '../../platform/database/connection.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { databaseLocks } from '../../platform/database/node-locks.ts';
import { ReconnectingClient } from '../../platform/database/reconnecting-client.ts';
import { JobQueues } from '../../platform/jobs/job-queues.ts';
import { openRedisBackend } from '../../platform/jobs/redis-backend.ts';
import { regularly } from '../../platform/jobs/regularly.ts';
import { RoundRegistry } from '../../platform/jobs/round-registry.ts';
import { DailyWatch } from '../../revenue/jobs/daily-watch.ts';
import { databaseDailyJobs } from '../../revenue/storage/daily-jobs.ts';
import { DEFAULT_SETTINGS } from '../../tenants/rules/tenant.ts';
import { StoredTenants } from '../../tenants/storage/tenants.ts';
import { openNotifying } from '../../wiring/notifications.ts';
import { quiet } from '../actors/running-host.ts';
import { queueJobSettings } from './job-places.ts';

/**
 * A node with jobs only, as a process of its own that a test may kill: it prints `ready`, waits for a line, and records
 * in the table `noted` what it begins and ends.
 */
const { DATABASE_URL: url = '', REDIS_URL: redis = '', INSTALLATION = '' } = process.env;
const { SMTP_URL, NODE: node = '', NOW = '0' } = process.env;

/** Duration of each work item. */
const WORK_MS = 20;
const EVERY_MS = 250;

const login = new Pool({ connectionString: url });
login.on('error', () => {});
const note = async (what: string): Promise<void> => {
  const values = [what, node];
  await login.query('insert into noted (what, node) values ($1, $2)', values);
  await pause(WORK_MS);
  await login.query('update noted set ended = true where what = $1 and node = $2', values);
};

const open = () => connect(url, 'innkeeper_system');
const system = new ReconnectingClient(open);
const locking = new ReconnectingClient(open);
const database = await openDatabase(url);
const tenants = new StoredTenants(() => system.client());
const began = performance.now();
const clock = { now: () => Number(NOW) + performance.now() - began };
const daily = (job: string) => (to: Address, date: number) => note(`${job} ${addressKey(to)} ${date}`);
const watch = new DailyWatch({
  tenants,
  daily: databaseDailyJobs(database),
  clock,
  log: quiet,
  alone: databaseLocks(() => locking.client()),
  work: {
    NO_SHOWS: daily('NO_SHOWS'),
    NIGHT_AUDIT: daily('NIGHT_AUDIT'),
    LEARN_DEMAND: daily('LEARN_DEMAND'),
    ASSIGN_ROOMS: daily('ASSIGN_ROOMS'),
    CHARGE_DUES: daily('CHARGE_DUES'),
    OPTIMIZE_RATES: daily('OPTIMIZE_RATES'),
    SWITCH_RATES: daily('SWITCH_RATES'),
  },
});
const { notifier } = openNotifying({
  database,
  tenants,
  log: quiet,
  clock,
  each: ItemRunner.uncounted(quiet),
  config: { SMTP_URL, SMS_URL: undefined, developmentParts: false },
  settings: async () => DEFAULT_SETTINGS.notifications,
  letterOf: () => Promise.reject(new Error('nobody mails by hand')),
  stayUrl: async () => undefined,
  signInUrl: () => '',
});
const round = { concurrency: 1, attempts: 1, backoffMs: 1, repeatMs: EVERY_MS };
const queues = new JobQueues({
  open: () => openRedisBackend({ url: redis, installation: async () => INSTALLATION, log: quiet }),
  works: true,
  log: quiet,
  crashed: { lockMs: 6_000, lookMs: 500 },
  settings: queueJobSettings({
    'competitor-check': { handler: async (_, { id }) => (await note(`round ${id}`), { due: 0 }), ...round },
    'competitor-refresh': {
      handler: async ({ tenantId }) => (await note(`refresh ${tenantId}`), { asked: 1, failed: 0 }),
      concurrency: 2,
      attempts: 1,
      backoffMs: 1,
    },
    'yield-optimization': {
      handler: async ({ id }) => (await note(`optimization ${id}`), {}),
      concurrency: 1,
      attempts: 1,
      backoffMs: 1,
    },
  }),
});
process.stdout.write('ready\n');
await createInterface(process.stdin)[Symbol.asyncIterator]().next();
queues.begin();
// Not by the queue's rounds, of which one node has each: all look at the same time.
const rounds = new RoundRegistry();
regularly(rounds.register('daily-check', EVERY_MS), quiet, () => watch.look(), 'at once');
regularly(rounds.register('notifications', EVERY_MS), quiet, () => notifier.look(), 'at once');
