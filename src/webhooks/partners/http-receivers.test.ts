import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';

import { untilTime } from '../../testing/fake-clock.ts';
import { HttpReceivers } from './http-receivers.ts';

const MESSAGE = {
  of: 'hook',
  headers: { 'webhook-id': 'one', 'content-type': 'application/json' },
  body: '{"type":"é"}',
};

/** A receiver on a real socket. */
async function receiver(t: Test, answer: RequestListener) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  t.teardown(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1`, asked, close };
}

function receivers(t: Test, options: Partial<ConstructorParameters<typeof HttpReceivers>[0]> = {}): HttpReceivers {
  const made = new HttpReceivers({ allowPrivate: true, ...options });
  t.teardown(() => made[Symbol.dispose]());
  return made;
}

t.test('2xx is taken, over one connection; all else is not, in texts of ours', async (t) => {
  let status = 204;
  const { url, asked, close } = await receiver(t, (request, response) => {
    request.resume();
    response.writeHead(status, { 'retry-after': '7', location: '/other' }).end(status === 204 ? undefined : 'secret');
  });
  const some = receivers(t);
  const send = () => some.send({ url, ...MESSAGE });
  t.match(await send(), { isTaken: true, httpStatus: 204, failure: undefined });
  t.match(await send(), { isTaken: true });
  t.equal(new Set(asked.map(({ socket }) => socket.remotePort)).size, 1);
  t.match(asked[0], { method: 'POST', url: '/hooks?a=1', headers: { 'webhook-id': 'one', 'content-length': '13' } });
  t.equal(asked[0]?.headers.host, new URL(url).host);
  status = 302;
  t.match(await send(), { isTaken: false, failure: 'it redirects, which is not followed', httpStatus: 302 });
  t.equal(asked.length, 3, 'and it was not followed');
  status = 503;
  t.match(await send(), { isTaken: false, failure: 'it answers 503', retryAfterMs: 7_000 });
  close();
  t.match(await send(), { isTaken: false, failure: /^it cannot be reached \(E[A-Z]+\)$/ });
});

t.test('an answer without an end does not hold up a message, nor one without a beginning', async (t) => {
  const endless = await receiver(t, (_, response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.on('close', () => clearInterval(more));
  });
  const some = receivers(t, { timeoutMs: 2_000 });
  t.match(await some.send({ url: endless.url, ...MESSAGE }), { isTaken: true });
  t.match(await some.send({ url: endless.url, ...MESSAGE }), { isTaken: true });
  await new Promise<void>((cut) => endless.asked[0]!.socket.once('close', cut).destroyed && cut());
  const silent = await receiver(t, () => undefined);
  t.match(await some.send({ url: silent.url, ...MESSAGE }), {
    isTaken: false,
    failure: 'it did not answer within 2 s',
  });
  const unnamed = receivers(t, { timeoutMs: 100, resolve: () => new Promise(() => undefined) });
  t.match(await unnamed.send({ url: 'http://slow.example', ...MESSAGE }), { failure: /did not answer/ });
});

t.test('receivers that say nothing take no connections of others at their host', async (t) => {
  const { url, asked } = await receiver(t, (request, response) => {
    if (request.url === '/taken') response.writeHead(204).end();
  });
  const some = receivers(t, { timeoutMs: 5_000 });
  let over = 0;
  const silent = Array.from({ length: 10 }, (_, n) =>
    Array.from({ length: 16 }, () => some.send({ ...MESSAGE, of: `silent ${n}`, url }).finally(() => (over += 1))),
  ).flat();
  await untilTime(() => asked.length === 160, 'each of them asks for itself');
  const taken = new URL('/taken', url).href;
  t.match(await some.send({ ...MESSAGE, url: taken }), { isTaken: true });
  t.equal(over, 0, 'it waited for none of them');
  t.equal(asked.length, 161);
  t.ok((await Promise.all(silent)).every(({ failure }) => failure === 'it did not answer within 5 s'));
  const one = Array.from({ length: 20 }, () => some.send({ ...MESSAGE, of: 'one', url }));
  await untilTime(() => asked.length >= 177, 'sixteen of twenty');
  await new Promise((later) => setTimeout(later, 200));
  t.equal(asked.length, 177, 'one has at most 16 connections');
  await Promise.all(one);
});

t.test('a connection goes to the address that was looked up, and to a public one only', async (t) => {
  const { url, asked } = await receiver(t, (_, response) => void response.end());
  const { port } = new URL(url);
  const named = receivers(t, { resolve: async () => ['127.0.0.1'] });
  t.match(await named.send({ url: `http://hooks.example.com:${port}/`, ...MESSAGE }), { isTaken: true });
  t.equal(asked[0]?.headers.host, `hooks.example.com:${port}`);
  const strict = receivers(t, { allowPrivate: false, resolve: async () => ['93.184.216.34', '127.0.0.1'] });
  const failure = 'its name has an address that is not public';
  t.match(await strict.send({ url: `https://hooks.example.com:${port}/`, ...MESSAGE }), { isTaken: false, failure });
  const nowhere = receivers(t, { allowPrivate: false, resolve: async () => [] });
  t.match(await nowhere.send({ url: 'https://hooks.example.com/', ...MESSAGE }), { failure: /no address/ });
  t.match(await nowhere.send({ url, ...MESSAGE }), { failure: 'the address is not https' }, 'whatever was stored');
  t.equal(asked.length, 1);
});

t.test('addresses to which nothing is sent are refused where they are named', async (t) => {
  const strict = receivers(t, { allowPrivate: false });
  t.equal(strict.faultOf('https://hooks.example.com/a?b=c'), undefined);
  t.equal(strict.faultOf('https://93.184.216.34:8443/'), undefined);
  const refused = {
    'hooks.example.com': 'is no https URL',
    'file:///etc/passwd': 'is no https URL',
    'http://hooks.example.com/': 'is not https',
    'https://me:secret@hooks.example.com/': 'has a user name or a password',
    'https://hooks.example.com/#a': 'has a fragment',
    'https://localhost/': 'is no public name',
    'https://db.internal/': 'is no public name',
    'https://redis/': 'is no public name',
    'https://127.0.0.1/': 'is no public address',
    'https://127.1/': 'is no public address',
    'https://0x7f000001/': 'is no public address',
    'https://2130706433/': 'is no public address',
    'https://169.254.169.254/latest/meta-data/': 'is no public address',
    'https://[::1]/': 'is no public address',
    'https://[::ffff:127.0.0.1]/': 'is no public address',
  };
  for (const [url, fault] of Object.entries(refused)) t.equal(strict.faultOf(url), fault, url);
  const open = receivers(t);
  t.equal(open.faultOf('http://127.0.0.1:3000/'), undefined);
  t.equal(open.faultOf('file:///etc/passwd'), 'is no https URL');
});
