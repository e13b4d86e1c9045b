import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { copyTemplate } from '../../../testing/database-template.ts';
import { DatabasePair } from '../../../testing/fail-over/database-pair.ts';
import { PairedServer } from '../../../testing/fail-over/paired-server.ts';
import { connect } from '../connection.ts';
import { openDatabase } from '../database.ts';
import { LimitedClient } from '../limited-client.ts';

/** A real primary with a real standby, in this order: each test goes on where the one before has left them. */
const pair = await DatabasePair.open('synchronous');
tap.teardown(() => pair[Symbol.asyncDispose]());
tap.setTimeout(120_000);

/** The port of the server that a new connection leads to. */
async function leadsTo(url = pair.url): Promise<string> {
  const client = await connect(url, 'innkeeper_app');
  try {
    return String(client.port);
  } finally {
    await client.end();
  }
}

const portOf = ({ place }: { place: string }): string => place.split(':')[1]!;

void test('of several servers the primary is used, wherever it stands in the list', async (t) => {
  t.equal(await leadsTo(), portOf(pair.primary));
  const [first, second] = [pair.primary.place, pair.other.place];
  t.equal(await leadsTo(pair.url.replace(`${first},${second}`, `${second},${first}`)), portOf(pair.primary));
});

void test('a standby alone is refused, in a list or not: the same may succeed after its promotion', async (t) => {
  const alone = pair.other.url;
  await t.rejects(connect(alone, 'innkeeper_app'), { message: /is a standby/, isTemporary: true });
  const twice = alone.replace(
    pair.other.url.split('@')[1]!.split('/')[0]!,
    `${pair.other.place},${pair.other.place}`,
  );
  await t.rejects(connect(twice, 'innkeeper_app'), { message: /no server takes writes: .* is a standby/ });
});

void test('a wrong password is no fail-over: it is said as such', async (t) => {
  const wrong = pair.url.replace(/:[^:@]+@/, ':guessed@');
  await t.rejects(connect(wrong, 'innkeeper_app'), { message: /password/, isTemporary: false });
});

void test('a host that is no address is passed over, and named where there is no other', async (t) => {
  t.equal(await leadsTo(pair.url.replace(pair.other.place, '127.0.0.1:70000')), portOf(pair.primary));
  const none = pair.url.replace(pair.primary.place, pair.other.place).replace(/,[^/]+/, ',127.0.0.1:70000');
  await t.rejects(connect(none, 'innkeeper_app'), { message: /is a standby; .*Invalid URL/, isTemporary: true });
});

void test('connections to an earlier primary are cut, and no new one leads there, although it takes writes', async (t) => {
  await using database = await openDatabase(pair.url);
  const select = () => database.orm.em.fork().execute('select inet_server_port() as port');
  const idle = await connect(pair.url, 'innkeeper_app');
  const ended = new Promise((resolve) => idle.once('end', resolve));
  const earlier = pair.primary;
  t.equal(String(idle.port), portOf(earlier));
  await pair.promote();
  t.equal(await leadsTo(), portOf(pair.primary));
  await ended;
  await select().catch(() => undefined);
  t.same(await select(), [{ port: Number(new URL(pair.primary.url).port) }], 'the pool has new connections');
  pair.primary.line.cut();
  const refused = { message: /was the primary before a fail-over/, isTemporary: true };
  await t.rejects(connect(pair.url, 'innkeeper_app'), refused);
  pair.primary.line.mend();
  t.equal(await leadsTo(), portOf(pair.primary));
});

void test('a connection that was cut while the primary was looked for ends, and who registers it sees that', async (t) => {
  const client = new LimitedClient({ connectionString: pair.url });
  let ends = 0;
  client.on('end', () => (ends += 1));
  const connecting = client.connect();
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  await t.rejects(connecting, /Connection terminated/);
  t.equal(ends, 1);
});

void test('of two servers on one timeline one is used, and the other only once the first is gone', async (t) => {
  // Two standbys of one primary that were promoted apart from each other.
  const folder = fs.mkdtempSync(join(tmpdir(), 'innkeeper-apart-'));
  fs.chmodSync(folder, 0o711);
  t.teardown(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  await using one = new PairedServer('one', folder);
  await using other = new PairedServer('other', folder);
  for (const server of [one, other]) {
    fs.mkdirSync(server.dataDir, { mode: 0o711 });
    await copyTemplate(server.dataDir);
    await server.start();
    // A template that was migrated has the role.
    await server.ask('do $$ begin create role innkeeper_app; exception when duplicate_object then null; end $$');
  }
  const { username, password, pathname } = new URL(one.url);
  await other.ask(`alter role ${username} password '${password}'`);
  const url = `postgres://${username}:${password}@${one.place},${other.place}${pathname}`;
  for (let n = 0; n < 6; n++) t.equal(await leadsTo(url), portOf(one));
  one.line.cut();
  t.equal(await leadsTo(url), portOf(other));
  one.line.mend();
  for (let n = 0; n < 6; n++) t.equal(await leadsTo(url), portOf(other));
});
