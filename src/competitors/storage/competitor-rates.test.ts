import t from 'tap';

import type { Address } from '../../kernel/rules/caller.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import { connect } from '../../platform/database/connection.ts';
import { openDatabase } from '../../platform/database/database.ts';
import type { CompetitorRate } from '../../rates/rules/competitor-rate.ts';
import { StoredTenants } from '../../tenants/storage/tenants.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { storedProperty } from '../../testing/stored-property.ts';
import { databaseCompetitorRates } from './competitor-rates.ts';

const { admin, url } = await withTestDatabase(t);
const database = await openDatabase(url);
const system = await connect(url, 'innkeeper_system');
t.teardown(async () => {
  await system.end();
  await database[Symbol.asyncDispose]();
});
const stored = databaseCompetitorRates(database);

const NOW = Date.parse('2027-01-10T12:00:00Z');
const HOUR = 3_600_000;
/** Delay before a new property is queried. */
const SETTLED_MS = 600_000;
const TODAY = dayOf('2027-01-10');
const WEEK = { start: TODAY, end: TODAY + 6 };

const property = (tenantId?: string): Promise<Address> => storedProperty(admin, tenantId);
const rate = (competitorId: string, amount: number, other: Partial<CompetitorRate> = {}): CompetitorRate => ({
  competitorId,
  roomType: 'STD',
  day: TODAY,
  rate: amount,
  currency: 'EUR',
  observedAt: NOW,
  ...other,
});
const asked = (source = 'feed', at = NOW) => ({ source, at, nextSync: at + 6 * HOUR });
const known = (rates: CompetitorRate[], leftOut = {}) => ({ ...WEEK, rates, leftOut });

t.test('the market of a night is the median, to the cent, of what competitors ask', async (t) => {
  const to = await property();
  await stored.replace(
    to,
    asked(),
    known([
      rate('a', 10_000),
      rate('b', 10_001, { observedAt: NOW - HOUR }),
      ...[10_002, 10_003, 99_999_999_99].map((amount, n) => rate(`c${n}`, amount, { day: TODAY + 1 })),
      rate('a', 20_001, { roomType: 'DLX' }),
      ...[10_001, 10_002].map((amount, n) => rate(`d${n}`, amount, { day: TODAY + 2 })),
    ]),
  );
  const night = { roomType: 'STD', day: TODAY, median: 10_000, low: 10_000, high: 10_001, count: 2, observedAt: NOW };
  t.strictSame(await stored.market(to, TODAY, TODAY + 2), [
    { ...night, roomType: 'DLX', median: 20_001, low: 20_001, high: 20_001, count: 1 },
    night,
    { ...night, day: TODAY + 1, median: 10_003, low: 10_002, high: 99_999_999_99, count: 3 },
    { ...night, day: TODAY + 2, median: 10_002, low: 10_001, high: 10_002 },
  ]);
  t.strictSame(await stored.market(to, TODAY + 3, TODAY + 9), []);
  await admin.query(
    `update properties set metadata = jsonb_set(metadata, '{currency}', '"USD"') where property_id = $1`,
    [to.propertyId],
  );
  t.strictSame(await stored.market(to, TODAY, TODAY + 2), [], 'not in another currency');
  t.strictSame(await stored.market({ ...to, tenantId: 'rival' }, TODAY, TODAY + 2), [], 'of its tenant only');
});

t.test('a new answer of a source replaces its earlier one, and nothing else', async (t) => {
  const [to, other] = [await property(), await property()];
  const odd = rate(`what? 'quoted' \\ "it"`, 7_000);
  await stored.replace(other, asked(), known([rate('a', 1)]));
  await stored.replace(to, asked(), known([rate('a', 100), rate('b', 200), odd]));
  await stored.replace(to, asked('second'), known([rate('c', 300)]));
  await stored.replace(to, asked('feed', NOW + HOUR), known([rate('a', 150, { observedAt: NOW + HOUR }), odd]));
  const rows = async () =>
    (
      await admin.query(
        `select competitor_id as id, (rate * 100)::int as rate, source from competitor_rates where property_id = $1 order by 1`,
        [to.propertyId],
      )
    ).rows;
  t.strictSame(await rows(), [
    { id: 'a', rate: 150, source: 'feed' },
    { id: 'c', rate: 300, source: 'second' },
    { id: odd.competitorId, rate: 7_000, source: 'feed' },
  ]);
  await stored.replace(to, asked('second'), known([rate('a', 1), rate('c', 300)]));
  t.match(await rows(), [{ rate: 150, source: 'feed' }, {}, {}], 'an older observation of another source');
  await stored.add(to, 'events', [rate('a', 175, { observedAt: NOW + HOUR }), rate('z', 9, { day: TODAY + 40 })]);
  t.match(await rows(), [{ rate: 175, source: 'events' }, {}, {}, { rate: 9 }], 'a newer one');
  await stored.replace(to, asked(), known([]));
  t.same(
    (await rows()).map(({ source }) => source),
    ['events', 'second', 'events'],
  );
  t.equal((await stored.market(other, TODAY, TODAY)).length, 1, 'another house keeps its own');
});

t.test('single rates that come by themselves come in any order: the newest observation stays', async (t) => {
  const to = await property();
  const night = TODAY + 4;
  const add = (amount: number, observedAt: number) =>
    stored.add(to, 'events', [rate('a', amount, { day: night, observedAt })]);
  await add(10_000, NOW);
  await add(9_000, NOW - HOUR);
  t.match(await stored.market(to, night, night), [{ median: 10_000, observedAt: NOW }]);
  await add(11_000, NOW);
  await add(12_000, NOW + 1);
  t.match(await stored.market(to, night, night), [{ median: 12_000, count: 1 }]);
});

t.test('rows that stay as they are are not written again', async (t) => {
  const to = await property();
  const versions = async () =>
    (await admin.query('select xmin::text from competitor_rates where property_id = $1', [to.propertyId])).rows;
  await stored.replace(to, asked(), known([rate('a', 100), rate('b', 100)]));
  const before = await versions();
  await stored.replace(to, asked('feed', NOW + HOUR), known([rate('a', 100), rate('b', 100)]));
  t.strictSame(await versions(), before);
});

t.test(
  'properties are due that were never queried, whose time has come, or that were last queried before a moment',
  async (t) => {
    const tenantId = 'due-tenant';
    const [one, two, three] = [await property(tenantId), await property(tenantId), await property(tenantId)];
    const due = async (by: { now: number; since?: number }, sources = ['feed']) => {
      const found = await stored.due(tenantId, sources, by);
      t.equal(await stored.countDue(tenantId, sources, by), found.length);
      return found.map(({ to, sources: of }) => [to.propertyId, ...of]);
    };
    await stored.replace(one, asked('feed', NOW - HOUR), known([]));
    await stored.fail(two, { ...asked(), nextSync: NOW + HOUR }, 'no answer');
    t.same(await due({ now: NOW }), [[three.propertyId, 'feed']]);
    t.same(
      await due({ now: NOW + HOUR }),
      [two, three].map(({ propertyId }) => [propertyId, 'feed']),
    );
    t.same(
      await due({ now: NOW, since: NOW }),
      [one, three].map(({ propertyId }) => [propertyId, 'feed']),
    );
    t.same(await due({ now: NOW }, ['feed', 'new']), [
      [one.propertyId, 'new'],
      [two.propertyId, 'new'],
      [three.propertyId, 'feed', 'new'],
    ]);
    t.same(await due({ now: NOW }, []), []);
    const [, last] = await stored.due(tenantId, ['feed'], { now: NOW + HOUR });
    t.strictSame(last, {
      to: three,
      currency: 'EUR',
      clock: { timezone: 'Europe/Lisbon', nightAuditHour: 3 },
      roomTypes: ['DLX', 'STD'],
      dynamic: false,
      sources: ['feed'],
    });
    t.same(await stored.due(tenantId, ['feed'], { now: NOW + HOUR }, two.propertyId), [last]);
    await admin.query('update properties set deleted_at = now() where property_id = $1', [three.propertyId]);
    t.same(await due({ now: NOW }), []);
  },
);

t.test('a property that may still be set up is not queried, except by an explicit request', async (t) => {
  const { tenantId, propertyId } = await property('new');
  await admin.query('update properties set created_at = $2 where property_id = $1', [propertyId, new Date(NOW)]);
  const due = async (now: number, since?: number) => (await stored.due(tenantId, ['feed'], { now, since })).length;
  t.equal(await due(NOW + SETTLED_MS - 1), 0);
  t.equal(await due(NOW + SETTLED_MS), 1);
  t.equal(await due(NOW, NOW), 1);
  t.equal(await due(NOW, NOW - 1), 0, 'it was not there at that moment');
});

t.test('pages of due properties come to all of them', async (t) => {
  const tenantId = 'large';
  const ids: string[] = [];
  for (let n = 0; n < 51; n++) ids.push((await property(tenantId)).propertyId);
  const first = await stored.due(tenantId, ['feed'], { now: NOW });
  const second = await stored.due(tenantId, ['feed'], { now: NOW }, first.at(-1)!.to.propertyId);
  t.same(
    [...first, ...second].map(({ to }) => to.propertyId),
    ids,
  );
});

t.test('a source that fails keeps its rates and the time of its last success', async (t) => {
  const tenantId = 'overview';
  const [one, two] = [await property(tenantId), await property(tenantId)];
  await admin.query('update properties set created_at = $2 where tenant_id = $1', [tenantId, new Date(NOW - HOUR)]);
  const nobody = { properties: 2, queried: 0, failing: 0, nextSync: NOW - HOUR + SETTLED_MS, rates: 0, leftOut: {} };
  t.strictSame(await stored.overview(tenantId, ['feed']), [{ source: 'feed', ...nobody }]);
  await stored.replace(one, asked(), known([rate('a', 100), rate('b', 100)], { CURRENCY: 2, DATE: 1 }));
  await stored.replace(two, asked('feed', NOW - HOUR), known([rate('a', 100)], { CURRENCY: 1 }));
  const success = {
    source: 'feed',
    properties: 2,
    queried: 2,
    failing: 0,
    lastAttempt: NOW,
    lastSuccess: NOW,
    nextSync: NOW + 5 * HOUR,
    rates: 3,
    leftOut: { CURRENCY: 3, DATE: 1 },
  };
  t.strictSame(await stored.overview(tenantId, ['feed']), [success]);
  await stored.fail(two, { ...asked('feed', NOW + HOUR), nextSync: NOW + 2 * HOUR }, 'it answers 500');
  const failed = {
    ...success,
    failing: 1,
    lastAttempt: NOW + HOUR,
    nextSync: NOW + 2 * HOUR,
    error: 'it answers 500',
  };
  t.strictSame(await stored.overview(tenantId, ['other', 'feed']), [{ source: 'other', ...nobody }, failed]);
  t.equal((await stored.market(two, TODAY, TODAY)).length, 1);
  await stored.replace(two, asked('feed', NOW + 2 * HOUR), known([]));
  t.match(await stored.overview(tenantId, ['feed']), [{ failing: 0, error: undefined, leftOut: { CURRENCY: 2 } }]);
});

t.test('past nights, sources that are none any more and deleted properties are forgotten', async (t) => {
  const tenantId = 'forgetful';
  const to = await property(tenantId);
  const nights = [0, 1, 2].map((n) => rate('a', 100, { day: TODAY + n }));
  await stored.replace(to, asked('simulator'), known([rate('x', 1)]));
  await stored.replace(to, asked(), known(nights));
  await stored.forget(to, TODAY + 1, ['feed', 'events']);
  t.match(await stored.market(to, TODAY - 9, TODAY + 9), [{ day: TODAY + 1, count: 1 }, { day: TODAY + 2 }]);
  t.match(await stored.overview(tenantId, ['simulator', 'feed']), [{ queried: 0 }, { queried: 1 }]);
  const gone = await property(tenantId);
  await stored.replace(gone, asked(), known(nights));
  await admin.query('update properties set deleted_at = now() where property_id = $1', [gone.propertyId]);
  await stored.forgetDeleted(tenantId);
  t.same(await stored.market(gone, TODAY, TODAY + 9), []);
  t.equal((await stored.market(to, TODAY, TODAY + 9)).length, 2);
});

t.test('the usual rate of a property is its median night from today on, seasons included', async (t) => {
  const to = await property();
  const rows = [
    ['STD', -1, 1, 1, 0],
    ['STD', 0, 100, 1, 0],
    ['STD', 1, 100, 1.5, 10],
    ['STD', 2, 200, 1, 0],
    ['DLX', 5, 80.55, 1, 0],
  ];
  for (const [type, n, amount, multiplier, extra] of rows)
    await admin.query(
      `insert into base_rates
         (tenant_id, property_id, room_type, rate_date, rate, currency, seasonal_multiplier, seasonal_amount)
       values ($1, $2, $3, date '1970-01-01' + $4::int, $5, 'EUR', $6, $7)`,
      [to.tenantId, to.propertyId, type, TODAY + Number(n), amount, multiplier, extra],
    );
  t.same(
    (await stored.usualRates(to, TODAY)).toSorted((a, b) => a.rate - b.rate),
    [
      { roomType: 'DLX', rate: 8_055, lastDay: TODAY + 5 },
      { roomType: 'STD', rate: 16_000, lastDay: TODAY + 2 },
    ],
  );
});

t.test('tenants whose jobs go on are those that are not over', async (t) => {
  for (const status of ['TRIAL', 'ACTIVE', 'SUSPENDED', 'INACTIVE', 'CANCELLED'])
    await admin.query(`insert into tenants (tenant_id, name, status) values ($1, 'T', $2)`, [`is-${status}`, status]);
  t.same(await new StoredTenants(async () => system).running(), ['is-ACTIVE', 'is-SUSPENDED', 'is-TRIAL']);
});

t.test('rates of each competitor are read by room type and currency', async (t) => {
  const to = await property();
  const given = [rate('b', 9_000), rate('a', 10_000), rate('a', 11_000, { day: TODAY + 1 })];
  const others = [rate('a', 20_000, { roomType: 'DLX' }), rate('c', 1, { currency: 'USD' })];
  await stored.replace(to, asked(), known([...given, ...others]));
  const found = await stored.rates(to, { roomType: 'STD', start: TODAY, end: TODAY + 6, currency: 'EUR' });
  t.strictSame(
    found.map(({ competitorId, day, rate: amount }) => [competitorId, day, amount]),
    [
      ['a', TODAY, 10_000],
      ['a', TODAY + 1, 11_000],
      ['b', TODAY, 9_000],
    ],
  );
});
