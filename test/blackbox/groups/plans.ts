import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Plan = { id: string; code: string; strategy: string; rules: Record<string, unknown> };
type Step = { rule: string; amount: number };

/** Rate plans and the rules by which they price (docs/reference/rates.md#rate-plans). */
export async function plans(group: Test, service: Service): Promise<void> {
  const create = (property: BlackboxProperty, body: object) =>
    service.rates<Plan>('POST', '/plans', { body: { propertyId: property.propertyId, name: 'Test', ...body } });
  const list = async (property: BlackboxProperty) =>
    must(await service.rates<{ items: Plan[] }>('GET', `/plans?propertyId=${property.propertyId}`), 200).json.items;
  const quoted = async (property: BlackboxProperty, more: string) =>
    must(
      await service.rates<{ rates: { totalRate: number; dailyRates: { rate: number; steps: Step[] }[] }[] }>(
        'GET',
        `/current?propertyId=${property.propertyId}&checkIn=${property.day(30)}&checkOut=${property.day(32)}&roomType=DLX&${more}`,
      ),
      200,
    ).json.rates[0]!;

  await group.test('of two who have read the same plan, the later one learns that it has changed', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { id } = must(await create(property, { code: 'WEB' }), 201).json;
    const read = must(await service.rates<Plan & { version: number }>('GET', `/plans/${id}`), 200);
    const etag = String(read.headers['etag']);
    t.equal(etag, `"${read.json.version}"`);
    const change = (name: string) =>
      service.rates('PUT', `/plans/${id}`, { body: { name }, headers: { 'if-match': etag } });
    const changes = await Promise.all([change('One'), change('Two')]);
    t.same(new Set(changes.map(({ status }) => status)), new Set([200, 412]));
    isProblem(
      t,
      changes.find(({ status }) => status === 412)!,
      412,
      { code: 'STALE_VERSION' },
    );
    isProblem(t, await service.rates('DELETE', `/plans/${id}`, { headers: { 'if-match': etag } }), 412);
    const now = must(await service.rates<Plan>('GET', `/plans/${id}`), 200).headers['etag'];
    must(await service.rates('DELETE', `/plans/${id}`, { headers: { 'if-match': String(now) } }), 200);
  });

  await group.test('a property defines cancellation policies: quoted, booked, and what a cancel costs', async (t) => {
    const cancellationPolicies = [
      { name: 'EARLY_BIRD', freeCancellationHours: null, penaltyPercent: 50 },
      { name: 'TWO_WEEKS', freeCancellationHours: 336, penaltyNights: 2 },
    ];
    const policies = { cancellationPolicy: 'EARLY_BIRD', cancellationPolicies };
    const property = await BlackboxProperty.open(service, { policies });
    const quote = await quoted(property, 'rateCode=BAR');
    t.match(quote, { cancellation: { policyName: 'EARLY_BIRD', deadlineDate: null } });
    const { json } = await property.book({ nights: 2 });
    const { totalAmount } = json.financial;
    const cancelled = must(await service.reservations('DELETE', `/${json.reservationId}`), 200).json;
    t.match(cancelled, {
      cancellationPolicy: { policyName: 'EARLY_BIRD', penaltyAmount: totalAmount / 2 },
      refund: { refundAmount: totalAmount / 2 },
    });
    isProblem(t, await create(property, { code: 'ODD', cancellationPolicy: 'NOWHERE' }), 400, {
      code: 'VALIDATION_FAILED',
      pointers: ['/cancellationPolicy'],
    });
    must(await create(property, { code: 'TWO', cancellationPolicy: 'TWO_WEEKS' }), 201);
    const path = `/properties/${property.propertyId}`;
    const { json: read } = must(await service.tenants<{ metadata: object }>('GET', path), 200);
    t.match(read, { metadata: { policies } });
    const change = (changed: object) =>
      service.tenants('PUT', path, {
        body: {
          name: 'A house',
          metadata: { currency: 'EUR', timezone: 'UTC', policies: changed },
        },
      });
    isProblem(t, await change({}), 400, { pointers: ['/metadata/policies/cancellationPolicies'] });
    isProblem(t, await change({ cancellationPolicy: 'WHATEVER' }), 400, {
      pointers: ['/metadata/policies/cancellationPolicy'],
    });
  });

  await group.test('a plan is made, read, listed, changed and taken away', async (t) => {
    const property = await BlackboxProperty.open(service);
    t.same((await list(property)).map(({ code }) => code).sort(), ['BAR', 'FLEX', 'NRF']);
    const made = must(await create(property, { code: 'WEB', adjustmentPercent: -5 }), 201);
    t.equal(made.headers.location, `/api/v1/rates/plans/${made.json.id}`);
    t.match(made.json, { code: 'WEB', strategy: 'FIXED', status: 'ACTIVE', rules: { maxLengthOfStay: 30 } });
    const path = `/plans/${made.json.id}`;
    t.same(must(await service.rates('GET', path), 200).json, made.json);
    t.equal((await quoted(property, 'rateCode=WEB')).totalRate, 190);
    must(await property.book({ stay: { rateCode: 'WEB' } }), 201);
    const changed = must(
      await service.rates<Plan>('PUT', path, { body: { name: 'Web', adjustmentAmount: -10 } }),
      200,
    );
    t.match(changed.json, { id: made.json.id, code: 'WEB', name: 'Web' });
    t.equal((await quoted(property, 'rateCode=WEB')).totalRate, 180);
    must(await service.rates('DELETE', path), 200);
    isProblem(t, await service.rates('GET', path), 404, { code: 'RATE_PLAN_NOT_FOUND' });
    isProblem(t, await property.book({ stay: { rateCode: 'WEB' } }), 422, { code: 'UNKNOWN_RATE_CODE' });
  });

  await group.test('a plan that was taken away comes back as it was', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { json: plan } = must(await create(property, { code: 'WEB', adjustmentPercent: -5 }), 201);
    const path = `/plans/${plan.id}`;
    const headers = { 'idempotency-key': `restore-${plan.id}` };
    const restore = (more = {}) => service.rates<Plan>('POST', `${path}/restore`, { role: 'ADMIN', ...more });
    isProblem(t, await restore(), 409, { code: 'ALREADY_EXISTS' });
    const once = { headers: { 'idempotency-key': `remove-${plan.id}` } };
    const removed = must(await service.rates('DELETE', path, once), 200);
    t.match(await service.rates('DELETE', path, once), {
      status: 200,
      text: removed.text,
      headers: { 'idempotency-replayed': 'true' },
    });
    isProblem(t, await service.rates('DELETE', `${path}?other=1`, once), 422, { code: 'IDEMPOTENCY_MISMATCH' });
    isProblem(t, await service.rates('DELETE', path), 404, { code: 'RATE_PLAN_NOT_FOUND' });
    isProblem(t, await restore({ role: 'MANAGER' }), 403, { code: 'ROLE_TOO_LOW' });
    isProblem(t, await restore({ tenant: 'rival' }), 404, { code: 'RATE_PLAN_NOT_FOUND' });
    const back = must(await restore({ headers }), 200);
    t.same(back.json, plan);
    t.same((await restore({ headers })).json, plan, 'once under a key');
    t.same(must(await service.rates('GET', path), 200).json, plan);
    t.equal((await quoted(property, 'rateCode=WEB')).totalRate, 190);
    must(await property.book({ stay: { rateCode: 'WEB' } }), 201);
    must(await service.rates('DELETE', path), 200);
    must(await create(property, { code: 'WEB' }), 201);
    isProblem(t, await restore(), 409, { code: 'ALREADY_EXISTS' });
    const nowhere = '/plans/00000000-0000-7000-8000-000000000000/restore';
    isProblem(t, await service.rates('POST', nowhere, { role: 'ADMIN' }), 404);
  });

  await group.test('a plan sells its room types only, and what would have no effect is refused', async (t) => {
    const property = await BlackboxProperty.open(service);
    const suites = must(await create(property, { code: 'SUITES', roomTypes: ['DLX'] }), 201);
    t.match(suites.json, { roomTypes: ['DLX'] });
    t.equal((await quoted(property, 'rateCode=SUITES')).totalRate, 200);
    isProblem(t, await create(property, { code: 'NONE', roomTypes: ['NOPE'] }), 400, { pointers: ['/roomTypes/0'] });
    isProblem(t, await create(property, { code: 'NONE', roomTypes: [] }), 400, { pointers: ['/roomTypes'] });
    const derived = { code: 'NONE', parentCode: 'SUITES' };
    const rules = { occupancyRules: { extraPersonRate: 8 }, advanceRules: [{ percent: 5 }] };
    isProblem(t, await create(property, { ...derived, strategy: 'WEEKEND', baseRate: 90, rules }), 400, {
      pointers: ['/strategy', '/baseRate', '/rules/occupancyRules', '/rules/advanceRules'],
    });
    const early = { strategyRules: { earlyBirdDays: 30 } };
    isProblem(t, await create(property, { code: 'NONE', strategy: 'WEEKEND', rules: early }), 400, {
      pointers: ['/rules/strategyRules/earlyBirdDays'],
    });
    isProblem(t, await create(property, { code: 'NONE', rules: early }), 400);
  });

  await group.test('guests pay by their ages and the room type, quoted and booked', async (t) => {
    const ageBands = [
      { code: 'CHILD', toAge: 11 },
      { code: 'BABY', toAge: 2 },
    ];
    const property = await BlackboxProperty.open(service, { policies: { ageBands } });
    const { json: read } = must(await service.tenants<object>('GET', `/properties/${property.propertyId}`), 200);
    t.match(read, { metadata: { policies: { ageBands: ageBands.toReversed() } } });
    const occupancyPricing = [
      { extraAdult: 40, single: -15, bands: { CHILD: 20 } },
      { roomType: 'DLX', included: 1, extraAdult: 50, bands: { BABY: 5, CHILD: 25 } },
    ];
    const plan = must(await create(property, { code: 'FAMILY', occupancyPricing }), 201).json;
    t.match(plan, { occupancyPricing: [{ included: 2 }, occupancyPricing[1]] });
    must(await create(property, { code: 'CLUB', parentCode: 'FAMILY', adjustmentPercent: -10 }), 201);
    const total = async (more: string) => (await quoted(property, more)).totalRate;
    t.equal(await total('rateCode=FAMILY&adults=1'), 200);
    t.equal(await total('rateCode=FAMILY&adults=2&childAges=5'), 350);
    t.equal(await total('rateCode=FAMILY&adults=1&childAges=5,1'), 260);
    t.equal(await total('rateCode=FAMILY&adults=1&children=1'), 300, 'of unknown age');
    t.equal(await total('rateCode=CLUB&adults=2&childAges=12'), 360);
    const stay = { rateCode: 'FAMILY', adults: 2, childAges: [11] };
    const { json: booked } = must(await property.book({ from: 30, nights: 2, roomType: 'DLX', stay }), 201);
    t.equal(booked.financial.totalAmount, 350);
    isProblem(
      t,
      await create(property, { code: 'A', occupancyPricing: [{ extraAdult: 1, bands: { TEEN: 1 } }] }),
      400,
      {
        pointers: ['/occupancyPricing/0/bands/TEEN'],
      },
    );
    isProblem(t, await create(property, { code: 'A', parentCode: 'FAMILY', occupancyPricing }), 400, {
      pointers: ['/occupancyPricing'],
    });
    isProblem(
      t,
      await create(property, { code: 'A', occupancyPricing, rules: { occupancyRules: { singleRate: 1 } } }),
      400,
      {
        pointers: ['/rules/occupancyRules'],
      },
    );
    isProblem(t, await create(property, { code: 'A', rules: { occupancyRules: { singleRate: 80 } } }), 400, {
      pointers: ['/rules/occupancyRules/singleRate'],
    });
    isProblem(t, await create(property, { code: 'A', occupancyPricing: [{ extraAdult: -1, included: 0 }] }), 400, {
      pointers: ['/occupancyPricing/0/included', '/occupancyPricing/0/extraAdult'],
    });
  });

  await group.test('a plan by persons sells a suite at the price of a suite', async (t) => {
    const property = await BlackboxProperty.open(service, { price: 320 });
    const occupancyRules = { singleRate: 80, doubleRate: 100, extraPersonRate: 30 };
    must(await create(property, { code: 'PERSONS', rules: { occupancyRules } }), 201);
    const night = async (adults: number) =>
      (await quoted(property, `rateCode=PERSONS&adults=${adults}`)).totalRate / 2;
    t.same([await night(1), await night(2), await night(3)], [300, 320, 350]);
  });

  await group.test('the steps of a price say what each rule adds, and sum to it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const rules = {
      occupancyRules: { singleRate: 80, doubleRate: 100, extraPersonRate: 25 },
      lengthOfStayRules: [{ minNights: 2, percent: -10 }],
      advanceRules: [{ minDays: 20, percent: -5 }],
    };
    must(await create(property, { code: 'RULES', rules }), 201);
    must(await create(property, { code: 'CLUB', parentCode: 'RULES', adjustmentAmount: -1.5 }), 201);
    const { dailyRates, totalRate } = await quoted(property, 'rateCode=CLUB&adults=3&explain=true');
    t.match(
      dailyRates[0]!.steps.filter(({ amount }) => amount !== 0),
      [
        { rule: 'base', amount: 100 },
        { rule: 'occupancy', amount: 25 },
        { rule: 'lengthOfStay', amount: -12.5 },
        { rule: 'advance', amount: -5.62 },
        { rule: 'derived', amount: -1.5 },
      ],
    );
    for (const { rate, steps } of dailyRates)
      t.equal(Math.round(steps.reduce((sum, { amount }) => sum + amount, 0) * 100), Math.round(rate * 100));
    t.equal(totalRate, 210.76);
    t.equal((await quoted(property, 'rateCode=RULES&adults=1')).totalRate, 136.8);
    const { json } = must(await property.book({ stay: { rateCode: 'CLUB', adults: 3 } }), 201);
    t.equal((json as { financial: { baseAmount: number } }).financial.baseAmount, 210.76);
  });

  await group.test(
    'each booking makes the next one dearer under a DYNAMIC plan; a token keeps its price',
    async (t) => {
      const property = await BlackboxProperty.open(service);
      const bar = (await list(property)).find(({ code }) => code === 'BAR')!;
      const body = { name: 'BAR', strategy: 'DYNAMIC', rules: { strategyRules: { bidPercentPerRoom: 5 } } };
      must(await service.rates('PUT', `/plans/${bar.id}`, { body }), 200);
      const { quoteToken } = await property.quoted(30, 2);
      for (const base of [200, 210]) {
        t.equal((await quoted(property, 'rateCode=BAR')).totalRate, base);
        must(await property.book(), 201);
      }
      const { json } = must(await property.book({ stay: { quoteToken } }), 201);
      t.equal((json as { financial: { baseAmount: number } }).financial.baseAmount, 200);
    },
  );

  await group.test('a preview says what a change would do, or did, and changes nothing', async (t) => {
    const property = await BlackboxProperty.open(service);
    type Preview = {
      id: string;
      kind: string;
      items: { date: string; from: number; to: number }[];
      forecast: { revenueBefore: number; revenueAfter: number };
      previewUrl: string;
    };
    const change = (query: string) =>
      service.rates<Preview>('PUT', `/base${query}`, {
        body: {
          propertyId: property.propertyId,
          roomType: 'DLX',
          effectiveDate: property.day(30),
          endDate: property.day(31),
          rates: [],
          seasonalAdjustments: [
            {
              name: 'fair',
              startDate: property.day(31),
              endDate: property.day(31),
              adjustment: 25,
              adjustmentType: 'AMOUNT',
            },
          ],
        },
      });
    const dry = must(await change('?dryRun=true'), 200).json;
    const items = [{ roomType: 'DLX', date: property.day(31), from: 100, to: 125 }];
    t.match(dry, { kind: 'RATE_CHANGE', items });
    t.equal(dry.items.length, 1, 'the night that is named');
    t.ok(dry.forecast.revenueBefore > 0 && dry.forecast.revenueAfter !== dry.forecast.revenueBefore);
    t.equal((await quoted(property, 'rateCode=BAR')).totalRate, 200);
    const { previewUrl } = must(await change(''), 200).json;
    t.equal((await quoted(property, 'rateCode=BAR')).totalRate, 225);
    const preview = must(await service.rates<Preview>('GET', previewUrl.replace('/api/v1/rates', '')), 200).json;
    t.same(preview.items, items);
    isProblem(t, await service.rates('GET', `/${randomUUID()}/preview`), 404, {
      code: 'RATE_CHANGE_NOT_FOUND',
    });
  });

  await group.test('the calendar has the cheapest price of each day that can be had', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { STD: 1, DLX: 1 } });
    must(await property.price('DLX', 30, 3, 150), 200);
    const days = async (more = '') =>
      must(
        await service.rates<{ items: Record<string, unknown>[] }>(
          'GET',
          `/calendar?propertyId=${property.propertyId}&startDate=${property.day(30)}&endDate=${property.day(32)}${more}`,
        ),
        200,
      ).json.items;
    t.match(await days(), [
      {
        date: property.day(30),
        rate: 90,
        roomType: 'STD',
        rateCode: 'NRF',
        availability: 1,
        restrictions: { minimumStay: 1 },
        stay: { checkIn: property.day(30), checkOut: property.day(31) },
      },
      { rate: 90 },
      { rate: 90 },
    ]);
    must(await property.book({ roomType: 'STD', from: 31, nights: 1 }), 201);
    t.match(await days(), [{ rate: 90 }, { rate: 135, roomType: 'DLX' }, { rate: 90 }]);
    t.match(await days('&rateCode=BAR&roomType=STD'), [
      { rate: 100 },
      { rate: null, restrictions: null, stay: null },
      { rate: 100 },
    ]);
    t.match(await days('&adults=9'), [{ rate: null }, { rate: null }, { rate: null }]);
    const closed = {
      startDate: property.day(30),
      endDate: property.day(30),
      closedToArrival: true,
      minStayArrival: 4,
    };
    const body = { propertyId: property.propertyId, ...closed };
    must(await service.rates('PUT', '/restrictions', { body }), 200);
    const passing = { checkIn: property.day(29), checkOut: property.day(31) };
    t.match(await days(), [{ restrictions: { closedToArrival: true, minimumStay: 4 }, stay: passing }, {}, {}]);
    isProblem(
      t,
      await service.rates(
        'GET',
        `/calendar?propertyId=${property.propertyId}&startDate=2030-01-01&endDate=2031-01-02`,
      ),
      400,
      {
        code: 'VALIDATION_FAILED',
        parameters: ['endDate'],
      },
    );
  });

  await group.test('what cannot be a plan is refused, field by field', async (t) => {
    const property = await BlackboxProperty.open(service);
    const bad = (body: object, ...pointers: string[]) =>
      create(property, body).then((answer) => isProblem(t, answer, 400, { code: 'VALIDATION_FAILED', pointers }));
    await bad({}, '/code');
    await bad({ code: 'X', strategy: 'CHEAP' }, '/strategy');
    await bad({ code: 'X', baseRate: 0 }, '/baseRate');
    await bad({ code: 'X', baseRate: 1.234 }, '/baseRate');
    await bad({ code: 'X', validFrom: property.day(9), validTo: property.day(8) }, '/validTo');
    await bad({ code: 'X', minRate: 90, maxRate: 80 }, '/maxRate');
    await bad({ code: 'X', rules: { minLengthOfStay: 5, maxLengthOfStay: 2 } }, '/rules/maxLengthOfStay');
    await bad({ code: 'X', rules: { dayOfWeekRates: { funday: 1 } } }, '/rules/dayOfWeekRates/funday');
    isProblem(t, await create(property, { code: 'X', currency: 'USD' }), 422, { code: 'CURRENCY_MISMATCH' });
    isProblem(t, await create(property, { code: 'X', parentCode: 'NOPE' }), 422, { code: 'UNKNOWN_RATE_CODE' });
    isProblem(t, await create(property, { code: 'BAR' }), 409, { code: 'ALREADY_EXISTS' });
    const staff = { role: 'STAFF' as const, body: { propertyId: property.propertyId, code: 'X', name: 'X' } };
    isProblem(t, await service.rates('POST', '/plans', staff), 403, { code: 'ROLE_TOO_LOW' });
  });
}
