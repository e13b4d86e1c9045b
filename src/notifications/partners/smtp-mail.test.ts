import { connect } from 'node:net';
import t, { type Test } from 'tap';

import { untilTime } from '../../testing/fake-clock.ts';
import { MailServer, type MailScript } from '../../testing/partners/mail-server.ts';
import type { Mail } from '../ports.ts';
import { SmtpMail } from './smtp-mail.ts';

const alive = new AbortController().signal;
/** Short where the server says nothing. */
const patience = (reason: string) => (reason === 'ETIMEDOUT' ? { timeoutMs: 1_000, answerMs: 1_000 } : {});

const mail = (changed: Partial<Mail> = {}): Mail => ({
  messageId: '0c1f9e6e-6a57-5f43-9a53-7d1f6f1f2f60',
  subject: 'Your stay',
  text: 'Hello\n.\nthere',
  html: '<p>Hello</p>',
  to: { name: 'Ada Byron', address: 'ada@example.com' },
  from: { name: 'The Anchor', replyTo: 'desk@anchor.example' },
  about: { tenantId: 'acme', reservationId: 'r1', kind: 'CONFIRMATION' },
  ...changed,
});

async function serving(t: Test, script: MailScript = {}): Promise<MailServer> {
  const server = await MailServer.open();
  server.script = script;
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

t.test('a mail is handed over with both texts, its id, and the Reply-To address', async (t) => {
  const server = await serving(t);
  const sender = new SmtpMail(server.url('', '?from=stay@group.example'));
  t.same(await sender.send(mail(), alive), { outcome: 'SENT' });
  const [{ from, to, message } = { from: '', to: '', message: '' }] = server.received;
  t.same([from, to], ['stay@group.example', 'ada@example.com']);
  for (const header of [
    'From: The Anchor <stay@group.example>',
    'To: Ada Byron <ada@example.com>',
    'Reply-To: The Anchor <desk@anchor.example>',
    'Subject: Your stay',
    'Message-ID: <0c1f9e6e-6a57-5f43-9a53-7d1f6f1f2f60@group.example>',
    'Auto-Submitted: auto-generated',
  ])
    t.match(message, header);
  t.match(message, /Content-Type: multipart\/alternative/);
  t.match(message, 'Hello\r\n..\r\nthere', 'a dot of its own does not end it');
  t.match(message, '<p>Hello</p>');
});

t.test('names with odd characters stay one header and one recipient', async (t) => {
  const server = await serving(t);
  const name = 'Ada "Countess", <evil@example.com>\r\nBcc: all@example.com';
  const odd = mail({ to: { name, address: 'ada@example.com' }, subject: 'Größe\r\nX-Evil: 1', from: { name } });
  t.same(await new SmtpMail(server.url()).send(odd, alive), { outcome: 'SENT' });
  t.equal(server.commands.filter((line) => line.startsWith('RCPT')).length, 1);
  const [head = ''] = server.received[0]!.message.split('\r\n\r\n', 1);
  t.notMatch(head, /^(Bcc|X-Evil)/m);
});

t.test('the sender defaults to the user of the address', async (t) => {
  const server = await serving(t);
  await new SmtpMail(server.url('desk%40anchor.example:s%3Acret@')).send(mail(), alive);
  t.equal(server.received[0]!.from, 'desk@anchor.example');
  t.match(server.commands, [/^EHLO/, `AUTH PLAIN ${btoa('\0desk@anchor.example\0s:cret')}`]);
  await new SmtpMail(server.url()).send(mail(), alive);
  t.equal(server.received[1]!.from, 'reservations@127.0.0.1');
});

t.test('the answer of the server to the message decides about it', async (t) => {
  const cases: [MailScript, string, string][] = [
    [{ MAIL: '451 busy' }, 'DEFERRED', 'SMTP 451 to MAIL FROM'],
    [{ MAIL: '550 no' }, 'REFUSED', 'SMTP 550 to MAIL FROM'],
    [{ RCPT: '450 greylisted' }, 'DEFERRED', 'SMTP 450 to RCPT TO'],
    [{ RCPT: '550 no such user ada@example.com' }, 'REFUSED', 'SMTP 550 to RCPT TO'],
    [{ DATA: '452 full' }, 'DEFERRED', 'SMTP 452 to DATA'],
    [{ end: '451 not now' }, 'DEFERRED', 'SMTP 451 to DATA'],
    [{ end: '554 spam' }, 'REFUSED', 'SMTP 554 to DATA'],
  ];
  for (const [script, outcome, reason] of cases) {
    const server = await serving(t, script);
    t.same(await new SmtpMail(server.url()).send(mail(), alive), { outcome, reason });
  }
});

t.test('a server that is not for us now has not taken it', async (t) => {
  const cases: [MailScript, string, string?][] = [
    [{ greeting: '554 go away' }, 'SMTP 554 to CONN'],
    [{ greeting: 'HANG' }, 'ETIMEDOUT'],
    [{ greeting: 'DROP' }, 'ECONNECTION'],
    [{ EHLO: 'DROP' }, 'ECONNECTION'],
    [{ AUTH: '535 wrong password' }, 'SMTP 535 to AUTH PLAIN', 'user:pass@'],
    [{ MAIL: '421 closing' }, 'SMTP 421 to MAIL FROM'],
    [{ RCPT: 'HANG' }, 'ETIMEDOUT'],
    [{ DATA: 'DROP' }, 'ECONNECTION'],
  ];
  for (const [script, reason, login] of cases) {
    const server = await serving(t, script);
    const delivery = await new SmtpMail(server.url(login), patience(reason)).send(mail(), alive);
    t.same(delivery, { outcome: 'AWAY', reason }, JSON.stringify(script));
    t.same(server.received, []);
  }
  const gone = await MailServer.open();
  const url = gone.url();
  await gone[Symbol.asyncDispose]();
  t.same(await new SmtpMail(url).send(mail(), alive), { outcome: 'AWAY', reason: 'ECONNREFUSED' });
});

t.test('a connection that is lost after the message leaves the outcome unknown', async (t) => {
  for (const [end, reason] of [
    ['DROP', 'ECONNECTION'],
    ['HANG', 'ETIMEDOUT'],
  ] as const) {
    const server = await serving(t, { end });
    t.same(await new SmtpMail(server.url(), patience(reason)).send(mail(), alive), {
      outcome: 'UNKNOWN',
      reason,
    });
    t.equal(server.received.length, 1, 'for it may have been taken');
  }
});

t.test('an invalid address is refused without contacting the server', async (t) => {
  const server = await serving(t);
  const delivery = await new SmtpMail(server.url()).send(mail({ to: { name: 'Ada', address: '' } }), alive);
  t.match(delivery, { outcome: 'REFUSED' });
  t.same(server.received, []);
});

t.test('a server that is away again and again is left alone', async (t) => {
  const server = await serving(t, { greeting: '421 too busy' });
  const sender = new SmtpMail(server.url());
  for (let n = 0; n < 5; n++) t.match(await sender.send(mail(), alive), { reason: 'SMTP 421 to CONN' });
  t.same(await sender.send(mail(), alive), { outcome: 'AWAY', reason: 'left alone for a minute' });
  t.equal(sender.breaker, 'OPEN');
  t.equal(server.connections, 5);
  const refusing = await serving(t, { RCPT: '550 no such user' });
  const other = new SmtpMail(refusing.url());
  for (let n = 0; n < 7; n++) t.match(await other.send(mail(), alive), { outcome: 'REFUSED' });
  t.equal(other.breaker, 'CLOSED');
});

t.test('when the process goes, what is not on its way stays, and a last word is waited for', async (t) => {
  const going = new AbortController();
  const hanging = await serving(t, { RCPT: 'HANG' });
  const sent = new SmtpMail(hanging.url()).send(mail(), going.signal);
  await untilTime(() => hanging.commands.some((line) => line.startsWith('RCPT')));
  going.abort();
  t.match(await sent, { outcome: 'AWAY' });
  t.match(await new SmtpMail(hanging.url()).send(mail(), going.signal), {
    outcome: 'AWAY',
    reason: 'the process goes',
  });

  const late = new AbortController();
  const taking = await serving(t);
  taking.arrived = () => late.abort();
  t.same(await new SmtpMail(taking.url()).send(mail(), late.signal), { outcome: 'SENT' });

  const silent = await serving(t, { end: 'HANG' });
  const last = new AbortController();
  silent.arrived = () => last.abort();
  t.match(await new SmtpMail(silent.url(), { lastWordMs: 5 }).send(mail(), last.signal), { outcome: 'UNKNOWN' });
});

t.test('a password goes over no open line to another machine', async (t) => {
  const server = await serving(t);
  const { port } = new URL(server.url());
  // Another name of this machine that does not look like a loopback address.
  const url = `smtp://user:pass@0x7f.1:${port}`;
  const reachable = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '0x7f.1', port: Number(port) }, () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });
  if (!reachable) return t.comment('the system does not know this name');
  t.match(await new SmtpMail(url).send(mail(), alive), { outcome: 'AWAY' });
  t.notOk(server.commands.some((line) => line.startsWith('AUTH')));
  t.same(server.received, []);
});
