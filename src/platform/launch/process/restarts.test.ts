import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { startWorld } from '../../../testing/launch/start-world.ts';
import { eventually, isAlive, query, throwAwayFolder } from '../../../testing/launch/throw-away.ts';

/** The launcher waits longer after each crash. */
tap.setTimeout(300_000);

/** Creating a database takes longest here, so the tests share one folder. */
const shared = throwAwayFolder(tap);
const world = (t: { teardown(work: () => void): void }) => startWorld(t, shared);

for (const runtime of ['deno', 'node']) {
  test(`${runtime}: a service that is killed is started again, and ends as usual`, async (t) => {
    const { dataDir, read, launch, postmaster, pidNow } = world(t);
    const launcher = launch(runtime);
    t.ok(await launcher.said('service is up'), launcher.out.errors);
    const { pid, url } = read('up.json');
    const database = postmaster();
    writeFileSync(join(dataDir, 'dev.json'), '{}');
    process.kill(pid, 'SIGKILL');
    t.ok(await launcher.said(/the service ended \(signal 9\); starting it again in 0.3 s \(1 of 2\)/));
    t.notOk(existsSync(join(dataDir, 'dev.json')), 'nobody is sent to the one that is gone');
    t.ok(await eventually(() => ![0, pid].includes(pidNow())), launcher.out.errors);
    t.equal(read('up.json').url, url);
    t.equal(postmaster(), database, 'the database was left alone');
    launcher.signal('SIGTERM');
    t.equal(await launcher.end, 0, launcher.out.errors);
    t.notOk(isAlive(database));
  });
}

test('a service that dies again and again is started more slowly, and at last stays down with its exit code', async (t) => {
  const { launch, pidNow, postmaster } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  const database = postmaster();
  for (let kill = 1, last = 0; kill <= 7; kill += 1) {
    t.ok(await eventually(() => ![0, last].includes(pidNow())), `start ${kill}`);
    last = pidNow();
    process.kill(last, 'SIGKILL');
  }
  t.equal(await launcher.end, 137);
  t.match(
    launcher.out.errors,
    /\(2 of 2\)\n(.*\n)*.*\(1 of 4\)\n(.*\n)*.*and was started again 4 times within 120 minutes already/,
  );
  t.notOk(isAlive(database));
});

test('a service that fails at its first start is not started again, at a later one it is', async (t) => {
  const { dataDir, launch, pidNow } = world(t);
  rmSync(join(dataDir, 'starts'), { force: true });
  const first = launch('node', { FAILS_FROM_START: '1' });
  t.equal(await first.end, 3);
  t.notMatch(first.out.errors, /starting it again/);
  rmSync(join(dataDir, 'starts'), { force: true });
  const later = launch('node', { FAILS_FROM_START: '2' });
  await later.said('service is up');
  process.kill(pidNow(), 'SIGKILL');
  t.equal(await later.end, 3);
  t.match(
    later.out.errors,
    /\(signal 9\); starting it again in .* \(1 of 2\)\n(.*\n)*.*\(exit code 3\); starting .* \(4 of 4\)/,
  );
});

test('a first start that finds its database away waits for it', async (t) => {
  const { dataDir, launch, pidNow } = world(t);
  rmSync(join(dataDir, 'starts'), { force: true });
  writeFileSync(join(dataDir, 'away'), '');
  const launcher = launch('node', { EXIT_AWAY: '75' });
  t.ok(await launcher.said(/\(exit code 75\); starting it again in .* \(2 of 4\)/), launcher.out.errors);
  rmSync(join(dataDir, 'away'));
  t.ok(await eventually(() => pidNow() !== 0), launcher.out.errors);
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0, launcher.out.errors);
});

test('a service whose start fails for a while, as without its database, comes when it can', async (t) => {
  const { dataDir, launch, pidNow } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  const killed = pidNow();
  writeFileSync(join(dataDir, 'away'), '');
  process.kill(killed, 'SIGKILL');
  t.ok(await launcher.said(/\(exit code 1\); starting it again in .* \(3 of 4\)/), launcher.out.errors);
  rmSync(join(dataDir, 'away'));
  t.ok(await eventually(() => ![0, killed].includes(pidNow())), launcher.out.errors);
  const second = pidNow();
  process.kill(second, 'SIGKILL');
  t.ok(await launcher.said(/\(signal 9\); starting it again in .* \(2 of 2\)/), 'starts that failed count apart');
  t.ok(await eventually(() => ![0, second].includes(pidNow())), launcher.out.errors);
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0, launcher.out.errors);
});

test('a service whose marker somebody has removed is started again all the same', async (t) => {
  const { dataDir, launch, pidNow } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  const killed = pidNow();
  // The launcher has seen it by then.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  rmSync(join(dataDir, 'service.ready'));
  process.kill(killed, 'SIGKILL');
  t.ok(await launcher.said(/\(signal 9\); starting it again/), launcher.out.errors);
  t.ok(await eventually(() => ![0, killed].includes(pidNow())), launcher.out.errors);
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0, launcher.out.errors);
});

test('a start while the service is down takes the place of the launcher that waits', async (t) => {
  const { launch, pidNow, postmaster } = world(t);
  const waiting = launch('node', {}, { service: { firstPauseMs: 60_000 } });
  await waiting.said('service is up');
  const killed = pidNow();
  process.kill(killed, 'SIGKILL');
  t.ok(await waiting.said(/starting it again in 16 s|starting it again in 60 s/), waiting.out.errors);
  const next = launch('node');
  t.ok(await next.said('service is up'), next.out.errors);
  t.match(next.out.errors, /the service of process \d+ is down; stopping that process and taking its place/);
  t.equal(await waiting.end, 0, waiting.out.errors);
  t.not(pidNow(), killed);
  const database = postmaster();
  next.signal('SIGTERM');
  t.equal(await next.end, 0);
  t.notOk(isAlive(database));
});

test('SIGTERM while the service is down ends the launcher and its database', async (t) => {
  const { launch, pidNow, postmaster } = world(t);
  const launcher = launch('node', {}, { service: { firstPauseMs: 60_000, longestPauseMs: 60_000 } });
  await launcher.said('service is up');
  const database = postmaster();
  process.kill(pidNow(), 'SIGKILL');
  await launcher.said('starting it again in 60 s');
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0);
  t.notOk(isAlive(database));
});

test('a database that is killed is started again on its port, an adopted one too', async (t) => {
  const { read, launch, postmaster } = world(t);
  const first = launch('node');
  await first.said('service is up');
  const { url, pid } = read('up.json');
  await query(url, 'drop table if exists kept; create table kept as select 5 as answer');
  let before = postmaster();
  process.kill(before, 'SIGKILL');
  t.ok(await first.said(/PostgreSQL ended \(signal 9\); starting it again \(1 of 2\)/), first.out.errors);
  t.ok(await first.said('PostgreSQL is back'), first.out.errors);
  t.match(await query(url, 'select answer from kept'), [{ answer: 5 }]);
  t.equal(read('up.json').pid, pid, 'the service went on');
  t.not(postmaster(), before);
  first.signal('SIGKILL');
  await first.end;

  const second = launch('node');
  await second.said('adopted');
  await second.said('service is up');
  before = postmaster();
  process.kill(before, 'SIGKILL');
  t.ok(await second.said(/PostgreSQL ended \(.*\); starting it again \(1 of 2\)/), second.out.errors);
  t.ok(await second.said('PostgreSQL is back'), second.out.errors);
  t.match(await query(read('up.json').url, 'select answer from kept'), [{ answer: 5 }]);
  before = postmaster();
  second.signal('SIGTERM');
  t.equal(await second.end, 0, second.out.errors);
  t.notOk(isAlive(before));
});

test('a database that is killed again and again is started more slowly, and at last ends the service', async (t) => {
  const { launch, postmaster, read } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  const { url } = read('up.json');
  for (let kill = 1, last = 0; kill <= 7; kill += 1) {
    t.ok(await eventually(() => isAlive(postmaster()) && postmaster() !== last), `start ${kill}`);
    last = postmaster();
    if (kill > 1) t.ok(await launcher.said(`PostgreSQL is back .process ${last}`), launcher.out.errors);
    process.kill(last, 'SIGKILL');
  }
  t.equal(await launcher.end, 1, launcher.out.errors);
  t.match(
    launcher.out.errors,
    /\(2 of 2\)\n(.*\n)*.*\(1 of 4\)\n(.*\n)*PostgreSQL ended \(signal 9\); it was started again 4 times within 120 minutes/,
  );
  t.match(launcher.out.errors, /postgres\.log; then start again/);
  await t.rejects(query(url, 'select 1'));
});

/** Takes a port as soon as it is free: the last processes of a server that was killed still have it for a moment. */
async function takePort(port: number): Promise<ReturnType<typeof createServer>> {
  for (;;) {
    const server = createServer();
    const isMine = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isMine) return server;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test(
  'a port that was taken meanwhile: the database moves, and the service with it',
  { timeout: 180_000 },
  async (t) => {
    const { launch, postmaster, read, pidNow } = world(t);
    const launcher = launch('node', {}, { database: { firstPauseMs: 4_000 } });
    await launcher.said('service is up');
    const { url, pid } = read('up.json');
    process.kill(postmaster(), 'SIGKILL');
    const port = Number(new URL(url).port);
    const taker = await takePort(port);
    t.teardown(() => taker.close());
    t.ok(await launcher.said(/PostgreSQL is back \(process \d+, port \d+\)/), launcher.out.errors);
    t.ok(await eventually(() => ![0, pid].includes(pidNow())), launcher.out.errors);
    t.not(read('up.json').url, url);
    t.match(read('up.json'), { database: 'up' });
    launcher.signal('SIGTERM');
    t.equal(await launcher.end, 0, launcher.out.errors);
  },
);

test('a database that is frozen is left alone', async (t) => {
  const { launch, postmaster, read } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  const { url } = read('up.json');
  const database = postmaster();
  process.kill(database, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  process.kill(database, 'SIGCONT');
  t.match(await query(url, 'select 1 as one'), [{ one: 1 }]);
  t.equal(postmaster(), database);
  t.notMatch(launcher.out.errors, /starting it again/);
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0);
});

test('after SIGTERM a database that is killed is not started again', async (t) => {
  const { launch, postmaster } = world(t);
  const launcher = launch('node', { DRAINS: '1500' });
  await launcher.said('service is up');
  const database = postmaster();
  process.kill(launcher.pid, 'SIGTERM');
  process.kill(database, 'SIGKILL');
  t.equal(await launcher.end, 0, launcher.out.errors);
  t.notMatch(launcher.out.errors, /starting it again/);
});
