import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import t from 'tap';

import { startRegistry } from '../../../gateways/events/registry.ts';
import { connect } from '../../platform/database/connection.ts';
import { ReconnectingClient } from '../../platform/database/reconnecting-client.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { EventFailure } from '../rules/event-failure.ts';
import { databaseRegistryStore } from '../storage/registry-store.ts';
import { RegistryClient } from './registry-client.ts';

const log = pino({ level: 'silent' });
const TYPE = 'application/vnd.schemaregistry.v1+json';

type Answer = { status: number; type: string | null; body: Record<string, unknown> & unknown[] };

async function ask(
  url: string,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const init = {
    method,
    headers: { 'content-type': TYPE },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await fetch(`${url}${path}`, init);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Answer['body'],
  };
}

const text = (schema: object): { schema: string } => ({ schema: JSON.stringify(schema) });
const ping = (name: string, ...fields: object[]): object => ({
  type: 'record',
  name,
  fields: [{ name: 'id', type: 'string' }, ...fields],
});

void t.test('the embedded registry', async (t) => {
  const database = await withTestDatabase(t);
  const client = new ReconnectingClient(() => connect(database.url, 'innkeeper_system'));
  t.teardown(async () => client[Symbol.asyncDispose]());
  const store = databaseRegistryStore(() => client.client());
  const registry = await startRegistry(store, 0, log);
  t.teardown(() => registry[Symbol.asyncDispose]());
  const { url } = registry;

  await t.test('keeps what it has when it starts again', async (t) => {
    await ask(url, '/subjects/kept-value/versions', text(ping('Kept')));
    const again = await startRegistry(
      databaseRegistryStore(() => client.client()),
      0,
      log,
    );
    const { body } = await ask(again.url, '/subjects/kept-value/versions/latest');
    t.match(body, { version: 1 });
    await again[Symbol.asyncDispose]();
  });

  await t.test('numbers versions without a gap when many register at once', async (t) => {
    const schemas = Array.from({ length: 6 }, (_, n) =>
      ping('Race', { name: `f${n}`, type: ['null', 'string'], default: null }),
    );
    const made = await Promise.all(schemas.map((one) => ask(url, '/subjects/race-value/versions', text(one))));
    t.same(
      made.map(({ status }) => status),
      Array(6).fill(200),
    );
    t.same((await ask(url, '/subjects/race-value/versions')).body, [1, 2, 3, 4, 5, 6]);
  });

  await t.test('refuses what it cannot read, and says nothing of its insides', async (t) => {
    const path = '/subjects/bad-value/versions';
    const deep = JSON.parse(`${'{"type":"array","items":'.repeat(200)}"int"${'}'.repeat(200)}`) as object;
    t.match(await ask(url, path, text(deep)), { status: 422, body: { message: /levels deep/ } });
    t.match(await ask(url, path, { schema: 7 }), { status: 422 });
    t.match(await ask(url, path, { ...text(ping('A')), schemaType: 'PROTOBUF' }), { status: 422 });
    t.match(await ask(url, path, text({ a: 'x'.repeat(600_000) })), { status: 413 });
    t.match(await ask(url, '/nothing'), { status: 404, body: { error_code: 404 } });
    const form = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
    });
    t.equal(form.status, 415, 'what a page in a browser may send without a preflight');
    await form.text();
  });

  await t.test('a change that breaks readers is reported in the messages that clients know', async (t) => {
    await ask(url, '/subjects/taken-value/versions', text(ping('Other')));
    const must = ping('Other', { name: 'must', type: 'int' });
    t.match((await ask(url, '/subjects/taken-value/versions', text(must))).body, {
      message: /^Schema being registered is incompatible.*follow the rules in 6\.4: /,
    });
  });
});

void t.test('a registry that is away is reported, and queried again', async (t) => {
  const fails = async (url: string): Promise<EventFailure> =>
    new RegistryClient(url, { patienceMs: 300 }).idOf('rate.updated').then(
      () => t.fail('it answered') as never,
      (error: EventFailure) => error,
    );
  const open = new Set<Socket>();
  const silent = createServer((socket) => void open.add(socket.on('close', () => open.delete(socket))));
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as { port: number };
  for (const url of [`http://who:secret@127.0.0.1:${port}`, 'http://127.0.0.1:1']) {
    const failure = await fails(url);
    t.ok(failure instanceof EventFailure);
    t.equal(failure.message, 'Schema not found');
    t.equal(failure.remedy, 'ensure the registry is running and its URL is configured');
    t.ok(failure.passes);
    t.notMatch(failure.line, /secret/);
  }
});

void t.test('a 5xx of the registry is retried, a 4xx is final', async (t) => {
  let [status, body] = [500, '{"error_code":50001,"message":"Error in the backend data store"}'];
  const registry = createHttpServer((request, answer) => {
    request.resume();
    answer.writeHead(status, { 'content-type': 'application/vnd.schemaregistry.v1+json' }).end(body);
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  t.teardown(() => registry.close());
  const client = new RegistryClient(`http://127.0.0.1:${(registry.address() as { port: number }).port}`);
  const failure = (work: Promise<unknown>): Promise<EventFailure> =>
    work.then(
      () => t.fail('it was taken') as never,
      (error: EventFailure) => error,
    );
  for (const work of [() => client.idOf('rate.updated'), () => client.schemaOf(7)]) {
    const away = await failure(work());
    t.match(away, { code: 'SCHEMA_NOT_FOUND', message: 'Schema not found', passes: true });
  }
  [status, body] = [
    409,
    '{"error_code":409,"message":"Schema being registered is incompatible with an earlier schema"}',
  ];
  const refused = await failure(client.idOf('rate.updated'));
  t.match(refused, {
    code: 'SCHEMA_INCOMPATIBLE',
    message: 'Schema being registered is incompatible',
    remedy: 'follow the rules in 6.4: new fields have a default, any other change is a new topic or version',
    passes: false,
  });
  [status, body] = [404, '{"error_code":40403,"message":"Schema not found"}'];
  t.equal(await client.schemaOf(7), undefined);
  [status, body] = [200, '<html>a proxy</html>'];
  t.ok(await failure(client.idOf('rate.updated')));
});
