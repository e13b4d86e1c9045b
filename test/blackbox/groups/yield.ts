import type { Test } from 'tap';

import { refreshed } from '../competitor-sync.ts';
import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must, propertyBody } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

type Recommendation = {
  date: string;
  roomType: string;
  currentRate: number;
  optimizedRate: number;
  confidence: number;
  revenueBefore: number;
  revenueAfter: number;
  lowestRate: number;
  highestRate: number;
  limitedBy?: string;
};
type Night = Pick<Recommendation, 'roomType' | 'date'>;
type Optimization = {
  optimizationId: string;
  status: string;
  results: Record<string, number>;
  recommendations: Recommendation[];
  implementationUrl: string;
  unmet: object[];
  settings: object;
  acceptedByRule?: { upToPercent: number; setBy: string; nights: Night[] };
};

const nightKey = ({ roomType, date }: Night): string => `${date} ${roomType}`;
const moveOf = ({ currentRate, optimizedRate }: Recommendation): number =>
  (Math.abs(optimizedRate - currentRate) * 100) / currentRate;

/** Analysis and yield optimization (docs/reference/rates.md#analysis). */
export async function yieldOptimization(group: Test, service: Service): Promise<void> {
  const ask = (property: BlackboxProperty, body: object = {}, options: object = {}) =>
    service.rates<Optimization>('POST', '/yield-optimization', {
      ...options,
      body: {
        propertyId: property.propertyId,
        optimizationPeriod: { startDate: property.day(20), endDate: property.day(40) },
        objectives: { primary: 'MAXIMIZE_REVENUE' },
        ...body,
      },
    });
  const post = (url: string, options: object = {}) =>
    service.rates('POST', url.replace('/api/v1/rates', ''), options);

  await group.test('a night whose rate is locked is left as it is', async (t) => {
    const property = await BlackboxProperty.open(service);
    for (let n = 0; n < 3; n++) must(await property.book({ from: 30 }), 201);
    const { optimizationId, recommendations } = must(await ask(property), 200).json;
    const { date, roomType } = recommendations[0]!;
    const night = { propertyId: property.propertyId, rateCode: 'BAR', roomType, startDate: date, endDate: date };
    must(await service.rates('PUT', '/restrictions', { body: { ...night, rateLocked: true } }), 200);
    const listed = await service.rates<{ items: object[] }>('GET', `/restrictions?${new URLSearchParams(night)}`);
    t.match(must(listed, 200).json.items, [{ roomType, date, rateLocked: true, stopSell: false }]);
    const again = must(await ask(property), 200).json;
    t.ok(again.recommendations.length > 0);
    t.notOk(again.recommendations.some((one) => one.date === date && one.roomType === roomType));
    t.match(must(await post(`/api/v1/rates/${optimizationId}/implement`), 200).json, {
      affectedDates: new Set(recommendations.slice(1).map((one) => one.date)).size,
    });
    const ahead = (Date.parse(date) - Date.parse(property.day(0))) / 86_400_000;
    t.equal((await property.quoted(ahead, 1, roomType)).averageRate, 100, 'and nothing has touched it');
    must(await service.rates('PUT', '/restrictions', { body: { ...night, rateLocked: null } }), 200);
    const free = await service.rates<{ items: object[] }>('GET', `/restrictions?${new URLSearchParams(night)}`);
    t.same(must(free, 200).json.items, []);
  });
  await group.test('recommended rates are previewed, made, and made once', async (t) => {
    const property = await BlackboxProperty.open(service);
    for (let n = 0; n < 3; n++) must(await property.book({ from: 30 }), 201);
    const { json } = must(await ask(property), 200);
    const { optimizationId, status, recommendations, implementationUrl } = json;
    t.equal(status, 'COMPLETED');
    t.ok(json.results.projectedRevenue! >= json.results.currentRevenue!);
    t.ok(recommendations.length > 0);
    for (const { currentRate, optimizedRate, confidence } of recommendations)
      t.ok(
        currentRate === 100 && optimizedRate !== 100 && optimizedRate <= 200 && confidence >= 0 && confidence <= 1,
      );
    t.equal(implementationUrl, `/api/v1/rates/${optimizationId}/implement`);
    t.same(must(await ask(property), 200).json.recommendations, recommendations, 'the same input, the same answer');
    const preview = must(await service.rates('GET', `/${optimizationId}/preview`), 200).json as { items: object[] };
    t.match(preview, { kind: 'OPTIMIZATION' });
    t.equal(preview.items.length, recommendations.length);
    const headers = { 'idempotency-key': `implement-${optimizationId}` };
    const made = must(await post(implementationUrl, { headers }), 200).json;
    t.match(made, {
      optimizationId,
      status: 'IMPLEMENTED',
      affectedDates: new Set(recommendations.map((r) => r.date)).size,
    });
    t.same(must(await post(implementationUrl), 200).json, made, 'again, the same body');
    t.match(await post(implementationUrl, { headers }), {
      status: 200,
      headers: { 'idempotency-replayed': 'true' },
      json: made,
    });
    isProblem(t, await post(`${implementationUrl}?other=1`, { headers }), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    const [first] = recommendations;
    const cheapest = must(
      await service.rates<{ items: { rate: number }[] }>(
        'GET',
        `/calendar?propertyId=${property.propertyId}&startDate=${first!.date}&endDate=${first!.date}&rateCode=BAR&roomType=${first!.roomType}`,
      ),
      200,
    );
    t.equal(cheapest.json.items[0]!.rate, first!.optimizedRate);
    const listed = must(
      await service.rates<{ items: Optimization[] }>(
        'GET',
        `/optimizations?propertyId=${property.propertyId}&limit=1`,
      ),
      200,
    );
    t.equal(listed.json.items.length, 1);
    t.match(must(await service.rates('GET', `/optimizations/${optimizationId}`), 200).json, { optimizationId });
  });

  await group.test('small moves are accepted by the rule of the property, and by nobody else', async (t) => {
    const property = await BlackboxProperty.open(service);
    for (let n = 0; n < 3; n++) must(await property.book({ from: 30 }), 201);
    // Small gains too, so that there are moves of many sizes.
    const objectives = { primary: 'MAXIMIZE_REVENUE', constraints: { minGainPercent: 0 } };
    const { recommendations } = must(await ask(property, { objectives }), 200).json;
    const moves = recommendations.map(moveOf).sort((a, b) => a - b);
    const limit = Math.ceil(moves[Math.floor(moves.length / 2)]! * 10) / 10;
    const path = `/yield-optimization/rule/${property.propertyId}`;
    t.match(must(await service.rates('GET', path), 200).json, {
      enabled: false,
      acceptUpToPercent: null,
      setBy: null,
    });
    const body = { enabled: true, acceptUpToPercent: limit };
    isProblem(t, await service.rates('PUT', path, { body, role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await service.rates('PUT', path, { body: { ...body, roomTypes: ['NO'] } }), 400, {
      pointers: ['/roomTypes/0'],
      code: 'VALIDATION_FAILED',
    });
    const rule = must(await service.rates<{ setBy: string }>('PUT', path, { body }), 200).json;
    t.match(rule, { ...body, roomTypes: null, setBy: String, setAt: String });
    const done = must(await ask(property, { objectives }), 200).json;
    const small = done.recommendations.filter((one) => moveOf(one) <= limit && one.revenueAfter >= one.revenueBefore);
    const { nights } = done.acceptedByRule!;
    t.ok(nights.length > 0 && nights.length < done.recommendations.length);
    t.match(done.acceptedByRule, { upToPercent: limit, setBy: rule.setBy });
    t.same(nights.map(nightKey).sort(), small.map(nightKey).sort());
    const rateOf = async ({ roomType, date }: Night) => {
      const query = `propertyId=${property.propertyId}&startDate=${date}&endDate=${date}&rateCode=BAR&roomType=${roomType}`;
      return must(await service.rates<{ items: { rate: number }[] }>('GET', `/calendar?${query}`), 200).json.items[0]!
        .rate;
    };
    for (const one of done.recommendations)
      t.equal(await rateOf(one), small.includes(one) ? one.optimizedRate : one.currentRate, nightKey(one));
    type Trail = { items: { action: string; userId: string; after: object }[] };
    const url = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=rates&limit=50`;
    const { items } = must(await service.call<Trail>('GET', url, { role: 'ADMIN' }), 200).json;
    t.match(
      items.find(({ action, after }) => action === 'IMPLEMENT_RATES' && 'byRule' in after),
      { userId: 'system', after: { byRule: { upToPercent: limit, setBy: rule.setBy } } },
    );
    t.same(must(await service.rates('GET', `/optimizations/${done.optimizationId}`), 200).json, done);
    must(await post(done.implementationUrl), 200);
    for (const one of done.recommendations) t.equal(await rateOf(one), one.optimizedRate, 'the others by a person');
    must(await service.rates('PUT', path, { body: { ...body, enabled: false } }), 200);
    t.notOk(must(await ask(property, { objectives }), 200).json.acceptedByRule);
  });

  await group.test('rates that moved since refuse with the nights that did', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { json } = must(await ask(property), 200);
    const { roomType } = json.recommendations[0]!;
    must(await property.price(roomType, 20, 21, 133), 200);
    const refused = await post(json.implementationUrl);
    isProblem(t, refused, 409, { code: 'RATES_MOVED' });
    const { changed } = problemOf(refused) as unknown as { changed: object[] };
    // oxlint-disable-next-line unicorn/no-thenable -- its name on the wire
    t.match(changed[0], { roomType, then: 100, now: 133 });
  });

  await group.test('what was accepted is recorded with what it is to bring', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await property.book({ from: 25, nights: 2 }), 201);
    const { json } = must(await ask(property), 200);
    const [first, second] = json.recommendations;
    const nights = [first!, second!].map(({ roomType, date }) => ({ roomType, date }));
    must(await post(json.implementationUrl, { body: { nights } }), 200);
    must(await post(json.implementationUrl, { body: { nights } }), 200);
    type Outcomes = { totals: object; items: Record<string, unknown>[] };
    const range = `startDate=${property.day(0)}&endDate=${property.day(60)}`;
    const read = (more = '', options: object = {}) =>
      service.rates<Outcomes>('GET', `/recommendations/outcomes?propertyId=${property.propertyId}${more}`, options);
    const { items, totals } = must(await read(`&${range}`), 200).json;
    t.equal(items.length, 2, 'once each');
    const of = ({ roomType, date }: object & Partial<Night>) =>
      items.find((one) => nightKey(one as Night) === nightKey({ roomType: roomType!, date: date! }));
    t.match(of(first!), {
      optimizationId: json.optimizationId,
      byRule: false,
      rateBefore: first!.currentRate,
      rateAfter: first!.optimizedRate,
      revenueBefore: first!.revenueBefore,
      expected: { revenue: first!.revenueAfter },
      actual: null,
    });
    t.match(totals, { accepted: 2, over: 0, revenueActual: 0 });
    t.same(must(await read(), 200).json.items, [], 'without dates the nights that ended last');
    isProblem(t, await read(`&startDate=${property.day(2)}&endDate=${property.day(1)}`), 400, {
      parameters: ['endDate'],
    });
    isProblem(t, await read('', { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
    const again = must(await ask(property), 200).json.recommendations;
    for (const night of again.filter((one) => [first, second].some((made) => nightKey(made!) === nightKey(one)))) {
      const made = [first!, second!].find((one) => nightKey(one) === nightKey(night))!;
      t.ok(night.optimizedRate <= made.currentRate * 1.25 && night.optimizedRate >= made.currentRate * 0.85);
    }
  });

  await group.test('recommended rates can be made night by night', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { json } = must(await ask(property), 200);
    const [first, second, ...rest] = json.recommendations.map(({ roomType, date }) => ({ roomType, date }));
    const implement = (nights: object[]) => post(json.implementationUrl, { body: { nights } });
    const one = must(await implement([first!]), 200).json;
    t.match(one, { optimizationId: json.optimizationId, status: 'IMPLEMENTED', affectedDates: 1 });
    t.same(must(await implement([first!, first!]), 200).json, one, 'the same night again, the same body');
    isProblem(t, await implement([{ roomType: 'STD', date: property.day(90) }]), 400, {
      pointers: ['/nights/0'],
      code: 'VALIDATION_FAILED',
    });
    isProblem(t, await implement([]), 400, { pointers: ['/nights'], code: 'VALIDATION_FAILED' });
    const offset = (Date.parse(second!.date) - Date.parse(property.day(0))) / 86_400_000;
    must(await property.price(second!.roomType, offset, 1, 133), 200);
    isProblem(t, await post(json.implementationUrl), 409, { code: 'RATES_MOVED' });
    must(await implement(rest), 200);
    const day = `startDate=${first!.date}&endDate=${first!.date}&rateCode=BAR&roomType=${first!.roomType}`;
    const path = `/calendar?propertyId=${property.propertyId}&${day}`;
    const { items } = must(await service.rates<{ items: { rate: number }[] }>('GET', path), 200).json;
    t.equal(items[0]!.rate, json.recommendations[0]!.optimizedRate);
    must(await property.price(second!.roomType, offset, 1, 100), 200);
    t.match(must(await post(json.implementationUrl), 200).json, { affectedDates: 1 }, 'the one that was left');
  });

  await group.test('constraints hold, a key repeats, and unmet ones are named', async (t) => {
    const property = await BlackboxProperty.open(service);
    const objectives = { primary: 'MAXIMIZE_REVPAR', constraints: { maxRateIncrease: 5 } };
    const { json } = must(await ask(property, { objectives }), 200);
    for (const { optimizedRate } of json.recommendations) t.ok(optimizedRate <= 105);
    const key = { headers: { 'idempotency-key': `yield-${property.propertyId}` } };
    const first = must(await ask(property, {}, key), 200);
    const again = must(await ask(property, {}, key), 200);
    t.same(again.json, first.json);
    t.equal(again.headers['idempotency-replayed'], 'true');
    isProblem(t, await ask(property, { objectives }, key), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    t.match(first.json, { constraintsMet: true, unmet: [], model: 'curve' }, 'nothing is known of its past');
    const far = { primary: 'MAXIMIZE_REVENUE', constraints: { minOccupancy: 100 } };
    const unmet = must(await ask(property, { objectives: far }), 200).json;
    t.match(unmet, {
      status: 'COMPLETED',
      constraintsMet: false,
      unmet: [{ constraint: 'minOccupancy', asked: 100, reachable: Number }],
    });
    t.same(unmet.results, first.json.results, 'nothing is given away for it');
    const stored = `/optimizations/${unmet.optimizationId}`;
    t.match(must(await service.rates('GET', stored), 200).json, { constraintsMet: false, unmet: unmet.unmet });
    const closed = await BlackboxProperty.open(service, { rooms: { STD: 0 } });
    isProblem(t, await ask(closed), 422, { code: 'INSUFFICIENT_DATA' });
    const unpriced = await BlackboxProperty.open(service, { pricedNights: 0 });
    const refused = await ask(unpriced);
    isProblem(t, refused, 422, { code: 'INSUFFICIENT_DATA' });
    t.match(problemOf(refused), { missing: 'NIGHTS' });
    const reversed = { optimizationPeriod: { startDate: property.day(9), endDate: property.day(8) } };
    isProblem(t, await ask(property, reversed), 400, {
      pointers: ['/optimizationPeriod/endDate'],
      code: 'VALIDATION_FAILED',
    });
    isProblem(t, await ask(property, {}, { role: 'STAFF' }), 403, { code: 'ROLE_TOO_LOW' });
  });

  await group.test('what a property sets holds where a request says nothing', async (t) => {
    const policies = { maxRateIncrease: 12, maxRateDecrease: 8, pricePoints: [110, 95.5, 105] };
    const property = await BlackboxProperty.open(service, { policies });
    for (let n = 0; n < 3; n++) must(await property.book({ from: 30 }), 201);
    const path = `/properties/${property.propertyId}`;
    type View = { metadata: { policies: object } };
    t.match(must(await service.tenants<View>('GET', path), 200).json.metadata.policies, {
      maxRateIncrease: 12,
      maxRateDecrease: 8,
      minGainPercent: 1,
      pricePoints: [95.5, 105, 110],
      sameByWeekday: false,
    });
    const { optimizationId, recommendations, settings } = must(await ask(property), 200).json;
    t.ok(recommendations.length > 0);
    for (const { optimizedRate, lowestRate, highestRate, limitedBy } of recommendations) {
      t.ok([95.5, 105, 110].includes(optimizedRate), `${optimizedRate}`);
      t.ok(lowestRate >= 92 && highestRate <= 112, `${lowestRate} ${highestRate}`);
      const isEnd = optimizedRate === (optimizedRate > 100 ? highestRate : lowestRate);
      t.equal(limitedBy !== undefined, isEnd, 'why it does not go on');
    }
    t.strictSame(settings, {
      startDate: property.day(20),
      endDate: property.day(40),
      objective: 'MAXIMIZE_REVENUE',
      strategy: 'DYNAMIC',
      minOccupancy: null,
      maxRateIncrease: 12,
      maxRateDecrease: 8,
      minGainPercent: 1,
      costPerOccupiedRoom: null,
      pricePoints: [95.5, 105, 110],
      sameByWeekday: false,
    });
    const stored = await service.rates<Optimization>('GET', `/optimizations/${optimizationId}`);
    t.strictSame(must(stored, 200).json.settings, settings, 'also where it is read later');
    const objectives = { primary: 'MAXIMIZE_REVENUE', constraints: { pricePoints: [97] } };
    for (const { optimizedRate } of must(await ask(property, { objectives }), 200).json.recommendations)
      t.equal(optimizedRate, 97, 'a request has its own ladder');
    const changed = (policies: Record<string, unknown>) =>
      service.tenants('PUT', path, { body: propertyBody(property.propertyId, policies) });
    must(await changed({ ...policies, minGainPercent: 100 }), 200);
    t.same(must(await ask(property), 200).json.recommendations, [], 'no change doubles a night');
    must(await changed({ sameByWeekday: true }), 200);
    const all = { optimizationPeriod: { startDate: property.day(20), endDate: property.day(75) } };
    const moves = Map.groupBy(
      must(await ask(property, all), 200).json.recommendations,
      ({ roomType, date }) => `${roomType} ${date.slice(0, 7)} ${new Date(date).getUTCDay()}`,
    );
    t.ok(moves.size > 0);
    for (const [which, nights] of moves) t.equal(new Set(nights.map((one) => one.optimizedRate)).size, 1, which);
    const refused: [Record<string, unknown>, string][] = [
      [{ pricePoints: [100, 90, 100] }, 'pricePoints/2'],
      [{ pricePoints: [0] }, 'pricePoints/0'],
      [{ pricePoints: ['x'] }, 'pricePoints/0'],
      [{ pricePoints: Array.from({ length: 201 }, (_, n) => n + 1) }, 'pricePoints'],
      [{ sameByWeekday: 'yes' }, 'sameByWeekday'],
      [{ maxRateDecrease: 101 }, 'maxRateDecrease'],
      [{ maxRateIncrease: -1 }, 'maxRateIncrease'],
      [{ minGainPercent: 101 }, 'minGainPercent'],
    ];
    for (const [policy, field] of refused)
      isProblem(t, await changed(policy), 400, {
        pointers: [`/metadata/policies/${field}`],
        code: 'VALIDATION_FAILED',
      });
    const yen = propertyBody(`yen-${property.propertyId}`, { pricePoints: [9_000, 9_500.5] }, 'UTC', 'JPY');
    isProblem(t, await service.tenants('POST', '/properties', { body: yen }), 400, {
      pointers: ['/metadata/policies/pricePoints/1'],
      code: 'VALIDATION_FAILED',
    });
  });

  await group.test('a long period is computed while the caller does something else', async (t) => {
    const property = await BlackboxProperty.open(service);
    const period = { optimizationPeriod: { startDate: property.day(1), endDate: property.day(100) } };
    const key = { headers: { 'idempotency-key': `long-${property.propertyId}` } };
    const asked = must(await ask(property, period, key), 202);
    const { optimizationId } = asked.json;
    t.match(asked.json, { status: 'RUNNING', results: null, recommendations: [] });
    t.equal(asked.headers.location, `/api/v1/rates/optimizations/${optimizationId}`);
    t.equal((await ask(property, period, key)).json.optimizationId, optimizationId);
    const read = () => service.rates<Optimization>('GET', `/optimizations/${optimizationId}`);
    const done = await until('the optimization', 60_000, async () => {
      const { json } = must(await read(), 200);
      return json.status === 'RUNNING' ? undefined : json;
    });
    t.match(done, { status: 'COMPLETED', progress: 100 });
    t.ok(done.results.projectedRevenue! >= done.results.currentRevenue!);
    t.ok(done.recommendations.length > 0);
    t.match(must(await ask(property, period, key), 200).json, { optimizationId, status: 'COMPLETED' });
    const metric = async (name: string) =>
      (await service.call('GET', `${service.dev.rateUrl}/actuator/metrics/${name}`)).json as {
        measurements: { statistic: string; value: number }[];
      };
    await until('an empty queue', 10_000, async () => {
      const [size] = (await metric('rate.optimization.queue.size')).measurements;
      return size!.value === 0 ? true : undefined;
    });
    const [count] = (await metric('rate.optimization.duration')).measurements;
    t.ok(count!.statistic === 'COUNT' && count!.value > 0);
    const empty = await BlackboxProperty.open(service, { pricedNights: 0 });
    isProblem(t, await ask(empty, period), 422, { code: 'INSUFFICIENT_DATA' });
  });

  await group.test('an analysis adds up, is cached for an hour, and can be flushed', async (t) => {
    const property = await BlackboxProperty.open(service);
    must(await property.book({ from: 5, nights: 2 }), 201);
    const read = (more = '') =>
      service.rates<Record<string, Record<string, unknown>>>(
        'GET',
        `/analysis?propertyId=${property.propertyId}${more}`,
      );
    const { json, headers } = must(await read(), 200);
    t.equal(headers.age, '0');
    t.match(json.period, { startDate: property.day(0), endDate: property.day(29) });
    t.match(json.performance, { averageRate: 100, occupancyRate: 0.95 });
    const { potentialRevenue, currentRevenue, opportunityLoss } = json.optimization as Record<string, number>;
    t.equal(Math.round((potentialRevenue! - currentRevenue!) * 100), Math.round(opportunityLoss! * 100));
    t.ok(opportunityLoss! >= 0);
    must(await property.book({ from: 6, nights: 2 }), 201);
    t.same(must(await read(), 200).json, json, 'cached');
    for (const cache of ['rates', 'analysis']) {
      const name = `cache.${cache}.hit.ratio`;
      const metric = await service.call<{ measurements: { value: number }[] }>(
        'GET',
        `${service.dev.rateUrl}/actuator/metrics/${name}`,
      );
      const { value } = must(metric, 200).json.measurements[0]!;
      t.ok(value > 0 && value <= 1, `${name}: ${value}`);
    }
    const flush = must(await service.admin<{ evicted: number }>('DELETE', '/cache/rates'), 200).json;
    t.ok(flush.evicted >= 1);
    t.match(must(await read(), 200).json, { performance: { occupancyRate: 1.9 } });
    isProblem(t, await read('&startDate=2031-01-02&endDate=2031-01-01'), 400, {
      parameters: ['endDate'],
      code: 'VALIDATION_FAILED',
    });
    isProblem(t, await read('&roomType=NOPE'), 422, { code: 'UNKNOWN_ROOM_TYPE' });
  });

  await group.test('a recalculation looks at market and demand anew and recommends rates', async (t) => {
    const property = await BlackboxProperty.open(service);
    const plan = { propertyId: property.propertyId, code: 'DYN', name: 'Dynamic', strategy: 'DYNAMIC' };
    must(await service.rates('POST', '/plans', { body: plan }), 201);
    const body = { propertyId: property.propertyId, startDate: property.day(1), endDate: property.day(20) };
    const ask = (more: object = {}, options: object = {}) =>
      service.admin<{ jobId: string; statusUrl: string }>('POST', '/rates/recalculate', {
        ...options,
        body: { ...body, ...more },
      });
    await refreshed(service);
    const begun = must(await ask(), 202);
    t.equal(begun.headers.location, begun.json.statusUrl);
    type Recalculation = { state: string; progress: number; nights: number; optimizationUrl: string };
    const read = (options: object = {}) =>
      service.call<Recalculation>('GET', service.dev.rateUrl + begun.json.statusUrl, { role: 'ADMIN', ...options });
    const done = await until('the recalculation', 60_000, async () => {
      const { json } = must(await read(), 200);
      return json.state === 'COMPLETED' ? json : undefined;
    });
    t.equal(done.progress, 100);
    const optimization = await until('its recommendations', 60_000, async () => {
      const { json } = must(
        await service.rates<Optimization>('GET', done.optimizationUrl.slice('/api/v1/rates'.length)),
        200,
      );
      return json.status === 'COMPLETED' ? json : undefined;
    });
    t.ok(optimization.recommendations.every(({ date }) => date >= body.startDate && date <= body.endDate));
    const explained = must(
      await service.rates<{ rates: { dailyRates: { rate: number; steps: { rule: string; amount: number }[] }[] }[] }>(
        'GET',
        `/current?propertyId=${property.propertyId}&checkIn=${property.day(5)}&checkOut=${property.day(12)}&rateCode=DYN&explain=true`,
      ),
      200,
    );
    const nights = explained.json.rates.flatMap(({ dailyRates }) => dailyRates);
    t.ok(nights.some(({ steps }) => steps.some(({ rule }) => rule === 'competitor')));
    for (const { rate, steps } of nights)
      t.equal(Math.round(steps.reduce((sum, { amount }) => sum + amount * 100, 0)), Math.round(rate * 100));

    isProblem(t, await ask({ endDate: property.day(0) }), 400, { pointers: ['/endDate'] });
    isProblem(t, await ask({ propertyId: 'no-such-house' }), 404, { code: 'PROPERTY_NOT_FOUND' });
    isProblem(t, await ask({}, { role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await read({ tenant: 'rival' }), 404, { code: 'JOB_NOT_FOUND' });
    const key = { headers: { 'idempotency-key': `again-${property.propertyId}` } };
    const one = must(await ask({}, key), 202);
    const two = must(await ask({}, key), 202);
    t.equal(one.json.jobId, two.json.jobId);
    isProblem(t, await ask({ endDate: property.day(9) }, key), 422, { code: 'IDEMPOTENCY_MISMATCH' });
  });

  await group.test('rates are looked through for what is wrong with them', async (t) => {
    const property = await BlackboxProperty.open(service, { pricedNights: 100, policies: { horizonNights: 120 } });
    const { json } = must(
      await service.admin<{ valid: boolean; findings: object[] }>('GET', `/rates/validate/${property.propertyId}`),
      200,
    );
    t.notOk(json.valid);
    t.match(json.findings, [
      { code: 'NO_RATE', roomType: 'STD', startDate: property.day(100), endDate: property.day(120) },
      { code: 'NO_RATE', roomType: 'DLX' },
    ]);
  });
}
