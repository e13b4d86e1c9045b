import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import tap, { test } from 'tap';

import { MailServer } from '../../src/testing/partners/mail-server.ts';
import { outbox } from './outbox.ts';
import { advanceClock, BlackboxProperty, must } from './property.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

/** The service with a mail server and an SMS partner of its own (docs/reference/configuration.md#partners). */
/** A mail server that hangs, and several starts. */
tap.setTimeout(300_000);

const mailServer = await MailServer.open();
const texts: { to: string; text: string; messageId: string }[] = [];
const partner = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    texts.push(JSON.parse(body));
    response.writeHead(202).end();
  });
});
await new Promise<void>((done) => partner.listen(0, '127.0.0.1', done));
const service = await Service.start(
  {
    SMTP_URL: mailServer.url('', '?from=stay@group.example'),
    SMS_URL: `http://127.0.0.1:${(partner.address() as AddressInfo).port}/sms`,
  },
  { isWatched: true },
);
tap.teardown(async () => {
  await service.remove();
  await mailServer[Symbol.asyncDispose]();
  partner.closeAllConnections();
  partner.close();
});

const idOf = (message: string): string => /^Message-ID: <([^@]+)@/im.exec(message)?.[1] ?? '';
const mailsTo = (address: string) => mailServer.received.filter(({ to }) => to === address);
const mailed = (address: string, count = 1) =>
  until(`${count} mails`, 60_000, () => (mailsTo(address).length >= count ? true : undefined));

void test('a booking is confirmed by a mail over SMTP and a text, and nothing goes to the outbox', async (t) => {
  const property = await BlackboxProperty.open(service);
  const { guestInfo, confirmationNumber } = await property.booked({ guest: { phone: '+49 170 7654321' } });
  await mailed(guestInfo.email);
  const [mail] = mailsTo(guestInfo.email);
  t.equal(mail?.from, 'stay@group.example');
  t.match(mail?.message, `Your reservation ${confirmationNumber}`);
  t.match(mail?.message, /Content-Type: text\/plain[^]*Content-Type: text\/html/);
  await until('a text', 60_000, () => (texts.length > 0 ? true : undefined));
  t.match(texts, [{ to: '+49 170 7654321', messageId: /^[\da-f-]{36}$/, text: /is confirmed/ }]);
  t.same((await outbox(service)).items, []);
  // Answers of health are cached for a second.
  await until('health reports accepted mails', 60_000, async () => {
    const { text } = await service.call('GET', `${service.dev.reservationUrl}/actuator/health/mail`);
    return text.includes('"UP"') || undefined;
  });
});

void test('a mail server that hangs holds up no booking, and what it did not take comes later', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 } });
  mailServer.script = { RCPT: 'HANG' };
  const guests: string[] = [];
  for (let n = 0; n < 10; n++) guests.push((await property.booked()).guestInfo.email);
  const before = mailServer.commands.length;
  await until('a mail that hangs', 60_000, () =>
    mailServer.commands.slice(before - 40).some((line) => line.startsWith('RCPT')) ? true : undefined,
  );
  t.match(must(await property.book(), 201).json, { status: 'CONFIRMED' }, 'while it hangs');
  const { code } = await service.terminate();
  t.equal(code, 0, 'and it holds up no end');
  mailServer.script = {};
  await service.up();
  must(await advanceClock(service, 600), 200);
  for (const email of guests) await mailed(email);
  t.same(
    guests.map((email) => mailsTo(email).length),
    guests.map(() => 1),
  );
});

void test('kill -9 at any moment: no mail comes twice, and none is lost but those under way', async (t) => {
  const property = await BlackboxProperty.open(service, { rooms: { DLX: 40 } });
  const guests: string[] = [];
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 10; n++) guests.push((await property.booked()).guestInfo.email);
    // Sooner or later after them: before they are read, while they are sent, or when all is done.
    if (round > 0)
      await until('the first mail', 60_000, () => (mailsTo(guests.at(-10 / round) ?? '').length ? true : undefined));
    await service.killHard();
    await service.up();
  }
  must(await advanceClock(service, 3_600), 200);
  const counts = guests.map((email) => mailsTo(email).length);
  t.ok(
    counts.every((count) => count <= 1),
    'never twice',
  );
  const lost = counts.filter((count) => count === 0).length;
  t.comment(`${lost} of ${guests.length} were under way when it was killed`);
  t.ok(lost <= 16, 'at most what was handed over at the moment of a kill');
  const ids = mailServer.received.map(({ message }) => idOf(message));
  t.equal(new Set(ids).size, ids.length);
});
