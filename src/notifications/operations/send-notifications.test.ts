import t from 'tap';

import type { Delivery } from '../../kernel/ports.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { Gate, untilTime } from '../../testing/fake-clock.ts';
import { PostOffice, write } from '../../testing/partners/post-office.ts';
import {
  cancelCommand,
  endPaymentCommand,
  freshId,
  modifyCommand,
  paid,
  plan,
  startPaymentCommand,
} from '../../testing/property-world.ts';
import type { Mail, Notifications } from '../ports.ts';
import type { LetterKind, OwnTexts } from '../rules/letter-kinds.ts';
import { clearNotifications } from './clear-notifications.ts';
import { sendNotifications } from './send-notifications.ts';

const office = await PostOffice.open(t);
const { admin } = office.test;
const { notifications, clock } = office;
const MINUTE = 60_000;
const alive = new AbortController().signal;
const dead = new Error('kill -9');

t.beforeEach(() => {
  office.answer = () => ({ outcome: 'SENT' });
  office.mails.length = 0;
});

/** A tenant with some confirmed bookings without notifications. */
async function waiting(tenantId: string, count = 1): Promise<string[]> {
  const property = await office.property(tenantId, { paymentRequired: false, overbookingLimit: 50 });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await office.booked(property)).id);
  await office.gather(tenantId);
  return ids;
}

const answering = (answers: Record<string, Delivery>) => (mail: Mail) =>
  answers[mail.about.reservationId] ?? { outcome: 'SENT' as const };
const states = async (tenantId: string) => (await office.rows(tenantId)).map(({ state }) => state);
const batch = (tenantId: string, changed: Partial<Notifications> = {}) =>
  sendNotifications(office.posting({ notifications: { ...notifications, ...changed } }), tenantId, 'MAIL', alive);

t.test('a message has the language of the stay, else of the profile, else of the property', async (t) => {
  const property = await office.property('languages', {
    paymentRequired: false,
    overbookingLimit: 50,
    language: 'es',
  });
  const french = await office.booked(property, { guest: { language: 'fr' } });
  const german = await office.booked(property);
  const spanish = await office.booked(property);
  const { rows } = await admin.query<{ id: string; language: string | null }>(
    `select id, language from guests where tenant_id = 'languages'`,
  );
  const stored = new Map(rows.map(({ id, language }) => [id, language]));
  t.equal(stored.get(french.guest.guestId), 'fr', 'the first booking of a guest writes the language to the profile');
  t.equal(stored.get(spanish.guest.guestId), null);
  // The profile of the second guest was merged into one that has a language.
  const survivor = freshId();
  await admin.query(
    `insert into guests (tenant_id, id, language, created_at, updated_at) values ('languages', $1, 'de', now(), now())`,
    [survivor],
  );
  await admin.query(`update guests set merged_into = $1 where tenant_id = 'languages' and id = $2`, [
    survivor,
    german.guest.guestId,
  ]);
  await office.gather('languages');
  await office.send('languages');
  const languages = office.mails.map(({ html }) => /<html lang="(..)">/.exec(html)?.[1]);
  t.same(new Set(languages), new Set(['de', 'es', 'fr']));
  t.ok(office.mails.some(({ subject }) => subject.startsWith('Votre réservation')));
  t.ok(office.mails.some(({ text }) => text.includes('Guten Tag Ada Byron,')));
  t.ok(office.mails.some(({ text }) => text.includes('Estimado/a Ada Byron:')));
});

t.test('a letter has the own texts of the property; one that cannot be used stops no mail', async (t) => {
  const by = { tenantId: 'own', subject: 'mara', requestId: 'r-1' };
  const property = await office.property('own', { paymentRequired: false, overbookingLimit: 50 });
  const { propertyId } = property.scene.state.property!;
  const put = (kind: LetterKind, texts: OwnTexts) =>
    office.templates.put(by, { propertyId, kind, language: 'en', texts });
  await put('CONFIRMATION', { subject: 'See you on {arrival}, {guest}', opening: 'Hello.\n\n<b>Bring</b> boots.' });
  await office.booked(property, { guest: { firstName: '<i>Ada' } });
  await office.gather('own');
  await office.send('own');
  const [mail] = office.mails;
  t.match(mail?.subject, /^See you on \S+ \d+ \S+ \d{4}, <i>Ada Byron$/);
  t.match(mail?.text, '\n\nHello.\n\n<b>Bring</b> boots.\n\nConfirmation number:');
  t.match(mail?.text, 'Please have your confirmation number ready', 'what is left out is the standard text');
  t.match(mail?.html, '<p>Hello.</p>\n<p>&#60;b&#62;Bring&#60;/b&#62; boots.</p>');

  await put('CONFIRMATION', { subject: 'A value of a later release: {mood}' });
  const warnings: object[] = [];
  const log = { ...quiet, warn: (facts: object) => void warnings.push(facts) };
  await office.booked(property);
  await office.gather('own');
  await office.send('own', 'MAIL', office.posting({ log }));
  t.match(office.mails[1]?.subject, /^Your reservation .* is confirmed$/);
  t.match(warnings, [{ propertyId, kind: 'CONFIRMATION', language: 'en' }]);
  t.notMatch(JSON.stringify(warnings), 'Byron');
});

t.test('a guest gets the mail once, from the property, in the name that was booked', async (t) => {
  const [reservationId] = await waiting('once');
  await office.send('once');
  await office.send('once');
  t.match(office.mails, [
    {
      to: { name: 'Ada Byron', address: /^guest-.*@example\.com$/ },
      from: { name: 'The Anchor' },
      subject: / at The Anchor is confirmed$/,
      about: { tenantId: 'once', reservationId, kind: 'CONFIRMATION' },
    },
  ]);
  t.equal(office.mails.length, 1);
  t.match(office.mails[0]!.text, /Room type: +STD\n.*\n.*Total: +EUR 228\.00/s);
  t.same(await office.rows('once'), [
    { kind: 'CONFIRMATION', channel: 'MAIL', state: 'SENT', attempts: 1, error: null },
  ]);
});

t.test('a letter has the link of the stay as of the order, and goes without one that was revoked', async (t) => {
  await waiting('links', 2);
  const asked: number[] = [];
  const orderedAt = clock.now();
  clock.pass(5 * MINUTE);
  const stayUrl = async (_tenantId: string, _id: string, at: number) => {
    asked.push(at);
    return asked.length === 1 ? 'https://hotel.example/stay/k1' : undefined;
  };
  await office.send('links', 'MAIL', office.posting({ stayUrl }));
  t.same(asked, [orderedAt, orderedAt]);
  t.equal(office.mails.length, 2);
  t.equal(office.mails.filter(({ text }) => text.includes('https://hotel.example/stay/k1')).length, 1);
});

t.test('a mail describes the booking as it was then and goes to the current address', async (t) => {
  const property = await office.property('then');
  const { id } = await office.booked(property);
  property.scene.accept(modifyCommand(id, { adults: 1 }, { guest: { email: 'new@example.com' } }));
  property.scene.accept(cancelCommand(id));
  await write(property);
  await office.gather('then');
  await office.send('then');
  t.same(
    office.mails.map(({ to, subject, text }) => [
      to.address,
      subject.split(' ').slice(-1)[0],
      /Guests: +(\d)/.exec(text)?.[1],
    ]),
    [
      ['new@example.com', 'confirmed', '2'],
      ['new@example.com', 'changed', '1'],
      ['new@example.com', 'cancelled', '1'],
    ],
  );
});

t.test('a guest is notified in the order of events, however long that takes', async (t) => {
  const property = await office.property('order');
  const { id } = await office.booked(property);
  property.scene.accept(cancelCommand(id));
  await write(property);
  await office.gather('order');
  office.answer = ({ about }) =>
    about.kind === 'CONFIRMATION' ? { outcome: 'DEFERRED', reason: 'SMTP 450 to RCPT TO' } : { outcome: 'SENT' };
  await office.send('order');
  office.answer = () => ({ outcome: 'SENT' });
  await Promise.all([office.send('order'), office.send('order')]);
  t.same(office.kinds('order'), [], 'nobody hears of the end before the beginning');
  clock.pass(MINUTE);
  await Promise.all([office.send('order'), office.send('order'), office.send('order')]);
  await office.send('order');
  t.same(office.kinds('order'), ['CONFIRMATION', 'CANCELLATION']);
});

t.test('the id of a mail is the same when all memory of it was lost', async (t) => {
  await waiting('ids', 2);
  await office.send('ids');
  await admin.query(`delete from notifications where tenant_id = 'ids'`);
  await admin.query(`update notification_positions set seq = 0 where tenant_id = 'ids'`);
  await office.gather('ids');
  await office.send('ids');
  const ids = office.mails.map(({ messageId }) => messageId);
  t.equal(ids.length, 4);
  t.same(ids.slice(0, 2).sort(), ids.slice(2).sort());
  t.equal(new Set(ids).size, 2);
});

t.test('a process that dies before it has begun to send has lost nothing', async (t) => {
  await waiting('early');
  await t.rejects(batch('early', { read: () => Promise.reject(dead) }), dead);
  clock.pass(MINUTE);
  await t.rejects(batch('early', { begin: () => Promise.reject(dead) }), dead);
  await office.send('early');
  t.same(await states('early'), ['WAITING'], 'somebody may still be at it');
  t.equal(office.mails.length, 0);
  clock.pass(MINUTE);
  await office.send('early');
  t.same(office.kinds('early'), ['CONFIRMATION']);
  t.same(await states('early'), ['SENT']);
});

t.test('a message that may be on its way is never sent again, whatever happens', async (t) => {
  await waiting('late', 2);
  office.answer = (mail) => {
    office.mails.push(mail);
    return new Promise(() => {});
  };
  // The process dies before the server answers: nothing follows this.
  void batch('late');
  await untilTime(() => office.mails.length >= 2, 'both mails');
  t.same(await states('late'), ['SENDING', 'SENDING']);
  office.answer = () => ({ outcome: 'SENT' });
  clock.pass(2 * MINUTE);
  await office.send('late');
  await clearNotifications(office.posting(), 'late');
  t.same(await states('late'), ['SENDING', 'SENDING'], 'it may be slow');
  clock.pass(3 * MINUTE);
  await clearNotifications(office.posting(), 'late');
  await office.gather('late');
  await office.send('late');
  t.equal(office.mails.length, 2);
  t.match(await office.rows('late'), [{ state: 'UNKNOWN', error: 'its sender was cut off' }, { state: 'UNKNOWN' }]);
});

t.test('a mail whose end could not be noted is not sent again', async (t) => {
  await waiting('unnoted');
  await t.rejects(batch('unnoted', { recordOutcome: () => Promise.reject(dead) }), dead);
  clock.pass(10 * MINUTE);
  await office.send('unnoted');
  await clearNotifications(office.posting(), 'unnoted');
  await office.send('unnoted');
  t.same(office.kinds('unnoted'), ['CONFIRMATION']);
  t.same(await states('unnoted'), ['UNKNOWN']);
});

t.test(
  'a clock that jumps while a mail is on its way does not make it come twice, and its outcome is recorded',
  async (t) => {
    await waiting('jump');
    const [began, go] = [new Gate(), new Gate()];
    office.answer = async () => {
      began.open();
      await go.opened;
      return { outcome: 'SENT' };
    };
    const slow = batch('jump');
    await began.opened;
    clock.pass(800 * 24 * 60 * MINUTE);
    await clearNotifications(office.posting(), 'jump');
    t.same(await states('jump'), ['UNKNOWN']);
    await office.send('jump');
    go.open();
    await slow;
    t.same(office.kinds('jump'), ['CONFIRMATION']);
    t.same(await states('jump'), ['SENT']);
  },
);

t.test('two nodes that send at once send each mail once', async (t) => {
  await waiting('nodes', 40);
  await Promise.all(Array.from({ length: 6 }, () => office.send('nodes')));
  t.equal(office.kinds('nodes').length, 40);
  t.equal(new Set(office.mails.map(({ messageId }) => messageId)).size, 40);
});

t.test('of two senders that have leased the same mail one sends it', async (t) => {
  await waiting('leased', 3);
  const [read, go] = [new Gate(), new Gate()];
  const slow = batch('leased', {
    begin: async (...what) => {
      read.open();
      await go.opened;
      return notifications.begin(...what);
    },
  });
  await read.opened;
  clock.pass(MINUTE);
  await office.send('leased');
  go.open();
  await slow;
  t.equal(office.kinds('leased').length, 3);
  t.same(await states('leased'), ['SENT', 'SENT', 'SENT']);
});

t.test('a temporary rejection is retried with growing pauses, and not for ever', async (t) => {
  await waiting('later');
  let tries = 0;
  office.answer = () => {
    tries += 1;
    return { outcome: 'DEFERRED', reason: 'SMTP 450 to RCPT TO' };
  };
  await office.send('later');
  for (const minutes of [1, 2, 5, 10, 30, 60, 120, 240, 480]) {
    const before = tries;
    clock.pass(minutes * MINUTE - 1);
    await office.send('later');
    t.equal(tries, before, 'not yet');
    clock.pass(1);
    await office.send('later');
    t.equal(tries, before + 1);
  }
  clock.pass(10_000 * MINUTE);
  await office.send('later');
  t.equal(tries, 10);
  t.same(await office.rows('later'), [
    { kind: 'CONFIRMATION', channel: 'MAIL', state: 'FAILED', attempts: 10, error: 'SMTP 450 to RCPT TO' },
  ]);
});

t.test('a permanent rejection fails at once, and a message that may have arrived is left alone', async (t) => {
  const [refused, unknown, taken] = await waiting('ends', 3);
  office.answer = answering({
    [refused!]: { outcome: 'REFUSED', reason: 'SMTP 550 to RCPT TO' },
    [unknown!]: { outcome: 'UNKNOWN', reason: 'ETIMEDOUT' },
  });
  const warned: object[] = [];
  const log = { ...quiet, warn: (facts: object) => void warned.push(facts) };
  await office.send('ends', 'MAIL', office.posting({ log }));
  clock.pass(1_000 * MINUTE);
  await office.send('ends');
  t.same((await states('ends')).sort(), ['FAILED', 'SENT', 'UNKNOWN']);
  t.match(office.mails, [{ about: { reservationId: taken } }]);
  t.equal(warned.length, 2);
  t.match(warned, [{ reservationId: refused, reason: 'SMTP 550 to RCPT TO' }, { reservationId: unknown }]);
  t.notMatch(JSON.stringify(warned), /@|Byron/);
});

t.test('a server that is away gets no more than one batch until the next check', async (t) => {
  await waiting('away', 20);
  let tries = 0;
  office.answer = () => {
    tries += 1;
    return { outcome: 'AWAY', reason: 'ECONNREFUSED' };
  };
  t.same(await batch('away'), { taken: 8, partner: 'AWAY' });
  t.equal(tries, 8);
  clock.pass(MINUTE);
  office.answer = () => ({ outcome: 'SENT' });
  await office.send('away');
  t.equal(office.kinds('away').length, 20);
});

t.test('a message that cannot be written stops no other, and is given up in the end', async (t) => {
  const [broken] = await waiting('broken', 10);
  await admin.query(`update reservations set details = '{"guest":{}}' where id = $1`, [broken]);
  await office.send('broken');
  t.equal(office.kinds('broken').length, 9);
  for (let n = 0; n < 10; n++) {
    clock.pass(500 * MINUTE);
    await office.send('broken');
  }
  t.same(
    (await office.rows('broken')).filter(({ state }) => state !== 'SENT'),
    [{ kind: 'CONFIRMATION', channel: 'MAIL', state: 'FAILED', attempts: 10, error: 'TypeError' }],
  );
});

t.test('an adapter that breaks leaves the outcome of its mail unknown', async (t) => {
  await waiting('adapter');
  office.answer = () => Promise.reject(new RangeError('ada@example.com'));
  await office.send('adapter');
  t.match(await office.rows('adapter'), [{ state: 'UNKNOWN', error: 'RangeError' }]);
});

t.test('a guest who was erased gets no messages', async (t) => {
  const [deleted, erased] = await waiting('gone', 2);
  await admin.query('update reservations set deleted_at = now() where id = $1', [deleted]);
  await admin.query(
    `update reservations set details = jsonb_set(details::jsonb, '{guest,email}', '""') where id = $1`,
    [erased],
  );
  await office.send('gone');
  t.same(office.kinds('gone'), []);
  t.same((await office.rows('gone')).map(({ state, error }) => `${state}: ${error}`).sort(), [
    'DROPPED: the reservation is gone',
    'DROPPED: there is no address',
  ]);
});

t.test('a process that goes takes nothing on', async (t) => {
  await waiting('going');
  const going = AbortSignal.abort();
  await sendNotifications(office.posting(), 'going', 'MAIL', going);
  t.same(await states('going'), ['WAITING']);
  t.equal(office.mails.length, 0);
});

t.test(
  'a guest is notified of each instalment that fails, and what is paid meanwhile is not asked for',
  async (t) => {
    const property = await office.property('failed');
    const { scene } = property;
    const half = { percent: 50, due: { at: 'BOOKING' as const } };
    const depositSchedule = [half, { percent: 50, due: { daysBefore: 2 } }];
    const parts = plan({ code: 'PARTS', guarantee: 'PREPAY', depositSchedule });
    scene.accept({ type: 'PUT_RATE_PLAN', plan: parts, mode: 'create' });
    const [failing, paying] = [
      await office.booked(property, { stay: { ...property.stay(3), rateCode: 'PARTS' } }),
      await office.booked(property, { stay: { ...property.stay(3), rateCode: 'PARTS' } }),
    ];
    const payHalf = (id: string): void => {
      const { attempt } = scene.accept(startPaymentCommand(id, { amount: 11_400 }));
      scene.accept(endPaymentCommand(id, paid(attempt)));
    };
    const fail = (id: string): void => {
      const ids = { paymentId: freshId(), cancellationId: freshId(), refundId: freshId() };
      scene.accept({ type: 'CHARGE_DUE', reservationId: id, ...ids });
    };
    const aDay = (): void => {
      clock.pass(24 * 60 * MINUTE);
      scene.pass(clock.now() - scene.now);
      scene.accept({ type: 'TICK' });
    };
    for (const { id } of [failing, paying]) payHalf(id);
    aDay();
    for (const { id } of [failing, paying]) fail(id);
    payHalf(paying.id);
    const send = async (): Promise<void> => {
      await write(property);
      await office.gather('failed');
      await office.send('failed');
    };
    await send();
    const failures = () => office.mails.filter(({ about: { kind } }) => kind === 'PAYMENT_FAILED');
    t.match(failures(), [
      { about: { reservationId: failing.id }, subject: /^A payment for your reservation .* has failed$/ },
    ]);
    t.equal(failures().length, 1);
    t.match(failures()[0]!.text, /Due now: +EUR 114\.00/);
    const dropped = (await office.rows('failed')).filter(({ state }) => state === 'DROPPED');
    t.match(dropped, [{ kind: 'PAYMENT_FAILED', error: 'nothing is due any more' }]);
    for (const _ of ['second', 'third']) {
      aDay();
      fail(failing.id);
      await send();
    }
    t.equal(failures().length, 3);
  },
);

t.test('texts go their own way', async (t) => {
  const property = await office.property('texts');
  await office.booked(property, { guest: { phone: '+49 170 1' } });
  await office.gather('texts', office.withSms());
  office.answer = () => ({ outcome: 'AWAY', reason: 'ECONNREFUSED' });
  await office.send('texts', 'MAIL', office.withSms());
  await office.send('texts', 'SMS', office.withSms());
  t.match(office.texts, [{ to: '+49 170 1', text: /is confirmed: .*2 nights\.$/, about: { kind: 'CONFIRMATION' } }]);
  t.same(await states('texts'), ['WAITING', 'SENT']);
});

t.test('an ended notification is removed after 30 days, and nothing is sent for it again', async (t) => {
  await waiting('old', 3);
  await office.send('old');
  const [late] = await waiting('old');
  t.ok(late);
  clock.pass(30 * 24 * 60 * MINUTE - 1);
  await clearNotifications(office.posting(), 'old');
  t.equal((await states('old')).length, 4);
  clock.pass(1);
  await clearNotifications(office.posting(), 'old');
  t.same(await states('old'), ['WAITING'], 'what still waits is retained');
  await office.gather('old');
  await office.send('old');
  t.equal(office.kinds('old').length, 4);
});
