import t from 'tap';

import { SignedText } from '../../kernel/operations/signed-text.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { readDevMailbox } from '../operations/read-dev-mailbox.ts';
import type { Mail } from '../ports.ts';
import { MemoryMailbox } from './memory-mailbox.ts';

const signal = new AbortController().signal;
const services = { signed: new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]) };
const admin = (tenantId: string) => ({ tenantId, subject: 'a', role: 'ADMIN', requestId: 'r' }) as const;

const mail = (n: number, tenantId = 'acme', reservationId = 'r1'): Mail => ({
  messageId: `m${n}`,
  subject: 'Subject',
  text: 'Text',
  html: '<p>Text</p>',
  from: { name: 'The Anchor' },
  to: { name: 'Ada', address: 'ada@example.com' },
  about: { tenantId, reservationId, kind: 'CONFIRMATION' },
});

t.test('the newest messages are stored, and each tenant sees its own', async (t) => {
  const clock = new FakeClock();
  const outbox = new MemoryMailbox(clock, 3);
  for (let n = 0; n < 5; n++) {
    await outbox.mail.send(mail(n), signal);
    clock.pass(1);
  }
  const idsOf = (tenantId: string) =>
    readDevMailbox(outbox, services, admin(tenantId), { limit: 50 }).items.map(({ id }) => id);
  t.same(idsOf('acme'), ['m4', 'm3', 'm2']);
  t.same(idsOf('rival'), []);
  await outbox.mail.send(mail(5, 'rival'), signal);
  t.same(idsOf('acme'), ['m4', 'm3']);
  t.same(idsOf('rival'), ['m5']);
});

t.test('a message is shown as it would have gone out, of one reservation where that is requested', async (t) => {
  const clock = new FakeClock();
  const outbox = new MemoryMailbox(clock);
  t.same(await outbox.mail.send(mail(1), signal), { outcome: 'SENT' });
  const about = { tenantId: 'acme', reservationId: 'r2', kind: 'REMINDER' } as const;
  clock.pass(1);
  t.same(await outbox.sms.send({ messageId: 'm2', to: '+49', text: 'Soon', about }, signal), { outcome: 'SENT' });
  const { items } = readDevMailbox(outbox, services, admin('acme'), { limit: 50 });
  t.match(items, [
    { id: 'm2', channel: 'SMS', kind: 'REMINDER', to: '+49', subject: null, text: 'Soon', html: null },
    {
      id: 'm1',
      channel: 'MAIL',
      to: 'ada@example.com',
      subject: 'Subject',
      html: '<p>Text</p>',
      reservationId: 'r1',
    },
  ]);
  t.same(
    readDevMailbox(outbox, services, admin('acme'), { limit: 50, reservationId: 'r1' }).items.map(({ id }) => id),
    ['m1'],
  );
});

t.test('pages follow each other', async (t) => {
  const outbox = new MemoryMailbox(new FakeClock());
  for (let n = 0; n < 5; n++) await outbox.mail.send(mail(n), signal);
  const first = readDevMailbox(outbox, services, admin('acme'), { limit: 3 });
  const second = readDevMailbox(outbox, services, admin('acme'), { limit: 3, cursor: first.nextCursor });
  t.same(
    [...first.items, ...second.items].map(({ id }) => id),
    ['m4', 'm3', 'm2', 'm1', 'm0'],
  );
  t.equal(second.nextCursor, undefined);
});
