import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { runbookPages } from './alert-rules.ts';
import { runbookDatabase } from './groups/runbook-database.ts';
import { runbookPartners } from './groups/runbook-partners.ts';
import { runbookProcess } from './groups/runbook-process.ts';
import { ExpiredKeys, runbookKeys, runbookRows } from './groups/runbook-rows.ts';
import { BlackboxProperty } from './property.ts';
import { Service } from './service.ts';

/** Commands of pages of ops/runbook, executed word for word on a system that is broken in the way of the alert. */
tap.setTimeout(300_000);

/** Pages by the file that executes them: this one calls the groups, and the others make the same fault anyway. */
const EXECUTED: Record<string, readonly string[]> = {
  'groups/runbook-database.ts': [
    'BookingsSlow',
    'CommitsUnanswered',
    'DatabaseDown',
    'ErrorBudgetBurnsFast',
    'ErrorBudgetBurnsSlowly',
    'HealthDown',
    'LeaseLost',
    'RoundLate',
  ],
  'groups/runbook-rows.ts': [
    'InvariantViolated',
    'KeysNotForgotten',
    'PoisonCommand',
    'RoomsHeldUnpaid',
    'RoundItemsFail',
  ],
  'groups/runbook-partners.ts': ['LiveRefused', 'SubscriptionPaused', 'SubscriptionsFailing'],
  'groups/runbook-process.ts': ['EventLoopBlocked', 'InnkeeperDown'],
  'competitor-feed.test.ts': ['CompetitorRatesOld'],
  'exhausted.test.ts': ['ConnectionsRefused'],
  'kafka.test.ts': ['KafkaDown', 'RelayBehind', 'RelayStopped'],
  'redis.test.ts': ['JobsStuck', 'RedisDown'],
  'storage.test.ts': ['DiskSpaceLow', 'HistoryRewound', 'StoreReadOnly'],
};

/** Pages that no test executes yet, by the reason. It only gets shorter. */
const NOT_EXECUTED: Record<string, readonly string[]> = {
  'needs 10,000 records that others send': ['ConsumerBehind'],
  'needs a cluster on Redis': [
    'ClusterViewsDiffer',
    'NodeLinkFails',
    'NodeTakenOver',
    'RedisMissesNodes',
    'ShardsWithoutNode',
  ],
  'needs a provider of payments that is not of this machine': ['PaymentsDown'],
  'needs more load than a test may make': ['ActorQueueGrows', 'LogLinesDropped'],
  'its fault is made by another test, which does not read the page': ['CardUnreadable'],
};

/** Lower it with each page that is executed. */
const MAX_NOT_EXECUTED = 10;

void test('every page is executed by a test, or says why not', (t) => {
  const listed = [...Object.values(EXECUTED), ...Object.values(NOT_EXECUTED)].flat();
  t.same(listed.toSorted(), [...new Set(runbookPages())].toSorted(), 'each page once');
  t.ok(Object.values(NOT_EXECUTED).flat().length <= MAX_NOT_EXECUTED, 'no page joins those that are not executed');
  for (const [file, pages] of Object.entries(EXECUTED)) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const page of pages) t.match(text, new RegExp(`new RunbookPage\\(t, \\w+, '${page}'\\)`), file);
  }
  t.end();
});

const service = await Service.start({
  OPEN_HOLDS_SUBJECT: '2',
  WEBHOOK_ALLOW_PRIVATE: '1',
});
tap.teardown(() => service.remove());
const property = await BlackboxProperty.open(service, { rooms: { DLX: 500 } });
const keys = await ExpiredKeys.keep(service);
tap.teardown(() => keys[Symbol.asyncDispose]());

// The clock of the service is moved on by the rows.
void test('a database that does not answer', (t) => runbookDatabase(t, service, property));
void test('rows', (t) => runbookRows(t, service, property));
void test('regular work', (t) => runbookKeys(t, service, keys));
void test('partners and clients', (t) => runbookPartners(t, service, property));
void test('the process', (t) => runbookProcess(t, service, property));
