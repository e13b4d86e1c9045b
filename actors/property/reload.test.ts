import t from 'tap';

import type { RatePlan } from '../../src/rates/rules/rate-plan.ts';
import { partyOfPersons } from '../../src/rates/rules/stay.ts';
import type { StoredRate, StoredRates } from '../../src/rates/rules/stored-rates.ts';
import { plain, Scene } from '../../src/testing/actors/scene.ts';
import { baseRates, bookCommand, DAY, envelope, plan, roomType, NOW } from '../../src/testing/property-world.ts';
import { draftChanges } from './changes.ts';
import { RATE_VERSION_STALE } from './state.ts';

/** What the database holds of a scene, with changes of somebody else. */
function stored(
  { state }: Scene,
  { rates = (list) => list, plans = (list) => list, version = 1, seq = state.seq }: Foreign = {},
): StoredRates {
  const rows: StoredRate[] = [];
  for (const [type, slab] of state.slabs)
    for (let day = slab.first; slab.has(day); day++) {
      const rate = slab.base(day);
      const multiplier = slab.multiplier(day);
      const amount = slab.amount(day);
      if (rate >= 0) rows.push({ roomType: type, day, rate, multiplier, amount });
    }
  return { version, seq, rates: rates(rows), plans: plans([...state.plans.values()]) };
}
type Foreign = {
  rates?: (list: StoredRate[]) => StoredRate[];
  plans?: (list: RatePlan[]) => RatePlan[];
  version?: number;
  seq?: number;
};

/** A function that changes the rows of one STD night. */
const night = (day: number, change: Partial<StoredRate>) => (list: StoredRate[]) =>
  list.map((row) => (row.day === day && row.roomType === 'STD' ? { ...row, ...change } : row));
const rateOf = (scene: Scene, day: number, type = 'STD') => scene.cell(day, type).rate;

void t.test('foreign rates are taken over with a number of their own, shown, and not written again', async (t) => {
  const scene = Scene.property();
  const { seq } = scene.state;
  const rates = night(DAY + 5, { rate: 12_000, multiplier: 150 });
  t.equal(rateOf(scene, DAY + 5), 10_000);
  const result = scene.accept({ type: 'RELOAD', stored: stored(scene, { rates, version: 7 }) });
  t.same(result, { version: 7, nights: 1, plans: 0 });
  t.equal(scene.state.seq, seq + 1);
  t.equal(scene.state.rateVersion, 7);
  t.equal(rateOf(scene, DAY + 5), 18_000);
  const [entry] = scene.last.entries;
  t.same(entry!.facts.cells, [['STD', DAY + 5, 3, 0, 0, 0, 3, 18_000, 'rate']]);
  t.same(entry!.facts.foreign, { version: 7, nights: [['STD', DAY + 5, 10_000, 12_000]], plans: [] });
  const changes = draftChanges(scene.last.draft);
  t.same([changes.rates, changes.plans, changes.cells], [[], [], []]);
});

void t.test('a night without a row has no rate; rows without a cell are nobody’s', async (t) => {
  const scene = Scene.property();
  const rates = (list: StoredRate[]) => [
    ...list.filter(({ day }) => day !== DAY + 5),
    ...['STD', 'ATTIC'].map((type) => ({ roomType: type, day: DAY + 900, rate: 5, multiplier: 100, amount: 0 })),
  ];
  scene.accept({ type: 'RELOAD', stored: stored(scene, { rates }) });
  t.same([rateOf(scene, DAY + 5), rateOf(scene, DAY + 5, 'DLX'), rateOf(scene, DAY + 6)], [null, null, 10_000]);
  t.equal(scene.refuse(bookCommand()).code, 'NO_RATE');
});

void t.test('a plan that changed changes every price under it, also those that were remembered', async (t) => {
  const scene = Scene.property();
  t.equal(rateOf(scene, DAY + 5), 10_000);
  const plans = (list: RatePlan[]) => [
    ...list.filter(({ code }) => code !== 'NRF').map((one) => ({ ...one, adjustmentPercent: 20 })),
    plan({ code: 'NEW' }),
  ];
  scene.accept({ type: 'RELOAD', stored: stored(scene, { plans }) });
  t.equal(rateOf(scene, DAY + 5), 12_000);
  const { facts } = scene.last.entries[0]!;
  t.equal(facts.cells?.length, 62, 'every night of both types');
  t.same(
    facts.foreign?.plans.map(({ code, before, after }) => [code, before !== null, after !== null]),
    [
      ['BAR', true, true],
      ['FLEX', true, true],
      ['NRF', true, false],
      ['NEW', false, true],
    ],
  );
  const old = scene.view.quote({ checkIn: DAY, checkOut: DAY + 1, ...partyOfPersons(1), rateCode: 'NEW' }, NOW);
  t.equal(old.rates[0]?.total, 10_000);
});

void t.test('what bookings hold is left alone', async (t) => {
  const scene = Scene.property();
  scene.accept(bookCommand());
  const before = scene.cell(DAY + 5);
  scene.accept({ type: 'RELOAD', stored: stored(scene, { rates: night(DAY + 5, { rate: 1 }) }) });
  t.same(scene.cell(DAY + 5), { ...before, rate: 1 });
});

void t.test('rows that were read before a change of our own are refused, and nothing of them is taken', async (t) => {
  const changes = {
    'base rates': (scene: Scene) => scene.accept(baseRates('STD', 11_000)),
    'a type that comes again': (scene: Scene) => {
      scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'DLX' });
      scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('DLX', 2), mode: 'create' });
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    const scene = Scene.property();
    const old = stored(scene, { rates: night(DAY + 5, { rate: 12_000 }) });
    change(scene);
    const before = plain(scene.state);
    t.equal(scene.refuse({ type: 'RELOAD', stored: old }).code, 'RATES_MOVED', what);
    t.same(plain(scene.state), before);
    scene.accept({ type: 'RELOAD', stored: { ...stored(scene), version: 1 } });
  }
  const scene = Scene.property();
  const old = stored(scene);
  scene.accept(bookCommand());
  scene.accept({ type: 'RELOAD', stored: old });
  t.equal(scene.state.rateVersion, 1, 'a booking in between does not matter');
  scene.batch(envelope(baseRates('STD', 11_000)), envelope({ type: 'RELOAD', stored: stored(scene) }));
  t.match(scene.last.outcomes[1], { kind: 'refused', error: { code: 'RATES_MOVED' } }, 'nor in the same batch');
});

void t.test('rows that make no sense are refused as a whole, and the old ones stay', async (t) => {
  const wrongRates = [{ rate: 0 }, { rate: NaN }, { rate: 1e12 }, { multiplier: -1 }, { amount: 0.5 }];
  const wrongPlans: Record<string, unknown>[] = [
    { strategy: 'GUESS' },
    { adjustmentPercent: 'lots' },
    { adjustmentPercent: undefined },
    { minRatePercent: 90, maxRatePercent: 80 },
    { minLengthOfStay: -1 },
    { maxAdvanceBooking: 1.5 },
  ];
  const wrong = [
    ...wrongRates.map((change) => ({ rates: night(DAY + 5, change) })),
    ...wrongPlans.map((change) => ({ plans: (list: RatePlan[]) => list.map((one) => ({ ...one, ...change })) })),
  ];
  const scene = Scene.property();
  const before = plain(scene.state);
  for (const foreign of wrong) {
    const error = scene.refuse({ type: 'RELOAD', stored: stored(scene, foreign) });
    t.equal(error.code, 'VALIDATION_FAILED', error.message);
  }
  t.same(plain(scene.state), before);
});

void t.test(
  'rates that are written ahead of the window are published when their night has come into it',
  async (t) => {
    const scene = Scene.property();
    const last = DAY + 30;
    const ahead = { roomType: 'STD', day: last + 1, rate: 20_000, multiplier: 100, amount: 0 };
    const rates = (list: StoredRate[]) => [...list, ahead];
    scene.accept({ type: 'RELOAD', stored: stored(scene, { rates, version: 3 }) });
    scene.accept(bookCommand());
    t.equal(scene.state.rateVersion, 3);
    scene.pass(86_400_000);
    scene.accept({ type: 'TICK' });
    t.equal(rateOf(scene, last + 1), null);
    t.equal(scene.state.rateVersion, RATE_VERSION_STALE, 'the next check will differ');
    t.equal(scene.sealed.at(-1)!.rateVersion, RATE_VERSION_STALE, 'and the next activation knows too');
    scene.accept({ type: 'RELOAD', stored: stored(scene, { rates, version: 3 }) });
    t.equal(rateOf(scene, last + 1), 20_000);
    t.equal(scene.state.rateVersion, 3);
    scene.pass(86_400_000);
    scene.accept({ type: 'TICK' });
    t.equal(scene.state.rateVersion, 3, 'nothing is ahead any more');
  },
);
