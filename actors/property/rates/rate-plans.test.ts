import t from 'tap';

import { totals } from '../../../src/money/rules/night.ts';
import { planVersion, type RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  freshId,
  modifyCommand,
  plan,
  restrict,
  NOW,
} from '../../../src/testing/property-world.ts';

const put = (changed: Partial<RatePlan>, mode: 'create' | 'replace' = 'create') =>
  ({ type: 'PUT_RATE_PLAN', plan: plan(changed), mode }) as const;
const QUERY = { checkIn: DAY + 5, checkOut: DAY + 7, ...partyOfPersons(2) };
const total = (scene: Scene, rateCode: string, more: object = {}) =>
  scene.view.quote({ ...QUERY, rateCode, roomType: 'STD', ...more }, NOW).rates[0]?.total;
const bar = (scene: Scene) => scene.state.plans.get('BAR')!;

void t.test('a new plan sells from the next quote on, and a changed one at its new price', async (t) => {
  const scene = Scene.property();
  const { id } = scene.accept(put({ code: 'WEB', adjustmentPercent: -5 }));
  t.equal(total(scene, 'WEB'), 19_000);
  t.equal(totals(scene.accept(bookCommand({ stay: { rateCode: 'WEB' } })).reservation.nights).base, 19_000);
  scene.accept(put({ id, code: 'WEB', adjustmentPercent: -20 }, 'replace'));
  t.equal(total(scene, 'WEB'), 16_000);
  scene.accept(put({ id, code: 'WEB', status: 'INACTIVE' }, 'replace'));
  t.equal(scene.refuse(bookCommand({ stay: { rateCode: 'WEB' } })).code, 'UNKNOWN_RATE_CODE');
  t.equal(
    codeOf(() => total(scene, 'WEB')),
    'UNKNOWN_RATE_CODE',
  );
});

void t.test('of two who have read the same plan one changes it, and the other learns that', async (t) => {
  const scene = Scene.property();
  const web = scene.accept(put({ code: 'WEB', adjustmentPercent: -5 }));
  const ifVersion = planVersion(web);
  scene.accept({ ...put({ ...web, adjustmentPercent: -20 }, 'replace'), ifVersion });
  t.equal(scene.refuse({ ...put({ ...web, name: 'Site' }, 'replace'), ifVersion }).code, 'STALE_VERSION');
  t.equal(scene.refuse({ type: 'REMOVE_RATE_PLAN', planId: web.id, ifVersion }).code, 'STALE_VERSION');
  scene.accept({ type: 'REMOVE_RATE_PLAN', planId: web.id, ifVersion: planVersion(scene.state.plans.get('WEB')!) });
});

void t.test('a derived plan follows its parent, two levels deep and never in a circle', async (t) => {
  const scene = Scene.property();
  const web = scene.accept(put({ code: 'WEB', parentCode: 'BAR', adjustmentPercent: -10 }));
  scene.accept(put({ code: 'APP', parentCode: 'WEB', adjustmentAmount: -500 }));
  t.equal(total(scene, 'APP'), 17_000);
  scene.accept(put({ ...bar(scene), adjustmentPercent: 50 }, 'replace'));
  t.equal(total(scene, 'WEB'), 27_000);
  t.equal(total(scene, 'APP'), 26_000);
  const refused = {
    'a third level': put({ code: 'DEEP', parentCode: 'APP' }),
    'a circle': put({ ...web, parentCode: 'APP' }, 'replace'),
    itself: put({ code: 'SELF', parentCode: 'SELF' }),
    'BAR under another': put({ ...bar(scene), parentCode: 'NRF' }, 'replace'),
    'BAR not sold': put({ ...bar(scene), status: 'DRAFT' }, 'replace'),
    'another code': put({ ...web, code: 'OTHER' }, 'replace'),
  };
  for (const [what, command] of Object.entries(refused))
    t.match(scene.refuse(command).code, what === 'itself' ? 'UNKNOWN_RATE_CODE' : 'VALIDATION_FAILED', what);
  t.equal(scene.refuse(put({ code: 'X', parentCode: 'NOPE' })).code, 'UNKNOWN_RATE_CODE');
  t.equal(scene.refuse(put({ code: 'WEB' })).code, 'ALREADY_EXISTS');
  t.equal(scene.refuse(put({ code: 'NEW' }, 'replace')).code, 'RATE_PLAN_NOT_FOUND');
});

void t.test('a plan that goes takes its restrictions along; BAR and parents stay', async (t) => {
  const scene = Scene.property();
  const web = scene.accept(put({ code: 'WEB' }));
  scene.accept(put({ code: 'APP', parentCode: 'WEB' }));
  const remove = (planId: string) => ({ type: 'REMOVE_RATE_PLAN', planId }) as const;
  t.equal(scene.refuse(remove(web.id)).code, 'INVALID_STATE');
  t.equal(scene.refuse(remove(bar(scene).id)).code, 'INVALID_STATE');
  scene.accept(restrict({ stopSell: true }, { rateCode: 'APP' }));
  scene.accept(remove(scene.state.plans.get('APP')!.id));
  t.equal(scene.refuse(bookCommand({ stay: { rateCode: 'APP' } })).code, 'UNKNOWN_RATE_CODE');
  t.equal(scene.refuse(remove(freshId())).code, 'RATE_PLAN_NOT_FOUND');
  scene.accept(put({ code: 'APP' }));
  scene.accept(bookCommand({ stay: { rateCode: 'APP' } }));
});

void t.test('nights whose BAR changes are published to dashboards', async (t) => {
  const scene = Scene.property();
  scene.accept(put({ ...bar(scene), strategy: 'WEEKEND' }, 'replace'));
  const cells = scene.last.entries[0]!.facts.cells!;
  t.ok(
    cells.length > 0 && cells.every(([, , , , , , , rate]) => rate === 11_500 || rate === 17_250),
    'weekends only',
  );
  scene.accept(put({ code: 'WEB' }));
  t.equal(scene.last.entries[0]!.facts.cells, undefined, 'another plan is not shown');
});

void t.test('each booking under a DYNAMIC plan makes the next one dearer, and what comes back cheaper', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept(put({ ...bar(scene), strategy: 'DYNAMIC', strategyRules: { bidPercentPerRoom: 5 } }, 'replace'));
  const bases = [0, 1, 2].map(() => totals(scene.accept(bookCommand()).reservation.nights).base);
  t.same(bases, [20_000, 21_000, 22_000]);
  t.match(scene.last.entries[0]!.facts.cells, [
    ['STD', DAY + 5, 3, 3, 0, 0, 0, 11_500],
    ['STD', DAY + 6, 3, 3, 0, 0, 0, 11_500],
  ]);
  const [step] = scene.view.quote({ ...QUERY, rateCode: 'BAR', roomType: 'STD', explain: true }, NOW).rates[0]!
    .steps!;
  t.match(step!.at(-2), { rule: 'bidPrice', amount: 1_500 });
});

void t.test(
  'a computed bid price is in the next quote, moves with each booking, and is frozen with it',
  async (t) => {
    const scene = Scene.property({ policies: { paymentRequired: false } });
    scene.accept(put({ ...bar(scene), strategy: 'DYNAMIC', strategyRules: { bidPriceBy: 'PROGRAM' } }, 'replace'));
    const bid = { amount: 400, perRoom: 900, rooms: 3 };
    const nights = [DAY + 5, DAY + 6].map((day) => ({ day, bid }));
    t.same(scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights }), { nights: 2 });
    t.match(scene.last.entries[0]!.facts.setup, [
      { kind: 'signals', after: [{ start: DAY + 5, end: DAY + 6, bid }] },
    ]);
    t.equal(total(scene, 'BAR'), 20_800);
    const explained = scene.view.quote({ ...QUERY, rateCode: 'BAR', roomType: 'STD', explain: true }, NOW).rates[0]!;
    for (const night of explained.steps!)
      t.equal(
        night.reduce((sum, { amount }) => sum + amount, 0),
        10_400,
      );
    const booked = [0, 1, 2].map(() => scene.accept(bookCommand()).reservation);
    t.same(
      booked.map((one) => totals(one.nights).base),
      [20_800, 22_600, 24_400],
    );
    scene.accept({
      type: 'SET_SIGNALS',
      roomType: 'STD',
      nights: [{ day: DAY + 5, bid: { ...bid, amount: 2_500 } }],
    });
    t.equal(totals(scene.state.reservations.get(booked[0]!.id)!.nights).base, 20_800);
    t.same(scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 6, bid }] }), { nights: 0 });
    t.match(scene.view.rateNights(DAY + 5, DAY + 5, 'STD'), [{ rate: 13_000, beforeBid: 10_000 }]);
    scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 6, bid: null }] });
    t.equal(scene.view.rateNights(DAY + 6, DAY + 6, 'STD')[0]!.rate, 10_150, 'by rooms sold again');
  },
);

void t.test(
  'a live rate is in the next quote, moves with each booking and cancellation, and is frozen',
  async (t) => {
    const scene = Scene.property({ policies: { paymentRequired: false } });
    scene.accept(put({ ...bar(scene), strategy: 'DYNAMIC', strategyRules: { bidPriceBy: 'LIVE' } }, 'replace'));
    const live = { rooms: 3, step: 1, factors: [9_000, 10_500, 12_000], start: 10_000, on: DAY };
    const nights = [DAY + 5, DAY + 6].map((day) => ({ day, live }));
    t.same(scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights }), { nights: 2 });
    t.same(scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights }), { nights: 0 }, 'nothing is new');
    t.match(scene.last.entries[0]?.facts.setup ?? [{ after: [{ live }] }], [{ after: [{ live }] }]);
    const quotes = [0, 1, 2].map(() => {
      const quoted = total(scene, 'BAR');
      const { reservation } = scene.accept(bookCommand());
      return { quoted, reservation };
    });
    t.same(
      quotes.map(({ quoted }) => quoted),
      [18_000, 21_000, 24_000],
    );
    for (const { quoted, reservation } of quotes) t.equal(totals(reservation.nights).base, quoted);
    scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 5, live: { ...live, rooms: 1 } }] });
    t.equal(totals(scene.state.reservations.get(quotes[0]!.reservation.id)!.nights).base, 18_000);
    t.match(scene.view.rateNights(DAY + 6, DAY + 6, 'STD'), [{ rate: 12_000, beforeStrategy: 10_000, live }]);
    const steps = scene.view.quote({ ...QUERY, rateCode: 'BAR', roomType: 'STD', explain: true }, NOW).rates[0]!
      .steps!;
    t.match(steps[1]!.at(-2), { rule: 'liveRate', amount: 2_000 });
    scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 6, live: null }] });
    t.equal(scene.view.rateNights(DAY + 6, DAY + 6, 'STD')[0]!.rate, 10_150, 'by rooms sold');
  },
);

void t.test('what forecast and market say moves DYNAMIC plans only, from the next quote on', async (t) => {
  const scene = Scene.property();
  const signals = {
    type: 'SET_SIGNALS',
    roomType: 'STD',
    nights: [
      { day: DAY + 5, demand: 10, market: 15_000 },
      { day: DAY + 400, demand: 5 },
    ],
  } as const;
  t.same(scene.accept({ ...signals, nights: [...signals.nights] }), { nights: 1 });
  t.equal(total(scene, 'BAR'), 20_000);
  t.equal(scene.last.entries[0]!.facts.cells, undefined);
  scene.accept(put({ ...bar(scene), strategy: 'DYNAMIC' }, 'replace'));
  t.equal(total(scene, 'BAR'), 11_000 + 1_000 + 10_000);
  scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 5, market: null }] });
  t.equal(total(scene, 'BAR'), 21_000);
  t.match(scene.last.entries[0]!.facts.cells, [['STD', DAY + 5, 3, 0, 0, 0, 3, 11_000]]);
  const run = { start: DAY + 5, end: DAY + 5, demand: 10 };
  t.same(scene.last.entries[0]!.facts.setup, [
    { kind: 'signals', id: 'STD', before: [{ ...run, market: 15_000 }], after: [{ ...run, market: null }] },
  ]);
  t.same(scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 5, demand: 10 }] }), {
    nights: 0,
  });
  t.equal(scene.refuse({ type: 'SET_SIGNALS', roomType: 'NOPE', nights: [] }).code, 'UNKNOWN_ROOM_TYPE');
});

void t.test('a plan that prices by advance moves with the day, and dashboards are notified', async (t) => {
  const scene = Scene.property();
  scene.accept(put({ ...bar(scene), strategy: 'LASTMINUTE' }, 'replace'));
  t.match(
    [3, 4].map((offset) => scene.cell(DAY + offset).rate),
    [8_500, 10_000],
  );
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.match(scene.cell(DAY + 4), { rate: 8_500 });
  t.same(
    scene.last.entries[0]!.facts.cells!.filter(([type]) => type === 'STD').map(([, day, , , , , , rate]) => [
      day,
      rate,
    ]),
    [[DAY + 4, 8_500]],
  );
  t.equal(total(scene, 'BAR', { checkIn: DAY + 4, checkOut: DAY + 6 }), 17_000, 'by the day of arrival');
});

void t.test('nights outside of the validity of a plan have no rate under it', async (t) => {
  const scene = Scene.property();
  scene.accept(put({ code: 'MAY', validFrom: DAY + 6, validTo: DAY + 9 }));
  t.match(scene.refuse(bookCommand({ stay: { rateCode: 'MAY' } })), { code: 'NO_RATE' });
  const inside = { rateCode: 'MAY', checkIn: DAY + 6, checkOut: DAY + 9 };
  const { reservation } = scene.accept(bookCommand({ stay: inside }));
  t.equal(scene.refuse(modifyCommand(reservation.id, { checkOut: DAY + 11 })).code, 'NO_RATE');
});

void t.test('a plan sells its room types only, and a derived one at most those of its parent', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  for (const code of ['STD', 'DLX']) scene.accept(baseRates(code, 10_000));
  t.equal(scene.refuse(put({ code: 'SUITES', roomTypes: ['SUITE'] })).code, 'VALIDATION_FAILED');
  t.equal(scene.refuse(put({ ...bar(scene), roomTypes: ['STD'] }, 'replace')).code, 'VALIDATION_FAILED');
  scene.accept(put({ code: 'BETTER', roomTypes: ['DLX'] }));
  scene.accept(put({ code: 'CLUB', parentCode: 'BETTER', roomTypes: ['STD', 'DLX'] }));
  for (const rateCode of ['BETTER', 'CLUB']) {
    const refused = scene.refuse(bookCommand({ stay: { rateCode, roomType: 'STD' } }));
    t.match(refused, { code: 'NO_RATE', message: `The plan ${rateCode} does not sell STD.` });
    scene.accept(bookCommand({ stay: { rateCode, roomType: 'DLX' } }));
  }
});

void t.test('a plan that can sell nothing, and prices that nobody can pay, are refused', async (t) => {
  const scene = Scene.property();
  const errors = (changed: Partial<RatePlan>, mode?: 'replace') => scene.refuse(put(changed, mode)).details.errors;
  const parent = scene.accept(put({ code: 'STDS', roomTypes: ['STD', 'DLX'] }));
  scene.accept(put({ code: 'CHILD', parentCode: 'STDS', roomTypes: ['DLX'] }));
  t.match(errors({ code: 'NONE', parentCode: 'CHILD', roomTypes: ['STD'] }), [
    { pointer: '/roomTypes', code: 'NOT_SOLD', detail: /NONE/ },
  ]);
  t.match(errors({ ...parent, roomTypes: ['STD'] }, 'replace'), [{ code: 'NOT_SOLD', detail: /CHILD/ }]);
  const most = Math.max(...[...scene.state.roomTypes.values()].map(({ maxGuests }) => maxGuests));
  const priced = (...occupancyPricing: NonNullable<RatePlan['occupancyPricing']>) => ({
    code: 'OCC',
    occupancyPricing,
  });
  t.match(errors(priced({ included: most + 1, extraAdult: 500, bands: {} })), [
    { pointer: '/occupancyPricing/0/included', code: 'TOO_BIG' },
  ]);
  const own = ['STD', 'DLX'].map((roomType) => ({ roomType, included: 2, extraAdult: 500, bands: {} }));
  t.match(errors(priced(...own, { included: 2, extraAdult: 500, bands: {} })), [
    { pointer: '/occupancyPricing/2', code: 'NOT_SOLD' },
  ]);
  scene.accept(put(priced(...own)));
});

void t.test('a plan that names a deleted room type can still be changed', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const plan = scene.accept(put({ code: 'BETTER', roomTypes: ['DLX', 'STD'] }));
  scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'DLX' });
  t.match(scene.accept(put({ ...plan, status: 'INACTIVE' }, 'replace')), { status: 'INACTIVE' });
  t.equal(scene.refuse(put({ ...plan, roomTypes: ['STD', 'NOPE'] }, 'replace')).code, 'VALIDATION_FAILED');
});
