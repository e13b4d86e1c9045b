import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { driver, startWorld } from '../../testing/launch/start-world.ts';
import { eventually, isAlive, query, runGroup, throwAwayFolder } from '../../testing/launch/throw-away.ts';

/** Creating a database takes longest here, so the tests share one folder unless they are about a first start. */
const shared = throwAwayFolder(tap);
const world = (t: { teardown(work: () => void): void }, folder = shared) => startWorld(t, folder);

for (const runtime of ['deno', 'node']) {
  test(`${runtime}: SIGTERM to the group, twice: the service drains, then its database stops, exit 0`, async (t) => {
    const { dataDir, read, launch, postmaster } = world(t);
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'dev.json'), '{}');
    const launcher = launch(runtime);
    t.ok(await launcher.said('service is up'), launcher.out.errors);
    t.notOk(existsSync(join(dataDir, 'dev.json')), 'the dev.json of an earlier start is gone');
    t.match(read('up.json'), {
      database: 'up',
      embedded: '1',
      DASHBOARD_DIR: join(dataDir, 'dashboard'),
      url: /^postgres:\/\/postgres:[\w-]+@127\.0\.0\.1:\d+\/innkeeper$/,
    });
    const pid = postmaster();
    launcher.signal('SIGTERM');
    launcher.signal('SIGTERM');
    t.equal(await launcher.end, 0, launcher.out.errors);
    t.match(read('drained.json'), { database: 'up' }, 'the database was there until the service was done');
    t.notOk(isAlive(pid));
    t.notOk(existsSync(join(dataDir, 'launcher.lock')));
  });
}

test('SIGTERM to the service alone ends everything just as well', async (t) => {
  const { read, launch, postmaster } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  const pid = postmaster();
  process.kill(read('up.json').pid, 'SIGTERM');
  t.equal(await launcher.end, 0, launcher.out.errors);
  t.notOk(isAlive(pid));
});

test('SIGINT to the launcher alone reaches the service once', async (t) => {
  const { read, launch } = world(t);
  const launcher = launch('node');
  await launcher.said('service is up');
  process.kill(launcher.pid, 'SIGINT');
  t.equal(await launcher.end, 0, launcher.out.errors);
  t.match(read('drained.json'), { signals: 1 });
});

test('a service has the time of a database that need not be stopped after it', async (t) => {
  const { launch } = world(t);
  const launcher = launch('node', {
    DATABASE_URL: 'postgres://127.0.0.1:1/x',
    NODE_ENV: 'development',
    DRAINS: '8000',
  });
  t.ok(await launcher.said('service is up'), launcher.out.errors);
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0, launcher.out.errors);
});

test('a signal during the first start leaves nothing running', async (t) => {
  const { dataDir, launch } = world(t, throwAwayFolder(t));
  const launcher = launch('node');
  await launcher.said('creating the database');
  launcher.signal('SIGTERM');
  await launcher.end;
  t.notMatch(launcher.out.text, /service is up/);
  t.notOk(existsSync(join(dataDir, 'postgres', 'postmaster.pid')));
  const again = launch('node');
  t.ok(await again.said('service is up'), again.out.errors);
  again.signal('SIGTERM');
  t.equal(await again.end, 0);
});

test('a second launcher is refused and leaves the first one its database and its dev.json', async (t) => {
  const { dataDir, read, launch } = world(t);
  const first = launch('node');
  await first.said('service is up');
  writeFileSync(join(dataDir, 'dev.json'), '{}');
  const second = launch('node');
  t.equal(await second.end, 1);
  t.match(second.out.errors, /^LaunchError: process \d+ already runs on .*: stop it, or set another DATA_DIR\n$/);
  t.match(await query(read('up.json').url, 'select 1 as one'), [{ one: 1 }]);
  t.ok(existsSync(join(dataDir, 'dev.json')));
  first.signal('SIGTERM');
  t.equal(await first.end, 0);
});

test('after kill -9 of the group the next start goes on with the same database', async (t) => {
  const { read, launch } = world(t);
  const first = launch('node');
  await first.said('service is up');
  const { url } = read('up.json');
  await query(url, 'drop table if exists kept; create table kept as select 5 as answer');
  first.signal('SIGKILL');
  await first.end;
  const second = launch('node');
  await second.said('service is up');
  t.match(second.out.errors, /adopted the PostgreSQL of an earlier start/);
  t.match(await query(url, 'select answer from kept'), [{ answer: 5 }]);
  second.signal('SIGTERM');
  t.equal(await second.end, 0);
});

test('a service whose launcher alone was killed is stopped by the next start', async (t) => {
  const { read, launch } = world(t);
  const first = launch('node');
  await first.said('service is up');
  const { pid } = read('up.json');
  process.kill(first.pid, 'SIGKILL');
  const second = launch('node');
  t.ok(await second.said('service is up'), second.out.errors);
  t.match(second.out.errors, /stopping the service of an earlier start/);
  t.notOk(isAlive(pid));
  second.signal('SIGTERM');
  t.equal(await second.end, 0);
});

test('production does not start the embedded database, and says what is missing', async (t) => {
  const { dataDir, launch } = world(t, throwAwayFolder(t));
  const launcher = launch('deno', { NODE_ENV: 'production', OIDC_ISSUER: 'https://login.example.org' });
  t.equal(await launcher.end, 1);
  const missing =
    'DATABASE_URL, SECRET_KEYS, PUBLIC_RATE_URL, PUBLIC_RESERVATION_URL, PUBLIC_LIVE_URL, STRIPE_SECRET_KEY';
  t.match(launcher.out.errors, /^LaunchError: [^\n]*\n$/);
  t.match(launcher.out.errors, `missing: ${missing}\n`);
  t.notOk(existsSync(dataDir));
});

test('a mode that is needed and not said starts nothing, whatever was inherited', async (t) => {
  const { dataDir, launch } = world(t, throwAwayFolder(t));
  const launcher = launch('node', { DATABASE_URL: 'postgres://x@127.0.0.1:1/y', INNKEEPER_EMBEDDED_POSTGRES: '1' });
  t.equal(await launcher.end, 1);
  t.match(launcher.out.errors, /^LaunchError: NODE_ENV: not set, and DATABASE_URL given/);
  t.notOk(existsSync(dataDir));
});

test('with DATABASE_URL there is no embedded database', async (t) => {
  const external = { DATABASE_URL: 'postgres://x@127.0.0.1:1/y' };
  const { dataDir, read, launch } = world(t, throwAwayFolder(t));
  const launcher = launch('node', { ...external, NODE_ENV: 'development', INNKEEPER_EMBEDDED_POSTGRES: '1' });
  await launcher.said('service is up');
  t.match(read('up.json'), { url: 'postgres://x@127.0.0.1:1/y', database: /ECONNREFUSED/ });
  t.notOk('embedded' in read('up.json'));
  t.notOk(existsSync(join(dataDir, 'postgres')));
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0);
});

test('migrate starts a database and stops it again, and leaves one alone that runs already', async (t) => {
  const { folder, dataDir, launch } = world(t, throwAwayFolder(t));
  const script = join(folder, 'migrate.mts');
  writeFileSync(script, `console.log('migrating', process.env.DATABASE_URL as string);`);
  const env = { DATA_DIR: dataDir, DATABASE_URL: '' };
  const run = () => runGroup(folder, driver(`databaseTool({ ...launch, script: '${script}' })`), env);
  const alone = run();
  t.equal(await alone.end, 0, alone.out.errors);
  t.match(alone.out.text, /migrating postgres:\/\/postgres:/);
  t.notOk(existsSync(join(dataDir, 'postgres', 'postmaster.pid')));

  const launcher = launch('node');
  await launcher.said('service is up');
  const beside = run();
  t.equal(await beside.end, 0, beside.out.errors);
  const url = beside.out.text.match(/postgres:\S+/)?.[0] ?? '';
  t.match(await query(url, 'select 1 as one'), [{ one: 1 }]);
  launcher.signal('SIGTERM');
  t.equal(await launcher.end, 0);
  t.ok(await eventually(() => !existsSync(join(dataDir, 'postgres', 'postmaster.pid'))));
});
