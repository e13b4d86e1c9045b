import { createServer, type IncomingMessage, type Server } from 'node:http';
import { test } from 'tap';

import { type Load, pump } from './pump.ts';

type Seen = { method: string; body: string; key: string };

async function serve(status: number, body: string): Promise<{ server: Server; port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const text = await collect(incoming);
      seen.push({ method: incoming.method ?? '', body: text, key: String(incoming.headers['idempotency-key']) });
      outgoing.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
    };
    void answer();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return { server, seen, port: typeof address === 'object' && address ? address.port : 0 };
}

async function collect(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

const load = (port: number, more: Partial<Load>): Load => ({
  port,
  method: 'POST',
  paths: ['/x'],
  headers: { 'idempotency-key': 'key-{n}' },
  body: '{"email":"guest-{n}@example.com","é":1}',
  connections: 4,
  seconds: 10,
  ...more,
});

void test('a load stops at its count, and every request is another one', async (t) => {
  const { server, port, seen } = await serve(201, 'x'.repeat(100_000));
  const report = await pump(load(port, { requests: 50 }));
  server.close();
  t.equal(report.requests, 50);
  t.same(report.statuses, { 201: 50 });
  t.equal(new Set(seen.map(({ key }) => key)).size, 50);
  t.equal(new Set(seen.map(({ body }) => body)).size, 50);
  t.equal(
    report.bySecond.reduce((sum, count) => sum + count, 0),
    50,
  );
});

void test('a load stops at its time', async (t) => {
  const { server, port } = await serve(200, '');
  const report = await pump(load(port, { seconds: 0.2 }));
  server.close();
  t.ok(report.requests > 10);
  t.ok(report.seconds < 2);
});

void test('bodies are taken round-robin', async (t) => {
  const { server, port, seen } = await serve(201, '');
  await pump(load(port, { body: ['a-{n}', 'b-{n}'], requests: 4 }));
  server.close();
  t.same(seen.map(({ body }) => body).sort(), ['a-2', 'a-4', 'b-1', 'b-3']);
});

void test('requests that are due wait for no answer, and what a late one waited counts', async (t) => {
  // The only connection is free again when an answer has come, and each takes longer than the pause to the next one.
  const answerMs = 40;
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    setTimeout(() => outgoing.writeHead(200, { 'content-length': 0 }).end(), answerMs);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const late = await pump(load(port, { connections: 1, perSecond: 1000, requests: 10 }));
  const inTime = await pump(load(port, { connections: 10, perSecond: 20, requests: 10 }));
  server.close();
  t.equal(late.requests, 10);
  t.ok(late.ms.p99 > 9 * answerMs - 10, `${late.ms.p99} ms with all the waiting`);
  t.ok(inTime.seconds >= 0.4, `${inTime.seconds} s, spread over the time they are due in`);
});
