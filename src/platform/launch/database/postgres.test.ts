import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import {
  eventually,
  isAlive,
  launchFolder,
  query,
  runGroup,
  throwAwayFolder,
} from '../../../testing/launch/throw-away.ts';
import { startPostgres } from './postgres.mjs';

/** Creating a database takes longest here, so the tests share one, in this order. */
const shared = throwAwayFolder(tap);
const sharedData = join(shared, 'data');

/** Starts PostgreSQL, says where, and never stops it: what a killed launcher leaves behind. */
const orphaning = (dataDir: string) => `
  const { startPostgres } = await import('${launchFolder}database/postgres.mjs');
  const { pid, url } = await startPostgres({ dataDir: '${dataDir}' });
  console.log(JSON.stringify({ pid, url }));
  setInterval(() => {}, 1000);`;

async function orphan(folder: string, dataDir: string): Promise<{ pid: number; url: string }> {
  const launcher = runGroup(folder, orphaning(dataDir));
  await launcher.said('pid');
  launcher.signal('SIGKILL');
  await launcher.end;
  return JSON.parse(launcher.out.text);
}

test('a first start creates the database whole, a second finds what the first wrote', async (t) => {
  const dataDir = sharedData;
  // What a first start that was killed half way leaves behind.
  fs.mkdirSync(join(dataDir, 'postgres.new-abc', 'data', 'base'), { recursive: true });
  fs.chmodSync(dataDir, 0o711);
  const lines: string[] = [];
  const first = await startPostgres({ dataDir, log: (line) => lines.push(line) });
  t.equal(first.adopted, false);
  t.match(lines, ['creating the database (first start)']);
  t.strictSame(fs.readdirSync(dataDir).sort(), ['postgres', 'postgres.log'], 'nothing unfinished is left');
  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'data_checksums',
    'listen_addresses',
    'server_encoding',
  ];
  const settings = await query(first.url, `select name, setting from pg_settings where name = any('{${names}}')`);
  t.match(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '127.0.0.1',
    server_encoding: 'UTF8',
  });
  await query(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  t.notOk(isAlive(first.pid), 'stop() resolves once the process is gone');
  await first.stop();

  const second = await startPostgres({ dataDir });
  t.equal(second.adopted, false);
  t.match(await query(second.url, 'select answer from kept'), [{ answer: 42 }]);
  await second.stop();
});

test('the password lies in a file that only its owner reads, and is asked for', async (t) => {
  const dataDir = sharedData;
  const database = await startPostgres({ dataDir });
  t.teardown(() => database.stop());
  t.equal(fs.statSync(join(dataDir, 'postgres', 'innkeeper.password')).mode & 0o777, 0o600);
  t.equal(fs.statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700);
  const stranger = new URL(database.url);
  stranger.password = 'guessed';
  await t.rejects(query(stranger.href, 'select 1'), { code: '28P01' });
});

test('after kill -9 of the whole group the next start adopts the PostgreSQL it left', async (t) => {
  const left = await orphan(shared, sharedData);
  t.ok(isAlive(left.pid), 'the signal did not reach it');
  await query(left.url, 'drop table if exists kept; create table kept as select 1 as answer');
  const next = await startPostgres({ dataDir: sharedData });
  t.match(next, { adopted: true, pid: left.pid, url: left.url });
  t.match(await query(next.url, 'select answer from kept'), [{ answer: 1 }]);
  await next.stop();
  t.notOk(isAlive(left.pid), 'and stops it in the end');
});

test('an orphan in the middle of its shutdown is waited for', async (t) => {
  const left = await orphan(shared, sharedData);
  process.kill(left.pid, 'SIGINT');
  const next = await startPostgres({ dataDir: sharedData });
  t.teardown(() => next.stop());
  t.match(await query(next.url, 'select 1 as one'), [{ one: 1 }]);
});

test('a PostgreSQL that was killed itself is recovered without loss', async (t) => {
  const left = await orphan(shared, sharedData);
  await query(left.url, 'drop table if exists kept; create table kept as select 7 as answer');
  process.kill(left.pid, 'SIGKILL');
  const next = await startPostgres({ dataDir: sharedData });
  t.teardown(() => next.stop());
  t.equal(next.adopted, false);
  t.match(await query(next.url, 'select answer from kept'), [{ answer: 7 }]);
});

test('a stale postmaster.pid does not stop a start', async (t) => {
  const dataDir = sharedData;
  const cluster = join(dataDir, 'postgres');
  await (await startPostgres({ dataDir })).stop();
  const { uid, gid } = fs.statSync(cluster);
  const stranger = spawn(
    'sleep',
    ['30'],
    process.getuid?.() === 0 ? { uid, gid, stdio: 'ignore' } : { stdio: 'ignore' },
  );
  t.teardown(() => stranger.kill());
  // A process that ends under a parent that never asks for its exit code.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 2'], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => parent.kill());
  let zombie = '';
  parent.stdout.on('data', (chunk: Buffer) => (zombie += chunk.toString()));
  await eventually(() => zombie.includes('\n') && !isAlive(Number(zombie)));
  const pids = {
    'a stranger with that id': stranger.pid,
    'a zombie': Number(zombie),
    'no process at all': 4_000_000,
  };
  for (const [who, pid] of Object.entries(pids)) {
    const lines = [pid, cluster, 1_700_000_000, 5432, '', '127.0.0.1', '  1234567         1', 'ready   ', ''];
    fs.writeFileSync(join(cluster, 'postmaster.pid'), lines.join('\n'));
    const database = await startPostgres({ dataDir });
    t.equal(database.adopted, false, who);
    await database.stop();
  }
  t.ok(isAlive(stranger.pid ?? 0), 'the stranger was left alone');
});

test('a PostgreSQL whose folder was deleted is ended before a new one is created', async (t) => {
  const dataDir = sharedData;
  const left = await orphan(shared, dataDir);
  fs.rmSync(dataDir, { recursive: true });
  const next = await startPostgres({ dataDir });
  t.teardown(() => next.stop());
  t.equal(next.adopted, false);
  if (process.platform === 'linux') t.ok(await eventually(() => !isAlive(left.pid)));
});

test('an orphan that does not take our password is stopped, and the start says why', async (t) => {
  const dataDir = sharedData;
  const left = await orphan(shared, dataDir);
  await query(left.url, `alter user postgres password 'forgotten'`);
  await t.rejects(startPostgres({ dataDir }), { name: 'LaunchError', message: /innkeeper.password does not fit/ });
  t.notOk(isAlive(left.pid));
});

test('a damaged data directory is named in one line and left alone', async (t) => {
  const dataDir = sharedData;
  const cluster = join(dataDir, 'postgres');
  const refused = async (line: RegExp) => {
    const error = await startPostgres({ dataDir }).then(
      (database) => database.stop(),
      (reason: Error) => reason,
    );
    t.match(error, { name: 'LaunchError', message: line });
    t.notMatch(error?.message, /\n/);
  };
  const control = join(cluster, 'global', 'pg_control');
  const original = fs.readFileSync(control);
  fs.truncateSync(control, 100);
  await refused(/does not start on .*postgres: .*pg_control.*put a backup in its place, or delete it/);
  fs.rmSync(control);
  await refused(/is incomplete \(no global\/pg_control\): put a backup in its place, or delete it/);
  fs.writeFileSync(control, original);
  fs.writeFileSync(join(cluster, 'PG_VERSION'), '16\n');
  await refused(/made by PostgreSQL 16, not 18/);
  t.ok(fs.existsSync(join(cluster, 'base')));
});

test('two databases start at the same time, in folders with blanks, commas and quotes', async (t) => {
  const folder = throwAwayFolder(t);
  const names = [`o'neill, "quoted"`, 'zwei Räume'];
  const both = await Promise.all(names.map((name) => startPostgres({ dataDir: join(folder, name) })));
  t.not(both[0]?.port, both[1]?.port);
  await Promise.all(both.map((database) => database.stop()));
});
