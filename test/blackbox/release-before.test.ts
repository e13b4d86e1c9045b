import tap, { type Test, test } from 'tap';

import { query } from '../../src/testing/launch/throw-away.ts';
import { Checkout, hasCommit } from '../releases/checkout.ts';
import { differences, readAgain, readAll, type Reading } from '../releases/reading.ts';
import { FIRST_RELEASE } from '../releases/release-data.ts';
import { restored, runOn } from '../releases/restored.ts';
import { auditIsClean } from './audit.ts';
import { embeddedDatabaseUrl } from './database-url.ts';
import { BlackboxProperty, must } from './property.ts';
import type { Service } from './service.ts';
import { until } from './waiting.ts';

/** Three starts, one of them of a build that has not been compiled yet. */
tap.setTimeout(300_000);

/**
 * There and back again (docs/guide/upgrade.md#upgrade-to-a-new-release): what this build writes, the release before
 * reads and goes on with, and then this build again.
 */
if (hasCommit(FIRST_RELEASE.commit)) await thereAndBack();
else {
  const skip = `${FIRST_RELEASE.commit} is not in this clone: git fetch --unshallow`;
  void test('there and back', { skip }, () => {});
}

async function thereAndBack(): Promise<void> {
  const checkout = new Checkout(FIRST_RELEASE.commit);
  tap.teardown(() => checkout[Symbol.dispose]());
  const { service, expected } = await restored(FIRST_RELEASE.name);
  tap.teardown(() => service.remove());
  const { scene } = expected;
  const open = (): Promise<BlackboxProperty> => BlackboxProperty.known(service, scene.propertyIds[0]!);
  const isSound = async (t: Test): Promise<void> => auditIsClean(t, await open());
  const booked: Record<string, string> = {};
  let issued: Reading = {};
  const call = (method: string, name: string, action = '', body: object = {}) =>
    service.reservations(method, `/${booked[name] ?? scene.stays[name]}${action}`, { body });

  await test('this build books, changes and cancels on the data of the release before', async (t) => {
    await service.up();
    const property = await open();
    const names = { flexible: 'FLEX', strict: 'NRF', standard: 'BAR', shortened: 'BAR', staying: 'BAR', left: 'BAR' };
    for (const [name, rateCode] of Object.entries(names)) {
      const from = name === 'staying' || name === 'left' ? 0 : 20;
      booked[name] = (await property.booked({ from, nights: 3, stay: { rateCode } })).reservationId;
    }
    const shorter = { modifications: { stayDetails: { nights: 2 } }, modifiedBy: 'desk', reason: 'asked' };
    must(await call('PUT', 'shortened', '', shorter), 200);
    booked['late'] = (await property.booked({ from: 1, nights: 3 })).reservationId;
    must(await call('PUT', 'late', '', shorter), 200);
    const rooms = `/properties/${property.propertyId}/rooms`;
    for (const room of ['102', '103'])
      must(await service.tenants('PUT', `${rooms}/${room}/status`, { body: { status: 'AVAILABLE' } }), 200);
    for (const name of ['staying', 'left'])
      must(await call('POST', name, '/checkin', { identificationVerified: true, keyCards: 1 }), 200);
    must(await call('POST', 'left', '/checkout'), 200);
    must(await call('DELETE', 'strict'), 200);
    await isSound(t);
  });

  await test('the release before reads all of it, and goes on with it', async (t) => {
    const written = await readAll(service, scene);
    issued = invoicesOf(written);
    await service.terminate();
    service.launchOptions = checkout.launchOptions;
    await service.up();
    t.strictSame(
      besideInvoices(differences(...summed(booked['left']!, written, await readAgain(service, written)))),
      {},
    );
    must(await call('DELETE', 'flexible'), 200);
    must(await call('POST', 'staying', '/checkout'), 200);
    const longer = { modifications: { stayDetails: { nights: 4 } }, modifiedBy: 'desk', reason: 'asked' };
    must(await call('PUT', 'standard', '', longer), 200);
    await (await open()).booked({ from: 25 });
    await auditIsClean(t, await open(), false);
    t.match(await runOn(service, 'audit:verify'), { code: 0, output: /every chain is whole/ });
  });

  await test('the release before leaves a notification of a kind that it does not know to this build', async (t) => {
    await addUnknown(service, scene.stays['staying']!);
    await (await open()).booked({ from: 26 });
    const rows = await until('it has tried, and goes on with others', 60_000, async () => {
      const found = await kindsOf(service);
      const isTried = found.some(({ kind, attempts }) => kind === 'PAYMENT_FAILED' && Number(attempts) > 0);
      return isTried && found.at(-1)?.['state'] === 'SENT' ? found : undefined;
    });
    t.match(
      rows.find(({ kind }) => kind === 'PAYMENT_FAILED'),
      { state: 'WAITING', error: 'TypeError' },
    );
    t.match(rows.at(-1), { kind: 'CONFIRMATION' });
  });

  await test('and this build goes on again', async (t) => {
    const written = await readAll(service, scene);
    await service.terminate();
    service.launchOptions = {};
    await service.up();
    t.strictSame(
      besideInvoices(differences(...summed(booked['left']!, await readAgain(service, written), written))),
      {},
    );
    t.strictSame(differences(await readAgain(service, issued), issued), {}, 'invoices are as they were issued');
    must(await call('DELETE', 'standard'), 200);
    must(await call('DELETE', 'shortened'), 200);
    await query(embeddedDatabaseUrl(service.dataDir), `update notifications set due_at = at where state = 'WAITING'`);
    await until('what the release before has left is done', 60_000, async () => {
      const left = (await kindsOf(service)).find(({ kind }) => kind === 'PAYMENT_FAILED');
      return left?.['state'] === 'WAITING' ? undefined : left;
    });
    await isSound(t);
    t.match(await runOn(service, 'audit:verify'), { code: 0, output: /every chain is whole/ });
  });
}

/** A notification of a kind of this build, about the newest journal row of a stay that has a notification. */
async function addUnknown(service: Service, reservationId: string): Promise<void> {
  await query(
    embeddedDatabaseUrl(service.dataDir),
    `insert into notifications (tenant_id, property_id, reservation_id, kind, channel, occasion, at, due_at)
     select tenant_id, property_id, reservation_id, 'PAYMENT_FAILED', channel, occasion, at, at from notifications
     where reservation_id = '${reservationId}' and channel = 'MAIL' order by occasion desc limit 1`,
  );
}

/** Notifications by mail in the order of their events. */
function kindsOf(service: Service): Promise<Record<string, string>[]> {
  const sql = `select kind, state, attempts, error from notifications where channel = 'MAIL' order by at, occasion`;
  return query(embeddedDatabaseUrl(service.dataDir), sql);
}

/**
 * The release before knows no tax in what is retained of an early departure, and shows it as fees: both together are
 * compared.
 */
function summed(id: string, ...readings: [Reading, Reading]): [Reading, Reading] {
  const left = `/api/v1/reservations/${id}`;
  return readings.map((reading) => {
    const read = reading[left] as { financial?: { taxes: number; fees: number } } | undefined;
    if (!read?.financial) return reading;
    const { taxes, fees } = read.financial;
    const financial = { ...read.financial, taxes: 0, fees: Math.round((taxes + fees) * 100) / 100 };
    return { ...reading, [left]: { ...read, financial } };
  }) as [Reading, Reading];
}

/** The release before knows no numbers of this build: it says what it would have written (docs/reference/invoices.md#numbers). */
function isInvoice(path: string): boolean {
  return path.endsWith('/invoice');
}

/** Those that are issued: what is an offer of one moves with its stay. */
function invoicesOf(all: Reading): Reading {
  const isIssued = (answer: unknown): boolean => (answer as { status?: string }).status === 'ISSUED';
  return Object.fromEntries(Object.entries(all).filter(([path, answer]) => isInvoice(path) && isIssued(answer)));
}

function besideInvoices<T>(all: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([path]) => !isInvoice(path)));
}
