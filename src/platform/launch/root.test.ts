import * as fs from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';

import { asRoot, isAlive, launchFolder, query, runGroup, throwAwayFolder } from '../../testing/launch/throw-away.ts';
import { startPostgres } from './database/postgres.mjs';

const skip = asRoot ? false : 'NOT RUN: only root lends PostgreSQL another account, run this file as root too';
/** The first test creates it, the last one needs it. */
const rootsData = join(throwAwayFolder(tap), 'new', 'data');
const nobody = { uid: 65_534, gid: 65_534 };

const startAndStop = (postgres: string, dataDir: string) => `
  const { startPostgres } = await import('${postgres}');
  const database = await startPostgres({ dataDir: '${dataDir}', log: console.log, homes: '${dataDir}.homes' });
  console.log('started', database.pid);
  await database.stop();`;

test('root runs PostgreSQL under an unprivileged account, in DATA_DIR', { skip }, async (t) => {
  const dataDir = rootsData;
  const database = await startPostgres({ dataDir });
  t.teardown(() => database.stop());
  const status = fs.readFileSync(`/proc/${database.pid}/status`, 'utf8');
  t.notMatch(status, /^Uid:\t0\t/m);
  t.match(status, /^Groups:\t\s*$/m, 'without the groups of root');
  for (const made of [dataDir, join(dataDir, '..')]) t.equal(fs.statSync(made).mode & 0o777, 0o711);
});

test(
  'a DATA_DIR that the account cannot enter keeps its rights; the database lies elsewhere',
  { skip },
  async (t) => {
    const folder = throwAwayFolder(t, 0o700);
    const homes = join(throwAwayFolder(t), 'homes');
    const dataDir = join(folder, 'data');
    fs.mkdirSync(dataDir, { mode: 0o700 });
    const lines: string[] = [];
    const start = () => startPostgres({ dataDir, homes, log: (line) => lines.push(line) });
    const first = await start();
    for (const path of [folder, dataDir]) t.equal(fs.statSync(path).mode & 0o777, 0o700);
    t.match(
      lines[0],
      new RegExp(`runs as user \\w+, who cannot enter this folder; what it needs is kept in ${homes}`),
    );
    t.match(fs.readlinkSync(join(dataDir, 'postgres')), homes);
    await query(first.url, 'create table kept as select 3 as answer');
    await first.stop();
    const second = await start();
    t.match(await query(second.url, 'select answer from kept'), [{ answer: 3 }]);
    await second.stop();

    fs.rmSync(dataDir, { recursive: true });
    const third = await start();
    t.strictSame(
      await query(third.url, `select 1 from pg_tables where tablename = 'kept'`),
      [],
      'a new DATA_DIR is empty',
    );
    await third.stop();
  },
);

test('a checkout that the account cannot enter: programs and database are kept elsewhere', { skip }, async (t) => {
  const checkout = throwAwayFolder(t, 0o700);
  const homes = join(throwAwayFolder(t), 'homes');
  fs.cpSync(launchFolder, join(checkout, 'src/platform/launch'), { recursive: true });
  fs.symlinkSync(join(launchFolder, '../../../node_modules'), join(checkout, 'node_modules'));
  const source = startAndStop(join(checkout, 'src/platform/launch/database/postgres.mjs'), join(checkout, '.data'));
  const run = () => runGroup(checkout, source.replace(/homes: '.*?'/, `homes: '${homes}'`));
  for (const time of ['first', 'second']) {
    const launcher = run();
    t.equal(await launcher.end, 0, launcher.out.errors);
    t.match(launcher.out.text, /started \d+/, time);
  }
  const [home = ''] = fs.readdirSync(homes);
  t.match(fs.readdirSync(join(homes, home)).sort(), ['postgres', /^programs-/]);
});

test('a database of an ordinary user is run by root as that user', { skip }, async (t) => {
  const folder = throwAwayFolder(t, 0o777);
  const dataDir = join(folder, 'data');
  const user = runGroup(folder, startAndStop(`${launchFolder}database/postgres.mjs`, dataDir), {}, nobody);
  t.equal(await user.end, 0, user.out.errors);
  t.equal(fs.statSync(dataDir).mode & 0o777, 0o700);
  const database = await startPostgres({ dataDir });
  t.match(fs.readFileSync(`/proc/${database.pid}/status`, 'utf8'), /^Uid:\t65534\t/m);
  await database.stop();
  t.notOk(isAlive(database.pid));
});

test('a database of root is refused to an ordinary user in one line', { skip }, async (t) => {
  const folder = throwAwayFolder(t, 0o777);
  const user = runGroup(folder, startAndStop(`${launchFolder}database/postgres.mjs`, rootsData), {}, nobody);
  t.not(await user.end, 0);
  t.match(user.out.errors, /LaunchError: the database in .* belongs to user id \d+: start as that user, or as root/);
});
