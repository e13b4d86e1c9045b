import t from 'tap';

import type { AdministrationEntry } from '../../kernel/rules/administration.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { administrationHash, appendAdministration } from './administration-journal.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());

const by = (tenantId: string) => ({ tenantId, subject: 'u-1', requestId: 'r-1' });
const changed = (entityId: string, after: unknown = { n: 1.5 }) => ({
  entity: 'service',
  entityId,
  action: 'CHANGED',
  before: { b: [1, null], a: 'ä' },
  after,
});
const append = (tenantId: string, entityId: string, after?: unknown) =>
  database.inTenant(tenantId, (em) => appendAdministration(em, by(tenantId), changed(entityId, after)));

async function rowsOf(tenantId: string): Promise<AdministrationEntry[]> {
  const { rows } = await admin.query<AdministrationEntry & { at: Date }>(
    `select seq::int, at, subject, request_id as "requestId", entity, entity_id as "entityId", action, before, after,
       hash from administration_journal where tenant_id = $1 order by seq`,
    [tenantId],
  );
  return rows.map((row) => ({ ...row, at: (row.at as Date).getTime() }));
}

/** Number of rows whose hash follows from the row before. */
async function following(tenantId: string): Promise<number> {
  const rows = await rowsOf(tenantId);
  return rows.filter((row, n) => administrationHash(rows[n - 1]?.hash ?? '', tenantId, row) === row.hash).length;
}

t.test('the hash of each row covers the one before, by tenant', async (t) => {
  await append('a', 'one');
  await append('a', 'two', undefined);
  await append('b', 'one', { dropped: undefined, nested: { z: 1, a: 2 } });
  t.match(await rowsOf('a'), [
    { seq: 1, entityId: 'one', after: { n: 1.5 }, subject: 'u-1', requestId: 'r-1' },
    { seq: 2, entityId: 'two' },
  ]);
  t.match(await rowsOf('b'), [{ seq: 1 }]);
  t.equal(await following('a'), 2);
  t.equal(await following('b'), 1);
});

t.test('many writers at once make one chain without a gap', async (t) => {
  await Promise.all(Array.from({ length: 40 }, (_, n) => append('crowd', `n${n}`)));
  t.same(
    (await rowsOf('crowd')).map(({ seq }) => seq),
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  t.equal(await following('crowd'), 40);
});

t.test('an entry is committed together with its write, or not at all', async (t) => {
  await t.rejects(
    database.inTenant('undone', async (em) => {
      await appendAdministration(em, by('undone'), changed('one'));
      throw new Error('the write came to nothing');
    }),
    /came to nothing/,
  );
  await append('undone', 'two');
  t.match(await rowsOf('undone'), [{ seq: 1, entityId: 'two' }]);
});

t.test('rows cannot be changed, removed, forked or written for another tenant', async (t) => {
  const denied = { code: '42501' };
  for (const sql of [`update administration_journal set subject = 'x'`, 'delete from administration_journal'])
    await t.rejects(
      database.inTenant('a', (em) => em.execute(sql)),
      denied,
      sql,
    );
  await t.rejects(
    database.inTenant('a', (em) => appendAdministration(em, by('b'), changed('stolen'))),
    denied,
  );
  const fork = `insert into administration_journal (tenant_id, seq, at, subject, request_id, entity, entity_id, action, hash)
    values ('a', 2, app_now(), 's', 'r', 'e', 'i', 'A', 'h')`;
  await t.rejects(
    database.inTenant('a', (em) => em.execute(fork)),
    { code: '23505' },
  );
});

t.test('a row that was written anew with a hash of its own does not carry the next one', async (t) => {
  const rows = await rowsOf('crowd');
  const forged = { ...rows[4]!, subject: 'somebody else' };
  const hash = administrationHash(rows[3]!.hash, 'crowd', forged);
  const write = (subject: string, its: string) =>
    admin.query(`update administration_journal set subject = $1, hash = $2 where tenant_id = 'crowd' and seq = 5`, [
      subject,
      its,
    ]);
  await write(forged.subject, hash);
  t.equal(await following('crowd'), 39);
  await write(rows[4]!.subject, rows[4]!.hash);
  t.equal(await following('crowd'), 40);
});

t.test('a row that was changed or taken away breaks the chain', async (t) => {
  for (const sql of [
    `update administration_journal set subject = 'somebody else' where tenant_id = 'crowd' and seq = 7`,
    `update administration_journal set after = '{"n":2}' where tenant_id = 'crowd' and seq = 9`,
    `delete from administration_journal where tenant_id = 'crowd' and seq = 11`,
  ]) {
    const whole = await following('crowd');
    await admin.query(sql);
    t.ok((await following('crowd')) < whole, sql);
  }
});
