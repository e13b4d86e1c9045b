import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import tap, { type Test, test } from 'tap';

import { occupy } from '../../src/testing/launch/free-ports.ts';
import { Launched } from './launched.ts';
import { Service } from './service.ts';
import { until } from './waiting.ts';

/** Several starts, the first ones on an empty folder. */
tap.setTimeout(300_000);

const SOON_MS = 240_000;

/** Where a person must act: one clear line, exit code 1, no stack (docs/operations/process.md#exit-codes). */
void test('a port that is taken is named', async (t) => {
  const service = await Service.prepare();
  await using _ = await occupy(Number(service.env.RESERVATION_PORT));
  await fails(t, service, new RegExp(String(service.env.RESERVATION_PORT)));
  await service.remove();
});

void test('a database that is away at the first start is named and waited for, its password is not shown', async (t) => {
  const service = await Service.prepare({ DATABASE_URL: 'postgres://nobody:hidden-secret@127.0.0.1:1/nothing' });
  const launched = service.launch();
  await until(
    'it is tried again',
    SOON_MS,
    () => /starting it again/.test(launched.output) || launched.over || undefined,
  );
  t.notOk(launched.over, 'the launcher waits');
  isOneLine(t, launched.output, /127\.0\.0\.1:1\b/);
  t.notMatch(launched.output, /hidden-secret/);
  launched.signalGroup('SIGTERM');
  await launched.exited;
  await service.remove();
});

void test('a DATABASE_URL that is no URL is named', async (t) => {
  const service = await Service.prepare({ DATABASE_URL: 'not a url' });
  await fails(t, service, /DATABASE_URL/);
  await service.remove();
});

void test('a setting that means nothing is named', async (t) => {
  const service = await Service.prepare({ RATE_PORT: 'eighty' });
  await fails(t, service, /RATE_PORT/);
  await service.remove();
});

void test('a database that is not whole is named, with what to do', async (t) => {
  const service = await Service.prepare();
  const cluster = join(service.dataDir, 'postgres');
  mkdirSync(cluster, { mode: 0o755 });
  writeFileSync(join(cluster, 'PG_VERSION'), '18\n');
  await fails(t, service, /postgres.* (incomplete|backup|delete)/);
  await service.remove();
});

void test('a first start that was killed half way is made good by the next', async (t) => {
  const service = await Service.prepare();
  const launched = service.launch();
  await until('the database is being made', SOON_MS, () => {
    const begun = readdirSync(service.dataDir).some((name) => name.startsWith('postgres'));
    return begun || launched.over ? true : undefined;
  });
  await service.killHard();
  await service.up();
  t.equal((await service.reservations('GET', '')).status, 200);
  await service.remove();
});

void test('with readiness UP there is dev.json, and with dev.json health and readiness are UP', async (t) => {
  const service = await Service.prepare();
  const launched = service.launch();
  const file = join(service.dataDir, 'dev.json');
  const { RATE_PORT, RESERVATION_PORT } = service.env;
  const statuses = (group: string) =>
    Promise.all(
      [RATE_PORT, RESERVATION_PORT].map((port) =>
        fetch(`http://127.0.0.1:${port}/actuator/health${group}`).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
  let refused = 0;
  const end = performance.now() + SOON_MS;
  // Without a pause: what is looked for lasts some milliseconds.
  for (let isThere = false; !isThere;) {
    if (launched.over || performance.now() > end) throw new Error(launched.output);
    const ready = await statuses('/readiness');
    isThere = existsSync(file);
    if (ready.includes(503)) refused += 1;
    if (ready.includes(200)) t.ok(isThere, 'readiness is UP, and the file is there');
  }
  t.same(await statuses(''), [200, 200]);
  t.same(await statuses('/readiness'), [200, 200]);
  t.comment(`readiness was refused ${refused} times before`);
  await t.test('a start says what is done and where the service is, and no library speaks in between', async (t) => {
    await until('addresses are said', SOON_MS, () => launched.output.includes('Innkeeper is up.') || undefined);
    const [before = ''] = launched.output.split('Innkeeper is up.');
    const others = before.split('\n').filter((line) => !/^(|> .*|innkeeper: .*|\{.*\})$/.test(line));
    t.same(others, []);
  });
  await t.test('the doctor finds its ports, its database and its schema', async (t) => {
    const doctor = new Launched({ ...service.env, DATA_DIR: service.dataDir }, 'doctor');
    t.equal(await doctor.exited, 0, doctor.output);
    t.match(doctor.output, new RegExp(`^ok +ports +${RATE_PORT}, .* used by the running service$`, 'm'));
    for (const check of ['database', 'clock', 'schema', 'logins', 'keys', 'lag'])
      t.match(doctor.output, new RegExp(`^ok +${check} `, 'm'));
  });
  await service.killHard();
  await service.remove();
});

/** @returns the output */
async function fails(t: Test, service: Service, named: RegExp): Promise<string> {
  const launched = service.launch();
  const waiting = new AbortController();
  const late = setTimeout(SOON_MS, 'still running', { signal: waiting.signal }).catch(() => undefined);
  const code = await Promise.race([launched.exited, late]);
  waiting.abort();
  t.equal(code, 1, `exit code 1: ${launched.output.slice(-500)}`);
  isOneLine(t, launched.output, named);
  return launched.output;
}

function isOneLine(t: Test, output: string, named: RegExp): void {
  t.match(output, named);
  t.notMatch(output, /^\s+at .+:\d+:\d+/m, 'no stack');
  const said = output.split('\n').filter((line) => line.startsWith('innkeeper: ') && named.test(line));
  t.equal(said.length, 1, `said in one line: ${output.slice(-800)}`);
}
