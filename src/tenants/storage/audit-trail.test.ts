import t from 'tap';

import type { AuditFilter, AuditPosition, AuditRow } from '../../kernel/rules/audit.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { appendAdministration } from './administration-journal.ts';
import { databaseAuditTrail } from './audit-trail.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
t.teardown(() => database[Symbol.asyncDispose]());
const trail = databaseAuditTrail(database);

const NOW = Date.now() + 60_000;
const DAY_MS = 86_400_000;

async function inJournal(tenantId: string, propertyId: string, rows: Record<string, unknown>[]): Promise<void> {
  for (const [n, row] of rows.entries()) {
    const { at, type = 'BOOK', subject = 'u-1', entity = `r-${n + 1}`, facts = {} } = row;
    await admin.query(
      `insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
       values ($1, $2, $3, $4, $5, $6, 'req', $7, $8, 'h')`,
      [tenantId, propertyId, n + 1, new Date(at as number), type, subject, entity, JSON.stringify(facts)],
    );
  }
}

async function all(tenantId: string, filter: AuditFilter = {}, limit = 3): Promise<AuditRow[]> {
  const found: AuditRow[] = [];
  let after: AuditPosition | undefined;
  do {
    const { rows, next } = await trail(tenantId, filter, limit, NOW, after);
    t.ok(rows.length <= limit);
    found.push(...rows);
    after = next;
  } while (after);
  return found;
}
const named = (rows: AuditRow[]) => rows.map(({ source, seq }) => `${source}/${seq}`);

const at = (daysAgo: number, ms = 0) => NOW - 120_000 - daysAgo * DAY_MS + ms;
await inJournal('a', 'north', [
  { at: at(300), type: 'CREATE_PROPERTY', entity: 'north' },
  { at: at(40), subject: 'u-2' },
  { at: at(2) },
  { at: at(2), type: 'CANCEL' },
  { at: at(0, 5), type: 'SET_BASE_RATES', entity: 'rate-1' },
]);
await inJournal('a', 'south', [{ at: at(299), type: 'CREATE_PROPERTY', entity: 'south' }, { at: at(2) }]);
await inJournal('b', 'north', [{ at: at(2) }]);
await database.inTenant('a', (em) =>
  appendAdministration(
    em,
    { tenantId: 'a', subject: 'u-2', requestId: 'r' },
    { entity: 'guest', entityId: 'g-1', action: 'ERASED' },
  ),
);

t.test('journals of all properties and of administration are one list, newest first, page by page', async (t) => {
  const whole = ['/1', 'north/5', 'south/2', 'north/4', 'north/3', 'north/2', 'south/1', 'north/1'];
  for (const limit of [1, 2, 3, 7, 8, 9, 200]) t.same(named(await all('a', {}, limit)), whole, `pages of ${limit}`);
  t.match((await all('a'))[0], { action: 'ERASED', entity: 'guest', entityId: 'g-1', before: null, after: null });
});

t.test('the trail is filtered by subject, entity and time', async (t) => {
  t.same(named(await all('a', { subject: 'u-2' })), ['/1', 'north/2']);
  t.same(named(await all('a', { entity: 'PROPERTY' })), ['south/1', 'north/1'], 'a kind of thing');
  t.same(named(await all('a', { entity: 'r-2' })), ['south/2', 'north/2'], 'or an id');
  t.same(named(await all('a', { entity: 'guest' })), ['/1']);
  t.same(named(await all('a', { entity: 'g-1', subject: 'u-1' })), []);
  t.same(named(await all('a', { propertyId: 'south' })), ['south/2', 'south/1'], 'a property');
  t.same(named(await all('a', { action: 'CANCEL' })), ['north/4'], 'what was done');
  t.same(named(await all('a', { action: 'ERASED' })), ['/1']);
  t.same(named(await all('a', { action: 'ERASED', propertyId: 'north' })), []);
  const from = at(40);
  t.same(named(await all('a', { from, to: at(2) })), ['south/2', 'north/4', 'north/3', 'north/2']);
  t.same(named(await all('a', { from, to: at(2) - 1 })), ['north/2']);
  t.same(await all('a', { from: NOW + DAY_MS }), [], 'the future');
  t.same(await all('a', { subject: 'nobody' }), []);
});

t.test('a reservation is found in the rows about several', async (t) => {
  const [first, second, third] = [1, 2, 3].map((n) => `0199aaaa-0000-7000-8000-00000000000${n}`);
  const facts = {
    bookings: [
      ['CREATED', null],
      ['CREATED', second],
    ],
  };
  await inJournal('d', 'east', [
    { at: at(3), type: 'START_ROOMS', entity: first, facts },
    { at: at(2), type: 'CONFIRM_BOOKING', entity: first, facts },
    { at: at(1), type: 'MODIFY', entity: second },
    { at: at(1, 1), type: 'MODIFY', entity: third, facts },
  ]);
  t.same(named(await all('d', { entity: second })), ['east/3', 'east/2', 'east/1']);
  t.same(named(await all('d', { entity: first })), ['east/2', 'east/1']);
  t.same(named(await all('d', { entity: third })), ['east/4']);
});

t.test('rows of another tenant are not there', async (t) => {
  t.same(named(await all('b')), ['north/1']);
  t.same(await all('c'), []);
});

t.test('long facts are truncated, with a count of what is missing', async (t) => {
  const cells = Array.from({ length: 1_000 }, (_, n) => ['STD', 20_000 + n, 9, 0, 0, 0, 9, 12_345]);
  const few = cells.slice(0, 150);
  await inJournal('long', 'p', [
    { at: at(1), facts: { cells } },
    { at: at(1), facts: { cells: few } },
  ]);
  const rows = (await all('long')).map((row) => ('facts' in row ? row.facts : undefined));
  t.match(rows, [
    { cells: few.slice(0, 100), more: { cells: 50 } },
    { cells: few.slice(0, 100), more: { cells: 900 } },
  ]);
  t.same(
    rows.map((facts) => facts?.cells?.length),
    [100, 100],
  );
});
