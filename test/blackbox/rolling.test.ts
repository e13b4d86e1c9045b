import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { query } from '../../src/testing/launch/throw-away.ts';
import { Checkout, hasCommit } from '../releases/checkout.ts';
import { FIRST_RELEASE } from '../releases/release-data.ts';
import { restored } from '../releases/restored.ts';
import { servicesOrSkip } from '../services/needed.ts';
import { auditIsClean } from './audit.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import { BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import type { Reservation } from './shapes.ts';
import { until } from './waiting.ts';

tap.setTimeout(300_000);

/** Properties that two nodes share between them. */
const PROPERTIES = 8;

/** Nodes of two releases on one database, as in the middle of an upgrade (docs/guide/upgrade.md#upgrade-to-a-new-release). */
const services = servicesOrSkip(tap, ['redis']);
if (!hasCommit(FIRST_RELEASE.commit))
  void test(
    'side by side',
    { skip: `${FIRST_RELEASE.commit} is not in this clone: git fetch --unshallow` },
    () => {},
  );
else if (services) await sideBySide(services.redis);

async function sideBySide(redis: string): Promise<void> {
  const [portOfNew, portOfOld] = await freePorts(2);
  const shared = { REDIS_URL: redis, CLUSTER_SECRET: randomBytes(32).toString('base64') };
  const { service: now } = await restored(FIRST_RELEASE.name, { ...shared, NODE_PORT: String(portOfNew) });
  tap.teardown(() => now.remove());
  await now.up();
  const checkout = new Checkout(FIRST_RELEASE.commit);
  tap.teardown(() => checkout[Symbol.dispose]());
  const then = await Service.prepare({
    ...shared,
    NODE_PORT: String(portOfOld),
    DATABASE_URL: embeddedDatabaseUrl(now.dataDir),
    SECRET_KEYS: secretKeys(now.dataDir),
    INNKEEPER_DEVELOPMENT_ISSUER: now.dev.issuer,
    PAYMENT_LEDGER: join(now.dataDir, 'payment-simulator.jsonl'),
    DEMO: '0',
  });
  tap.teardown(() => then.remove());
  then.launchOptions = { ...checkout.launchOptions, isWatched: false };
  await then.up();
  /** The tokens are those of the issuer that both believe. */
  const old = (method: string, path: string, body?: object) =>
    now.call<Reservation>(method, `${then.dev.reservationUrl}/api/v1/reservations${path}`, { body, role: 'STAFF' });

  await test('each node reads and goes on with what the other has written', async (t) => {
    const ids = await Promise.all(Array.from({ length: PROPERTIES }, () => BlackboxProperty.open(now)));
    for (const property of ids) {
      const mine = await property.booked({ from: 20, nights: 3, stay: { rateCode: 'FLEX' } });
      const theirs = must(await old('POST', '', property.wish({ from: 20, nights: 3 })), 201).json;
      const read = must(await old('GET', `/${mine.reservationId}`), 200).json;
      t.match(read, { status: 'CONFIRMED', financial: mine.financial });
      const longer = { modifications: { stayDetails: { nights: 4 } }, modifiedBy: 'desk', reason: 'asked' };
      must(await old('PUT', `/${mine.reservationId}`, longer), 200);
      must(await now.reservations('PUT', `/${theirs.reservationId}`, { body: longer }), 200);
      must(await now.reservations('DELETE', `/${mine.reservationId}`), 200);
      must(await old('DELETE', `/${theirs.reservationId}`), 200);
      await auditIsClean(t, property);
    }
    const owners = await ownersOf(now);
    t.ok(owners.size > 1, 'both own properties');
  });

  await test('when one leaves the other goes on with its properties', async (t) => {
    const property = await BlackboxProperty.open(now);
    const before = await property.booked({ from: 10 });
    await then.terminate();
    const after = await until('it is booked', 60_000, async () => {
      const answer = await property.book({ from: 10 });
      return answer.status === 201 ? answer.json : undefined;
    });
    t.not(after.reservationId, before.reservationId);
    await auditIsClean(t, property);
  });
}

function secretKeys(dataDir: string): string {
  const { keys } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    keys: { id: string; key: string }[];
  };
  return keys.map(({ id, key }) => `${id}:${key}`).join(',');
}

/** Nodes that own properties. */
async function ownersOf(service: Service): Promise<Set<string>> {
  const rows = await query(
    embeddedDatabaseUrl(service.dataDir),
    'select distinct owner_node from property_actor where owner_node is not null',
  );
  return new Set(rows.map(({ owner_node: owner }) => owner!));
}
