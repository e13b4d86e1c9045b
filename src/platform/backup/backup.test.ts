import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import tap, { type Test, test } from 'tap';

import { TemporaryDisk } from '../../../test/blackbox/temporary-disk.ts';
import { eventually, launchFolder, query, throwAwayFolder } from '../../testing/launch/throw-away.ts';
import { type EmbeddedPostgres, startPostgres } from '../launch/database/postgres.mjs';
import { takeLock } from '../launch/process/lock.mjs';

/** The commands as npm runs them, on a real database. The tests share one, in this order. */
const folder = throwAwayFolder(tap);
const dataDir = join(folder, 'data');
const backup = join(folder, 'backups', 'first');
/** As `src/platform/config/config.ts` keeps them. */
const KEYS_OF_THEN = JSON.stringify({ keys: [{ id: 'then', key: Buffer.alloc(32, 1).toString('base64') }] });
const launcher = join(launchFolder, '../../launch.mjs');

type Ended = { code: number | null; said: string };

function begin(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { NODE_OPTIONS: _tap, npm_lifecycle_event: _npm, ...inherited } = process.env;
  const child = spawn(process.execPath, [launcher, ...args], {
    env: { ...inherited, DATA_DIR: dataDir, DATABASE_URL: '', NODE_ENV: '', INIT_CWD: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const end: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, said }));
  const signal = (name: NodeJS.Signals): boolean => process.kill(-(child.pid ?? 0), name);
  return { end, signal };
}

const run = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> => begin(args, env).end;

/** Errors are one line without a stack. */
async function refused(t: Test, ended: Promise<Ended>, line: RegExp): Promise<void> {
  const { code, said } = await ended;
  t.match({ code, said }, { code: 1, said: line });
  t.equal(said.trim().split('\n').length, 1, 'in one line');
}

/** The database as a launcher runs it: DATA_DIR is taken. */
async function running<T>(work: (database: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const lock = await takeLock(dataDir);
  if ('holder' in lock) throw new Error(`process ${lock.holder} holds ${dataDir}`);
  const database = await startPostgres({ dataDir });
  try {
    return await work(database);
  } finally {
    await database.stop();
    lock.release();
  }
}

async function properties(): Promise<unknown[]> {
  return running(({ url }) => query(url, 'select property_id, generation from property_actor order by 1'));
}

const present = (): string[] => fs.readdirSync(dataDir).sort();

test('there is nothing to copy before the first start', async (t) => {
  await refused(t, run(['backup']), /there is no database in .* yet/);
  t.notOk(fs.existsSync(dataDir));
});

test('a backup under load is one moment: all that was committed before, and nothing half', async (t) => {
  t.equal((await run(['migrate'])).code, 0);
  fs.writeFileSync(join(dataDir, 'secrets.json'), KEYS_OF_THEN);
  fs.writeFileSync(join(dataDir, 'payment-simulator.jsonl'), '{"id":"one"}\n{"id":"tw');
  await running(async ({ url }) => {
    await query(url, `insert into property_actor (tenant_id, property_id) values ('a', 'one'), ('b', 'two')`);
    await query(url, 'create table kept (n int primary key, noise text)');
    const stop = new AbortController();
    const written = { last: 0 };
    const load = Promise.all([insert(url, written, stop.signal), recycle(url, stop.signal)]);
    await eventually(() => written.last > 200);
    const before = written.last;
    const { code, said } = await run(['backup', '--to', 'backups/first']);
    t.equal(code, 0, said);
    t.match(said, /backup in .*backups\/first\n.* files, \d+ MB/);
    t.ok(written.last > before, 'and commits went on');
    t.comment(`${before} rows before, ${written.last} after`);
    stop.abort();
    await load;
    fs.writeFileSync(join(dataDir, 'expected'), String(before));
  });
  t.equal(fs.statSync(backup).mode & 0o777, 0o700);
  t.notOk(fs.existsSync(join(backup, 'postgres', 'postmaster.pid')));
  t.same(fs.readdirSync(join(folder, 'backups')), ['first'], 'nothing unfinished is left');
});

/** Counts up, one commit each, over pages that change again and again. */
async function insert(url: string, written: { last: number }, stop: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  while (!stop.aborted) {
    await client.query(`insert into kept values ($1, repeat('x', 500))`, [written.last + 1]);
    written.last += 1;
    if (written.last % 50 === 0) await client.query(`update kept set noise = repeat('y', 500) where n % 7 = 0`);
  }
  await client.end();
}

/** Checkpoints and new files of the log all the time: without a slot those of the beginning would be reused. */
async function recycle(url: string, stop: AbortSignal): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  while (!stop.aborted) {
    await client.query('select pg_switch_wal()');
    await client.query('checkpoint');
    await eventually(() => stop.aborted, 200);
  }
  await client.end();
}

test('a backup is not written over, nor into the database, nor twice at once', async (t) => {
  await refused(t, run(['backup', '--to', 'backups/first']), /first is there already/);
  const inside = join(fs.realpathSync(join(dataDir, 'postgres')), 'base', 'mine');
  await running(async ({ url }) => {
    await refused(t, run(['backup', '--to', inside]), /lies inside of the database/);
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("select pg_advisory_lock(x'696e6e'::int, 2)");
    await refused(t, run(['backup']), /another backup of this database runs/);
    await other.end();
  });
});

test('a backup onto a disk without room leaves nothing', async (t) => {
  using disk = TemporaryDisk.mount(10 * 2 ** 20);
  if (!disk) return;
  await refused(
    t,
    run(['backup', '--to', join(disk.folder, 'one')]),
    /no backup was made: it needs \d+ MB, and \d+ MB are free/,
  );
  t.same(fs.readdirSync(disk.folder), []);
});

test('a backup that is interrupted leaves nothing, one that is killed is cleared away by the next', async (t) => {
  await running(async () => {
    const interrupted = begin(['backup', '--to', 'backups/second']);
    const unfinished = join(folder, 'backups', 'second.unfinished');
    t.ok(await eventually(() => fs.existsSync(unfinished)));
    interrupted.signal('SIGTERM');
    t.match(await interrupted.end, { code: 1, said: /interrupted/ });
    t.same(fs.readdirSync(join(folder, 'backups')), ['first']);
    const killed = begin(['backup']);
    const backups = join(dataDir, 'backups');
    t.ok(await eventually(() => fs.existsSync(backups) && fs.readdirSync(backups).length > 0));
    killed.signal('SIGKILL');
    await killed.end;
    t.match(fs.readdirSync(backups), [/unfinished$/]);
    t.equal((await run(['backup'])).code, 0);
    t.match(fs.readdirSync(backups), [/^[\d-]+T[\d-]+$/]);
  });
});

test('a server of its own is backed up by its own tools, and production has one', async (t) => {
  const external = { DATABASE_URL: 'postgres://x@127.0.0.1:1/y' };
  await refused(t, run(['backup'], external), /point-in-time recovery/);
  await refused(t, run(['restore', '--from', backup], external), /which its own tools restore/);
  await refused(t, run(['restore', '--recovered'], external), /127\.0\.0\.1:1/);
  await refused(t, run(['backup'], { NODE_ENV: 'production' }), /missing: DATABASE_URL/);
  await refused(t, run(['restore', '--form', backup]), /Unknown option '--form'/);
});

test('a restore is refused while somebody runs on DATA_DIR', async (t) => {
  await running(async ({ url }) => {
    await refused(t, run(['restore', '--from', backup]), new RegExp(`process ${process.pid} runs on .*: stop it`));
    t.match(await query(url, 'select 1 as one'), [{ one: 1 }]);
  });
});

test('a backup that is not as it was written is refused, and nothing is touched', async (t) => {
  const before = present();
  const restore = () => run(['restore', '--from', backup]);
  const manifest = join(backup, 'manifest.json');
  const text = fs.readFileSync(manifest, 'utf8');
  const heap = /"postgres\/base\/\d+\/1259"/.exec(text)?.[0].slice(1, -1) ?? '';
  const file = join(backup, heap);
  const original = fs.readFileSync(file);
  const changed = Buffer.from(original);
  changed[5_000] = changed[5_000]! ^ 1;
  fs.writeFileSync(file, changed);
  await refused(t, restore(), new RegExp(`damaged: ${heap} is not as it was written`));
  fs.rmSync(file);
  await refused(t, restore(), new RegExp(`damaged: ${heap} is missing`));
  fs.writeFileSync(file, original);
  fs.writeFileSync(manifest, text.replace(heap, 'postgres/../../escaped'));
  await refused(t, restore(), /damaged: manifest.json/);
  fs.rmSync(manifest);
  await refused(t, restore(), /is no backup: it has no manifest.json/);
  fs.writeFileSync(manifest, text);
  t.same(present(), before);
  t.notOk(fs.existsSync(join(folder, 'escaped')));
});

test('a restore that is killed keeps services from starting, and starts over', async (t) => {
  fs.writeFileSync(join(dataDir, 'secrets.json'), 'keys of now');
  fs.appendFileSync(join(dataDir, 'payment-simulator.jsonl'), 'o"}\n{"id":"three"}\n');
  const killed = begin(['restore', '--from', backup]);
  const marker = join(dataDir, 'restore.unfinished');
  t.ok(await eventually(() => fs.existsSync(marker)));
  killed.signal('SIGKILL');
  await killed.end;
  for (const task of ['node', 'migrate', 'backup'])
    await refused(t, run([task]), /a restore into .* is not finished: run it again/);
  const { code, said } = await run(['restore', '--from', backup]);
  t.equal(code, 0, said);
  t.notOk(fs.existsSync(marker));
  const aside = /lies in (.*)/.exec(said)?.[1] ?? '';
  t.same(fs.readdirSync(aside).sort(), ['payment-simulator.jsonl', 'postgres', 'secrets.json']);
  t.equal(fs.readFileSync(join(aside, 'secrets.json'), 'utf8'), 'keys of now');
  t.ok(fs.existsSync(join(aside, 'postgres', 'PG_VERSION')));
  t.same(
    present().filter((name) => name.startsWith('before-restore') || name.includes('restoring')),
    [aside.split('/').at(-1)],
    'and nothing else is left',
  );
});

test('what was restored is the moment of the backup', async (t) => {
  t.equal(fs.readFileSync(join(dataDir, 'secrets.json'), 'utf8'), KEYS_OF_THEN);
  const ledger = fs.readFileSync(join(dataDir, 'payment-simulator.jsonl'), 'utf8').split('\n');
  for (const line of ['{"id":"one"}', '{"id":"two"}', '{"id":"three"}']) t.ok(ledger.includes(line), line);
  const least = Number(fs.readFileSync(join(dataDir, 'expected'), 'utf8'));
  await running(async ({ url }) => {
    const [row] = await query(url, 'select count(*)::int as rows, max(n) as last from kept');
    t.ok(Number(row?.last) >= least, `${row?.last} of at least ${least}`);
    t.equal(row?.rows, row?.last, 'without a hole');
  });
});

test('every restore leads to a generation that nobody has seen, the second from the same backup too', async (t) => {
  t.same(await properties(), [
    { property_id: 'one', generation: 2 },
    { property_id: 'two', generation: 2 },
  ]);
  const { code, said } = await run(['restore', '--from', backup]);
  t.equal(code, 0, said);
  t.match(said, /2 properties go on in generation 3/);
  t.match(await properties(), [{ generation: 3 }, { generation: 3 }]);
});

test('a backup is restored on a machine where nothing was', async (t) => {
  const others = join(folder, 'elsewhere');
  const { code, said } = await run(['restore', '--from', backup, '--above', '11'], { DATA_DIR: others });
  t.equal(code, 0, said);
  t.notMatch(said, /lies in/);
  t.match(said, /generation 12/, 'above what another machine has reached');
  t.match((await run(['verify'], { DATA_DIR: others })).said, /of 2 properties .*every chain is whole/);
});

test('a server of its own that was recovered is rewound by the same command', async (t) => {
  await running(async ({ url }) => {
    const { code, said } = await run(['restore', '--recovered'], { DATABASE_URL: url });
    t.equal(code, 0, said);
    t.match(said, /2 properties go on in generation 4/);
  });
});
