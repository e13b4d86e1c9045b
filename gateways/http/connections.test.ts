import { Body, Controller, Get, Post } from '@nestjs/common';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'tap';
import { z } from 'zod';

import { DRAIN_MS } from '../../src/kernel/rules/drain.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { startHttpWorld } from '../../src/testing/http-world.ts';
import { drainHttp } from './drain-http.ts';
import { Needs, OpenRoute } from './route.ts';

@Controller()
class Things {
  @Get('open')
  @OpenRoute()
  open() {
    return {};
  }

  @Get('endless')
  @OpenRoute()
  endless() {
    return new Promise(() => {});
  }

  @Get('api/v1/things')
  @Needs('rate.read')
  list() {
    return {};
  }

  @Post('api/v1/things')
  @Needs('reservation.create')
  create(@Body({ schema: z.strictObject({}) }) _body: unknown) {
    return {};
  }
}

const things = { controllers: [Things] };

/** Opens a connection, sends `text`, and then `drip` again and again; answers what came when the other end closed. */
async function dripped(url: string, text: string, drip = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let got = '';
  const again = setInterval(() => socket.write(drip), 50);
  let isClosed = false;
  socket.on('error', () => {});
  socket.on('close', () => (isClosed = true));
  socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
  socket.write(text);
  await untilTime(() => isClosed, 'the end of the connection');
  clearInterval(again);
  return got;
}

void test('who sends slowly is cut off, and others are served meanwhile', async (t) => {
  await using world = await startHttpWorld(things, { bounds: { headMs: 300, requestMs: 600, lookMs: 50 } });
  const head = 'POST /api/v1/things HTTP/1.1\r\nhost: x\r\n';
  const token = 'authorization: Bearer demo-staff\r\nx-tenant-id: demo\r\ncontent-type: application/json\r\n';
  const slow = Promise.all([
    dripped(world.url, head),
    dripped(world.url, head, 'a: b\r\n'),
    dripped(world.url, `${head}${token}content-length: 9000\r\n\r\n`, '{'),
  ]);
  t.equal((await world.call('/open')).status, 200);
  for (const answer of await slow) t.match(answer, /^HTTP\/1\.1 408 .*took too long/s);
});

void test('a head is 16 KB at most', async (t) => {
  await using world = await startHttpWorld(things);
  const long = 'x'.repeat(20_000);
  for (const head of [`GET /open HTTP/1.1\r\nhost: x\r\na: ${long}`, `GET /open?a=${long} HTTP/1.1\r\nhost: x`])
    t.match(await dripped(world.url, `${head}\r\n\r\n`), /^HTTP\/1\.1 431 .*HEADERS_TOO_LARGE/s);
});

void test('a listener has so many connections and no more', async (t) => {
  await using world = await startHttpWorld(things, { bounds: { connections: 3 } });
  const { port } = new URL(world.url);
  const sockets = Array.from({ length: 6 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  const asked = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => {
        socket.once('data', () => resolve('served'));
        socket.once('close', () => resolve('closed'));
        socket.write('GET /open HTTP/1.1\r\nhost: x\r\n\r\n');
      }),
  );
  t.same((await Promise.all(asked)).sort(), ['closed', 'closed', 'closed', 'served', 'served', 'served']);
  for (const socket of sockets) socket.destroy();
});

void test('no answer may be run or framed by a browser', async (t) => {
  await using world = await startHttpWorld(things);
  for (const path of ['/api/v1/things', '/api/v1/nothing', '/open', '/nothing']) {
    const { headers } = await world.call(path);
    t.match(headers.get('content-security-policy'), /default-src 'none'; frame-ancestors 'none'/, path);
    t.equal(headers.get('x-content-type-options'), 'nosniff', path);
  }
});

void test('a draining node keeps no connection, so that the next request goes to another node', async (t) => {
  await using staying = await startHttpWorld(things, { isLeaving: () => false });
  t.equal((await staying.call('/api/v1/things')).headers.get('connection'), 'keep-alive');
  await using leaving = await startHttpWorld(things, { isLeaving: () => true });
  const answer = await leaving.call('/api/v1/things');
  t.same([answer.status, answer.headers.get('connection')], [200, 'close']);
});

void test('a process that ends cuts off what takes too long, on all listeners at the same time', async (t) => {
  const worlds = [await startHttpWorld(things), await startHttpWorld(things)];
  const servers = worlds.map(({ app }) => app.getHttpServer());
  const request = 'GET /endless HTTP/1.1\r\nhost: x\r\n\r\n';
  const under = servers.map((server) => once(server, 'request', { signal: AbortSignal.timeout(60_000) }));
  const cutOff = worlds.map(({ url }) => dripped(url, request));
  const wasOpen: boolean[] = [];
  for (const server of servers) server.once('close', () => wasOpen.push(servers.some(({ listening }) => listening)));
  await Promise.all(under);
  // So late that only the least is left.
  const closed = drainHttp(
    worlds.map(({ app }) => app),
    performance.now() - DRAIN_MS.all,
  );
  t.same(await Promise.all(cutOff), ['', '']);
  await closed;
  t.same(wasOpen, [false, false], 'no listener waits for the requests of another');
});
