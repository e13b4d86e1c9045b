import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';

import { withTestDatabase } from '../../testing/database.ts';
import { openDatabase } from './database.ts';
import { LimitedClient } from './limited-client.ts';

const { url } = await withTestDatabase(t);

void t.test('a pool that ends waits for no question that hangs, and the process may say why it ends', async (t) => {
  const database = await openDatabase(url);
  let isAsked = true;
  const question = database
    .readTenant('acme', (em) => em.execute('select pg_sleep(8)'))
    .catch(() => undefined)
    .finally(() => (isAsked = false));
  await database[Symbol.asyncDispose]();
  t.ok(isAsked, 'it is over before the question is');
  await question;
});

void t.test('reads at once see one moment of one tenant, and a failing one leaves nothing behind', async (t) => {
  await using database = await openDatabase(url, { poolSize: 1 });
  const [tenant, snapshot, values] = await database.readAtOnce(
    "o'acme",
    [`select current_setting('innkeeper.tenant') as one`],
    [`select current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as reads`],
    ['select ?::int + ?::int as sum, ? as text', 1, 2, "it's a ?; \\"],
  );
  t.same(tenant, [{ one: "o'acme" }]);
  t.same(snapshot, [{ level: 'repeatable read', reads: 'on' }]);
  t.same(values, [{ sum: 3, text: "it's a ?; \\" }]);
  await t.rejects(database.readAtOnce('acme', ['select 1'], ['select 1 / 0'], ['select 2']), /division by zero/);
  await t.rejects(database.readAtOnce('acme', ['create table t ()']), /read-only transaction/);
  const left = await database.orm.em.fork().execute(`
    select coalesce(current_setting('innkeeper.tenant', true), '') as tenant,
      current_setting('transaction_isolation') as level, current_setting('transaction_read_only') as reads`);
  t.same(left, [{ tenant: '', level: 'read committed', reads: 'off' }], 'the connection is as it was');
});

void t.test(
  'while nothing may be written PostgreSQL refuses what writes, but for what reads depend on',
  async (t) => {
    let isReadOnly = true;
    await using database = await openDatabase(url, { poolSize: 1, isReadOnly: () => isReadOnly });
    const reads = "select current_setting('transaction_read_only') as value";
    const inTenant = () => database.inTenant('acme', (em) => em.execute(reads));
    t.same(await inTenant(), [{ value: 'on' }]);
    t.same(await database.writeAtOnce('acme', [reads]), [[{ value: 'on' }]]);
    t.same(await database.inTenantForReads('acme', (em) => em.execute(reads)), [{ value: 'off' }]);
    isReadOnly = false;
    t.same(await inTenant(), [{ value: 'off' }]);
    t.same(await database.writeAtOnce('acme', [reads]), [[{ value: 'off' }]]);
  },
);

/** A connection that is made slowly, as on a busy machine. */
class SlowToConnect extends LimitedClient {
  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    if (callback === undefined) return pause(300).then(() => super.connect()) as Promise<this>;
    setTimeout(() => super.connect(callback), 300);
  }
}

void t.test(
  'a connection that is made slowly at the start is no slow statement, and a slow statement is one',
  async (t) => {
    const lines: string[] = [];
    // As somebody with a terminal has it; tap takes colours away.
    delete process.env['NO_COLOR'];
    process.env['FORCE_COLOR'] = '1';
    await using database = await openDatabase(url, { Client: SlowToConnect, log: (line) => lines.push(line) });
    t.same(lines, []);
    await database.readTenant('acme', (em) => em.execute('select pg_sleep(0.25)'));
    t.match(lines.join(), /pg_sleep/);
    t.notOk(lines.join().includes('\u001b'), 'without the colours of a terminal');
    lines.length = 0;
    await database.readAtOnce('acme', ['select ? as secret, pg_sleep(0.25)', 'Byron']);
    t.match(lines.join(), /pg_sleep/);
    t.notMatch(lines.join(), /Byron/);
  },
);
