import t from 'tap';

import type { BookingEvent, JournalEntry } from '../../kernel/rules/journal.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import type { NotificationChannel } from '../rules/notification.ts';
import { Notifier } from './notifier.ts';

type Options = ConstructorParameters<typeof Notifier>[0];

const property = (tenantId: string) => ({ tenantId, propertyId: 'anchor' });
const entry = (event: BookingEvent, status = 'CONFIRMED'): Pick<JournalEntry, 'entity' | 'facts'> => ({
  entity: 'r1',
  facts: { bookings: [[event, null, '0', 'g', 'STD', 1, 2, 2, 100, 0, status]] },
});

/** A notifier that records its calls. */
function notifier(changed: Partial<Options> = {}): { notifier: Notifier; did: string[] } {
  const did: string[] = [];
  const made = new Notifier({
    tenants: { running: async () => ['acme', 'rival'] },
    channels: ['MAIL', 'SMS'],
    gather: async (tenantId) => (did.push(`gather ${tenantId}`), 'SOME'),
    tidy: async (tenantId) => void did.push(`tidy ${tenantId}`),
    send: async (tenantId, channel) => (did.push(`${channel} ${tenantId}`), { taken: 0, partner: 'NOT_ASKED' }),
    log: quiet,
    gatherMs: 1,
    restMs: 0,
    ...changed,
  });
  return { notifier: made, did };
}

t.test('committed bookings are notified, and other commits are not read', async (t) => {
  const { notifier: one, did } = notifier();
  await using _ = one;
  for (const event of ['HELD', 'RELEASED', 'CHECKED_IN'] as const) one.committed(property('acme'), entry(event));
  one.committed(property('acme'), entry('CREATED', 'PENDING'));
  one.committed(property('acme'), { entity: 'x', facts: {} });
  await one.done();
  t.same(did, []);
  for (let n = 0; n < 50; n++) one.committed(property('acme'), entry('CREATED'));
  await one.done();
  t.same(did.toSorted(), ['MAIL acme', 'SMS acme', 'gather acme']);
});

t.test('the sweep finds what no hint reported, and what fell due', async (t) => {
  const { notifier: one, did } = notifier();
  await using _ = one;
  await one.runDue(60_000);
  t.same(did.filter((what) => !/^(MAIL|SMS)/.test(what)).sort(), [
    'gather acme',
    'gather rival',
    'tidy acme',
    'tidy rival',
  ]);
  for (const what of ['MAIL acme', 'SMS acme', 'MAIL rival', 'SMS rival']) t.ok(did.includes(what), what);
});

t.test('letters of invitations are looked for when one may be due, and not with each message', async (t) => {
  const letters = { acme: 2, rival: 0 } as Record<string, number>;
  const { notifier: one, did } = notifier({
    invite: async (tenantId) => {
      did.push(`invite ${tenantId}`);
      const taken = Math.min(1, letters[tenantId]!);
      letters[tenantId]! -= taken;
      return { taken, partner: 'ANSWERS' };
    },
  });
  await using _ = one;
  const invited = () => did.filter((what) => what.startsWith('invite'));
  one.committed(property('acme'), entry('CREATED'));
  await one.done();
  t.same(invited(), []);
  one.administered('acme');
  await one.done();
  t.same(invited(), ['invite acme', 'invite acme', 'invite acme'], 'until there is none');
  await one.runDue(60_000);
  t.same(invited().slice(3), ['invite acme', 'invite rival'], 'and once a minute');
});

t.test('guests of a tenant whose clean-up fails are notified all the same', async (t) => {
  const { notifier: one, did } = notifier({ tidy: () => Promise.reject(new Error('no')) });
  await using _ = one;
  await one.runDue(60_000);
  t.ok(did.includes('gather acme') && did.includes('MAIL rival'));
});

t.test('a mail server that hangs holds up neither who commits, nor reading, nor texts', async (t) => {
  const hanging = new Gate();
  const did: string[] = [];
  const send: Options['send'] = async (tenantId, channel, signal) => {
    did.push(`${channel} ${tenantId}`);
    if (channel === 'MAIL') {
      hanging.open();
      await new Promise((over) => signal.addEventListener('abort', over));
    }
    return { taken: 0, partner: 'NOT_ASKED' };
  };
  const read = new Map<string, Gate>([
    ['acme', new Gate()],
    ['rival', new Gate()],
  ]);
  const gather: Options['gather'] = async (tenantId) => {
    read.get(tenantId)!.open();
    return 'SOME';
  };
  const { notifier: one } = notifier({ send, gather });
  t.equal(one.committed(property('acme'), entry('CREATED')), undefined, 'there is nothing to wait for');
  await hanging.opened;
  one.committed(property('rival'), entry('CREATED'));
  await read.get('rival')!.opened;
  await untilTime(() => did.includes('SMS rival'), 'the text');
  t.notOk(did.includes('MAIL rival'));
  await one.runDue(5);
  await one[Symbol.asyncDispose]();
});

t.test('a channel goes on while there is something, and rests when its partner is away', async (t) => {
  const left: Record<NotificationChannel, number> = { MAIL: 3, SMS: 3 };
  const send: Options['send'] = async (_, channel) => {
    left[channel] -= 1;
    if (left[channel] < 0) return { taken: 0, partner: 'NOT_ASKED' };
    return { taken: 8, partner: channel === 'MAIL' ? 'ANSWERS' : 'AWAY' };
  };
  const { notifier: one } = notifier({ send });
  await using _ = one;
  const healthOf = async () =>
    Object.fromEntries(
      await Promise.all(one.health.map(async ([name, { check }]) => [name, (await check()).status])),
    );
  t.same(await healthOf(), { mail: 'UNKNOWN', sms: 'UNKNOWN' });
  one.committed(property('acme'), entry('CREATED'));
  await one.done();
  t.same(left, { MAIL: -1, SMS: 2 });
  t.same(await healthOf(), { mail: 'UP', sms: 'DOWN' });
});

t.test('health reports the breaker of each partner that has one', async (t) => {
  const { notifier: one } = notifier({ breaker: (channel) => (channel === 'MAIL' ? 'OPEN' : undefined) });
  await using _ = one;
  t.same(await Promise.all(one.health.map(async ([name, { check }]) => [name, await check()])), [
    ['mail', { status: 'UNKNOWN', details: { breaker: 'OPEN' } }],
    ['sms', { status: 'UNKNOWN' }],
  ]);
});

t.test('without channels nothing is sent, but old rows are still deleted', async (t) => {
  const { notifier: one, did } = notifier({ channels: [] });
  await using _ = one;
  one.committed(property('acme'), entry('CREATED'));
  await one.done();
  t.same(did, []);
  t.same(one.health, []);
  await one.runDue(60_000);
  t.ok(did.includes('gather acme'));
});
