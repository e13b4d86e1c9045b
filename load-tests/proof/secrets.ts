import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

import { startDatabase } from '../../src/testing/database.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { SteadyBookers } from '../../test/blackbox/steady-bookers.ts';
import { until } from '../../test/blackbox/waiting.ts';
import { Receiver } from '../../test/blackbox/webhook-receiver.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import type { ProofResult } from './kills.ts';

const CLIENTS = 6;
const ROOMS = 20_000;
const MORE_BOOKINGS = 30;
const WITHIN_MS = 120_000;

const secret = (): string => randomBytes(32).toString('base64');

/**
 * Secrets replaced one after the other while bookings go on (docs/guide/secrets.md#rotate): that of a webhook, the keys
 * of the service, the password of the database. No booking is lost or refused, each request is answered in the end, and
 * what was made under the former secret is still good.
 */
export async function proveSecrets(): Promise<ProofResult> {
  await using database = await startDatabase();
  const receiver = await Receiver.open();
  const keys = { first: `k1:${secret()}`, second: `k2:${secret()}` };
  await database.admin.query(`create role rotating superuser login password 'before'`);
  const urlWith = (password: string): string => {
    const url = new URL(database.url);
    [url.username, url.password] = ['rotating', password];
    return url.href;
  };
  const service = await Service.start({
    ...NO_LIMITS,
    DATABASE_URL: urlWith('before'),
    SECRET_KEYS: keys.first,
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
  const found: string[] = [];
  const check = (what: string, isGood: boolean): void => {
    console.log(`${isGood ? 'ok    ' : 'BROKEN'} ${what}`);
    if (!isGood) found.push(what);
  };
  let bookers: SteadyBookers | undefined;
  try {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: ROOMS } });
    bookers = new SteadyBookers(CLIENTS, () => property);
    const goesOn = bookingsGoOn(bookers);
    await rotateWebhook({ service, receiver, property, goesOn, check });
    await rotateKeys({ service, property, keys, goesOn, check });
    await database.admin.query(`alter role rotating password 'after'`);
    await goesOn();
    check('after a new password of the database, open connections go on', true);
    await restart(service, { DATABASE_URL: urlWith('after') });
    await goesOn();
    check('with the new password the service starts', true);
    await bookers.end();
    return await judged(service, { property, bookers, found, check });
  } finally {
    await bookers?.end().catch(() => undefined);
    await service.remove();
    await receiver.kill();
  }
}

type Rotation = {
  service: Service;
  property: BlackboxProperty;
  goesOn(): Promise<void>;
  check(what: string, isGood: boolean): void;
};

/** Waits for bookings that are acknowledged from now on. */
function bookingsGoOn({ acknowledged }: SteadyBookers): () => Promise<void> {
  return async () => {
    const before = acknowledged.length;
    await until('bookings go on', WITHIN_MS, () => acknowledged.length >= before + MORE_BOOKINGS || undefined);
  };
}

/** A rolling restart of one node: requests are repeated meanwhile. */
async function restart(service: Service, env: Record<string, string>): Promise<void> {
  Object.assign(service.env, env);
  await service.terminate();
  await service.up();
}

async function rotateWebhook({
  service,
  receiver,
  property,
  goesOn,
  check,
}: Rotation & { receiver: Receiver }): Promise<void> {
  const url = `${service.dev.reservationUrl}/api/v1/webhooks`;
  const body = { url: receiver.url, events: ['reservation.created'], propertyIds: [property.propertyId] };
  type Hook = { webhookId: string; secret: string };
  const first = must(await service.call<Hook>('POST', url, { body }), 201).json;
  await goesOn();
  const path = `${url}/${first.webhookId}/secret`;
  const second = (await service.call<Hook>('POST', path)).json;
  await goesOn();
  const isGood = (from: Hook, n: number): boolean => {
    const message = receiver.taken[n]!;
    try {
      return new Webhook(from.secret).verify(message.raw, message.headers) !== undefined;
    } catch {
      return false;
    }
  };
  const count = receiver.taken.length;
  const bySecond = await until('a message under the new secret', WITHIN_MS, () =>
    isGood(second, receiver.taken.length - 1) ? receiver.taken.length - 1 : undefined,
  );
  check(
    `every message of a webhook is signed by a secret that its receiver knows (${count})`,
    allGood(count, (n) => isGood(first, n)),
  );
  check('after the rotation both secrets sign', isGood(first, bySecond) && isGood(second, bySecond));
}

const allGood = (count: number, isGood: (n: number) => boolean): boolean =>
  count > 0 && Array.from({ length: count }, (_, n) => n).every(isGood);

async function rotateKeys({
  service,
  property,
  keys,
  goesOn,
  check,
}: Rotation & { keys: Record<'first' | 'second', string> }): Promise<void> {
  const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
  const { reservationId } = await property.booked({ guest });
  const { quoteToken } = await property.quoted();
  await restart(service, { SECRET_KEYS: `${keys.first},${keys.second}` });
  await goesOn();
  check('with the new key behind the first one bookings go on', true);
  await restart(service, { SECRET_KEYS: `${keys.second},${keys.first}` });
  await goesOn();
  check('with the new key in front bookings go on', true);
  const read = await property.read(reservationId);
  check('a guest of before can be read', read.text.includes('Hopper'));
  check('a quote of before is honoured', (await property.book({ stay: { quoteToken } })).status === 201);
}

async function judged(
  service: Service,
  {
    property,
    bookers,
    found,
    check,
  }: Pick<Rotation, 'property' | 'check'> & { bookers: SteadyBookers; found: string[] },
): Promise<ProofResult> {
  const stored = new Set((await property.reservations()).map(({ reservationId }) => reservationId));
  const missing = bookers.acknowledged.filter(({ reservationId }) => !stored.has(reservationId)).length;
  const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${property.propertyId}`;
  const { violations, money } = must(await service.call<Audit>('GET', url), 200).json;
  const broken = violations.length + money.violations.length;
  const { acknowledged, refused, repeats, strange } = bookers;
  check(`${acknowledged.length} bookings acknowledged, ${missing} missing`, missing === 0);
  check(`${repeats} requests repeated, ${strange.length + refused} refused`, strange.length + refused === 0);
  for (const text of strange.slice(0, 5)) console.log(`       ${text}`);
  check(`${broken} violations of the audit`, broken === 0);
  const counts = {
    'bookings acknowledged': acknowledged.length,
    missing,
    'requests refused': strange.length + refused,
    'violations of the audit': broken,
  };
  return { held: found.length === 0, counts };
}
