import t from 'tap';

import { Scene } from '../../../src/testing/actors/scene.ts';
import { baseRates, DAY, freshId, restrict } from '../../../src/testing/property-world.ts';

type Wanted = { day: number; to: number; from?: number | null; roomType?: string };

const set = (nights: Wanted[], dryRun?: true) => ({
  type: 'SET_NIGHT_RATES' as const,
  rateId: freshId(),
  nights: nights.map((night) => ({ roomType: 'STD', ...night })),
  ...(dryRun && { dryRun }),
});
const costs = (scene: Scene, ...nights: number[]) => nights.map((night) => scene.cell(DAY + night).rate);

void t.test('nights cost what somebody says, and the answer undoes it', async (t) => {
  const scene = Scene.property();
  const command = set([
    { day: DAY + 5, to: 12_300 },
    { day: DAY + 6, to: 9_100, from: 10_000 },
  ]);
  const { changes } = scene.accept(command) as { changes: { roomType: string; day: number; from: number }[] };
  t.same(costs(scene, 5, 6, 7), [12_300, 9_100, 10_000]);
  const facts = [
    ['STD', DAY + 5, 10_000, 12_300],
    ['STD', DAY + 6, 10_000, 9_100],
  ];
  t.match(scene.last.entries[0], {
    entity: command.rateId,
    facts: { rates: { rateId: command.rateId, nights: facts } },
  });
  scene.accept(set(changes.map(({ day, from }) => ({ day, to: from }))));
  t.same(costs(scene, 5, 6), [10_000, 10_000]);
});

void t.test('a season and the strategy of BAR lead to the price that was asked for', async (t) => {
  const scene = Scene.property();
  const season = { name: 'Fair', start: DAY + 5, end: DAY + 6, multiplier: 130, amount: 700 };
  scene.accept({ ...baseRates('STD', 10_000, DAY, DAY + 20), seasons: [season] });
  scene.accept(set([{ day: DAY + 5, to: 19_999 }]));
  t.same(costs(scene, 5, 6), [19_999, 13_700]);
});

void t.test('who has seen another price changes nothing', async (t) => {
  const scene = Scene.property();
  scene.accept(set([{ day: DAY + 5, to: 12_000 }]));
  const late = set([
    { day: DAY + 4, to: 9_000, from: 10_000 },
    { day: DAY + 5, to: 9_000, from: 10_000 },
  ]);
  const error = scene.refuse(late);
  t.equal(error.code, 'RATES_MOVED');
  t.match(JSON.stringify(error.details.extra), /"roomType":"STD".*"then":100,"now":120/);
  t.same(costs(scene, 4, 5), [10_000, 12_000]);
});

void t.test('a bound of the plan clamps, and the answer says what the night costs', async (t) => {
  const scene = Scene.property();
  const bounded = { ...scene.state.plans.get('BAR')!, minRate: 8_000 };
  scene.accept({ type: 'PUT_RATE_PLAN', plan: bounded, mode: 'replace' });
  const { changes } = scene.accept(set([{ day: DAY + 5, to: 100 }])) as { changes: unknown[] };
  t.match(changes, [{ from: 10_000, to: 8_000 }]);
});

void t.test('a locked rate is set by a person', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ rateLocked: true }, { rateCode: 'BAR', roomType: 'STD', start: DAY + 5, end: DAY + 5 }));
  scene.accept(set([{ day: DAY + 5, to: 15_000 }]));
  t.same(costs(scene, 5), [15_000]);
});

void t.test('nights that are not on sale, and room types that are not there, are refused', async (t) => {
  const scene = Scene.property();
  const error = scene.refuse(
    set([
      { day: DAY - 1, to: 100 },
      { day: DAY + 5_000, to: 100 },
    ]),
  );
  t.match(error.details.errors, [
    { pointer: '/nights/0/date', code: 'IN_THE_PAST' },
    { pointer: '/nights/1/date', code: 'TOO_FAR' },
  ]);
  t.equal(scene.refuse(set([{ day: DAY + 5, to: 100, roomType: 'NONE' }])).code, 'UNKNOWN_ROOM_TYPE');
});
