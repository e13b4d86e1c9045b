import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';

import type { Sms } from '../ports.ts';
import { HttpSms } from './http-sms.ts';

const alive = new AbortController().signal;
const SMS: Sms = {
  messageId: '0c1f9e6e-6a57-5f43-9a53-7d1f6f1f2f60',
  to: '+491701234567',
  text: 'Grüße',
  about: { tenantId: 'acme', reservationId: 'r1', kind: 'REMINDER' },
};

type Request = { method?: string; url?: string; authorization?: string; type?: string; body: string };

async function partner(
  t: Test,
  answer: RequestListener,
): Promise<{ url: string; requests: Request[]; server: Server }> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ method, url, authorization: headers.authorization, type: headers['content-type'], body });
      answer(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

t.test('a text is posted with its number and its id', async (t) => {
  const { url, requests } = await partner(t, (_, response) => response.writeHead(202).end('{"ok":true}'));
  t.same(await new HttpSms(`${url.replace('//', '//user:p%40ss@')}/send?key=1`).send(SMS, alive), {
    outcome: 'SENT',
  });
  const { messageId, to, text } = SMS;
  t.same(requests, [
    {
      method: 'POST',
      url: '/send?key=1',
      authorization: `Basic ${btoa('user:p@ss')}`,
      type: 'application/json',
      body: JSON.stringify({ to, text, messageId }),
    },
  ]);
});

t.test('the status decides whether it may be sent again', async (t) => {
  for (const [status, outcome] of [
    [429, 'AWAY'],
    [500, 'AWAY'],
    [503, 'AWAY'],
    [401, 'AWAY'],
    [400, 'REFUSED'],
    [422, 'REFUSED'],
    [502, 'UNKNOWN'],
    [504, 'UNKNOWN'],
  ] as const) {
    const { url, requests } = await partner(t, (_, response) => response.writeHead(status).end());
    t.same(await new HttpSms(url).send(SMS, alive), { outcome, reason: `HTTP ${status}` });
    t.equal(requests.length, 1);
  }
});

t.test('a redirect is not followed', async (t) => {
  const others = await partner(t, (_, response) => response.end());
  for (const status of [301, 302, 307, 308]) {
    const { url } = await partner(t, (_, response) => response.writeHead(status, { location: others.url }).end());
    t.match(await new HttpSms(url).send(SMS, alive), { outcome: 'REFUSED', reason: /redirects/ });
  }
  t.same(others.requests, []);
});

t.test('a partner that got it and says nothing may have sent it, one that is gone has not', async (t) => {
  const silent = await partner(t, () => {});
  const sent = await new HttpSms(silent.url, { timeoutMs: 300 }).send(SMS, alive);
  t.same(sent, { outcome: 'UNKNOWN', reason: 'no answer within 0.3 s' });
  t.equal(silent.requests.length, 1);
  const cut = await partner(t, (request) => request.socket.destroy());
  t.match(await new HttpSms(cut.url).send(SMS, alive), { outcome: 'UNKNOWN', reason: 'no connection (ECONNRESET)' });
  cut.server.close();
  await once(cut.server, 'close', { signal: AbortSignal.timeout(60_000) });
  t.same(await new HttpSms(cut.url).send(SMS, alive), { outcome: 'AWAY', reason: 'no connection (ECONNREFUSED)' });
});

t.test('a partner that fails repeatedly is left alone', async (t) => {
  const { url, requests } = await partner(t, (_, response) => response.writeHead(500).end());
  const sender = new HttpSms(url);
  for (let n = 0; n < 5; n++) await sender.send(SMS, alive);
  t.same(await sender.send(SMS, alive), { outcome: 'AWAY', reason: 'left alone for a minute' });
  t.equal(sender.breaker, 'OPEN');
  t.equal(requests.length, 5);
});

t.test('sending ends when the process goes', async (t) => {
  const going = new AbortController();
  const { url } = await partner(t, () => going.abort());
  t.match(await new HttpSms(url).send(SMS, going.signal), { outcome: 'UNKNOWN' });
  t.match(await new HttpSms(url).send(SMS, going.signal), { outcome: 'AWAY' });
});
