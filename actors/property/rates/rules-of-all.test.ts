import t from 'tap';

import { EVERY, type RestrictionTable, rulesOf, tableOfRows } from '../../../src/rates/rules/restriction-table.ts';
import type { Restriction, RestrictionDays } from '../../../src/rates/rules/restriction.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  modifyCommand,
  NOW,
  plan,
  placeHoldCommand,
  restrict,
  roomType,
} from '../../../src/testing/property-world.ts';

const FIFTH = { start: DAY + 5, end: DAY + 5 };
const ALL = { ...FIFTH, rateCode: undefined, roomType: undefined };
const QUERY = { checkIn: DAY + 5, checkOut: DAY + 7, ...partyOfPersons(2) };

function ruleOf(scene: Scene, rateCode = 'BAR', type = 'STD'): Restriction | undefined {
  return rulesOf(scene.state.restrictions, rateCode, type)?.get(DAY + 5);
}

/** All rows that a scene has written, as a restart finds them. */
function stored(scene: Scene): RestrictionTable {
  const table = new Map<string, Map<string, Map<number, Restriction>>>();
  for (const { changes } of scene.sealed)
    for (const { rateCode, roomType: type, day, restriction } of changes.restrictions) {
      const types = table.get(rateCode) ?? new Map<string, Map<number, Restriction>>();
      const days = types.get(type) ?? new Map<number, Restriction>();
      if (restriction) days.set(day, restriction);
      else days.delete(day);
      table.set(rateCode, types.set(type, days));
    }
  return table;
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Only what is there: the code, the type and the day with their rule. */
function flat(table: RestrictionTable): string[] {
  const of = (code: string, type: string, days: RestrictionDays): string[] =>
    [...days].map(
      ([day, rule]) => `${code} ${type} ${day - DAY} ${JSON.stringify(Object.entries(rule).toSorted(byName))}`,
    );
  return [...table].flatMap(([code, types]) => [...types].flatMap(([type, days]) => of(code, type, days))).toSorted();
}

function survivesRestart(t: Tap, scene: Scene): void {
  t.same(flat(tableOfRows(stored(scene), [...scene.state.plans.values()])), flat(scene.state.restrictions));
}
type Tap = { same(found: unknown, wanted: unknown): void };

void t.test(
  'a stop of the property holds for plans and room types that come later, whatever others have',
  async (t) => {
    const scene = Scene.property();
    scene.accept(restrict({ minStayArrival: 2 }, { ...FIFTH, rateCode: 'NRF' }));
    scene.accept(restrict({ stopSell: true }, ALL));
    scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'LATER' }), mode: 'create' });
    scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('NEW', 3), mode: 'create' });
    scene.accept(baseRates('NEW', 10_000));
    for (const stay of [{ rateCode: 'LATER' }, { roomType: 'NEW' }, { rateCode: 'NRF' }, {}]) {
      t.equal(scene.refuse(bookCommand({ stay })).code, 'STOP_SELL');
      t.equal(scene.refuse(placeHoldCommand(1, stay)).code, 'STOP_SELL');
    }
    for (const type of ['STD', 'DLX', 'NEW']) t.ok(scene.view.isClosed(type, DAY + 5));
    t.equal(scene.view.quote({ ...QUERY, rateCode: 'LATER' }, NOW).rates.length, 0);
    const night = { start: DAY + 5, end: DAY + 5, ...partyOfPersons(2) };
    t.match(scene.view.calendar(night), [{ rate: null }]);
    t.equal(scene.view.restrictions(DAY + 5, DAY + 5, {}).length, 4 * 3);
    survivesRestart(t, scene);
  },
);

void t.test('lifting it gives each plan its own rules back', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ minStayArrival: 2, stopSell: true }, { ...FIFTH, rateCode: 'NRF' }));
  scene.accept(restrict({ minStayArrival: 4 }, { ...FIFTH, rateCode: 'FLEX' }));
  scene.accept(restrict({ stopSell: true, minStayArrival: 3, maxStayThrough: 9 }, ALL));
  const rule = { minStayArrival: 3, maxStayThrough: 9, stopSell: true };
  t.same([ruleOf(scene), ruleOf(scene, 'FLEX'), ruleOf(scene, 'NRF')], [rule, { ...rule, minStayArrival: 4 }, rule]);
  survivesRestart(t, scene);
  scene.accept(restrict({ maxStayThrough: 7 }, ALL));
  t.match(ruleOf(scene, 'NRF'), { maxStayThrough: 7 });
  scene.accept(restrict({ stopSell: false, minStayArrival: null, maxStayThrough: null }, ALL));
  t.same(
    [ruleOf(scene), ruleOf(scene, 'FLEX'), ruleOf(scene, 'NRF')],
    [undefined, { minStayArrival: 4 }, { minStayArrival: 2, stopSell: true }],
  );
  survivesRestart(t, scene);
  t.notOk(
    flat(stored(scene)).some((row) => row.startsWith('=')),
    'no row is left over',
  );
});

void t.test('a rule that no rule of all plans has set is removed from every plan', async (t) => {
  const scene = Scene.property();
  for (const rateCode of ['BAR', 'FLEX', 'NRF'])
    scene.accept(restrict({ stopSell: true, minStayArrival: 2 }, { ...FIFTH, rateCode, roomType: undefined }));
  scene.accept(restrict({ closedToArrival: true }, { ...ALL, roomType: 'DLX' }));
  scene.accept(restrict({ stopSell: null, closedToArrival: null }, ALL));
  t.same([ruleOf(scene, 'FLEX'), ruleOf(scene, 'BAR', 'DLX')], [{ minStayArrival: 2 }, { minStayArrival: 2 }]);
  survivesRestart(t, scene);
});

void t.test('a plan or a room type that is opened again leaves the others closed', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ stopSell: true, minStayArrival: 3 }, ALL));
  scene.accept(restrict({ stopSell: false }, { ...ALL, roomType: 'DLX' }));
  t.match([ruleOf(scene), ruleOf(scene, 'BAR', 'DLX')], [{ stopSell: true }, { stopSell: undefined }]);
  scene.accept(restrict({ stopSell: null, minStayArrival: 2 }, { ...FIFTH, rateCode: 'NRF' }));
  t.same(
    [ruleOf(scene, 'NRF'), ruleOf(scene, 'FLEX'), ruleOf(scene, 'NRF', 'DLX')],
    [{ minStayArrival: 2 }, { stopSell: true, minStayArrival: 3 }, { minStayArrival: 3 }],
  );
  scene.accept(restrict({ minStayArrival: 5 }, { ...FIFTH, rateCode: 'BAR', roomType: 'DLX' }));
  t.same([ruleOf(scene, 'BAR', 'DLX'), ruleOf(scene, 'NRF', 'DLX')], [{ minStayArrival: 5 }, { minStayArrival: 3 }]);
  survivesRestart(t, scene);
});

void t.test('what a node of an earlier release reads and writes', async (t) => {
  const scene = Scene.property();
  const own = { minStayArrival: 2 };
  scene.accept(restrict(own, FIFTH));
  scene.accept(restrict({ stopSell: true }, ALL));
  const rows = stored(scene) as Map<string, Map<string, Map<number, Restriction>>>;
  t.same(
    rows
      .get('BAR')!
      .get('STD')!
      .get(DAY + 5),
    { ...own, stopSell: true },
    'it sells by what holds',
  );
  t.same(
    rows
      .get('FLEX')!
      .get('DLX')!
      .get(DAY + 5),
    { stopSell: true },
  );
  rows
    .get('BAR')!
    .get('STD')!
    .set(DAY + 5, { stopSell: true, maxStayThrough: 4 });
  const plans = [...scene.state.plans.values()];
  t.same(
    tableOfRows(rows, plans)
      .get('BAR')!
      .get('STD')!
      .get(DAY + 5),
    { stopSell: true, maxStayThrough: 4 },
  );
  t.equal(tableOfRows(rows, plans).get('FLEX'), undefined);
});

void t.test('a plan or a type that is removed takes its own rules along, and not those of all', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ stopSell: true }, { ...FIFTH, rateCode: 'FLEX' }));
  scene.accept(restrict({ minStayArrival: 2 }, ALL));
  scene.accept({ type: 'REMOVE_RATE_PLAN', planId: scene.state.plans.get('FLEX')!.id });
  t.notOk(
    flat(stored(scene)).some((row) => row.startsWith('=')),
    'no row is left over',
  );
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'FLEX' }), mode: 'create' });
  t.same(ruleOf(scene, 'FLEX'), { minStayArrival: 2 });
  scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'STD' });
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 3), mode: 'create' });
  t.same(ruleOf(scene), { minStayArrival: 2 });
});

void t.test('a rule for all goes by at the roll, and binds what a change adds', async (t) => {
  const scene = Scene.property();
  const { id } = scene.accept(bookCommand()).reservation;
  scene.accept(restrict({ stopSell: true }, { ...ALL, start: DAY, end: DAY + 7 }));
  t.equal(scene.refuse(modifyCommand(id, { checkOut: DAY + 8 })).code, 'STOP_SELL');
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.equal(Math.min(...scene.state.restrictions.get(EVERY)!.get(EVERY)!.keys()), DAY + 1);
});
