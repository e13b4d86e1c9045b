import t, { type Test } from 'tap';

import type { Caller } from '../../../kernel/rules/caller.ts';
import { endOfBusinessDay } from '../../../kernel/rules/property-time.ts';
import { clockOf } from '../../../properties/rules/property.ts';
import { BAR } from '../../../rates/rules/rate-plan.ts';
import { TestFrontDesk } from '../../../testing/front-desk.ts';
import { MemoryPriceExperiments } from '../../../testing/partners/memory-price-experiments.ts';
import { DAY, PROPERTY_ID } from '../../../testing/property-world.ts';
import { experimentBody } from '../../contracts/price-experiments.ts';
import { beginExperiment } from './begin-experiment.ts';
import { readExperiment } from './read-experiments.ts';
import { stopExperiment, switchRates } from './switch-rates.ts';

const caller = { ...PROPERTY_ID, subject: 'boss', role: 'MANAGER', requestId: 'r' } as Caller;
const FIVE_MORE = { adjustmentPercent: 5 };

async function desk(t: Test) {
  const { services: ofDesk, running } = await TestFrontDesk.open(t);
  const experiments = new MemoryPriceExperiments();
  const clock = { now: () => now };
  let now = ofDesk.clock.now();
  const services = { ...ofDesk, experiments, clock };
  const view = () => running.host.view(PROPERTY_ID);
  const bar = async () => (await view()).setup.plans.find(({ code }) => code === BAR)!;
  const begun = async (more: object = {}) => {
    const body = { propertyId: PROPERTY_ID.propertyId, name: 'Five more', treatment: FIVE_MORE, pairs: 4, ...more };
    const { result } = await beginExperiment(services, caller, experimentBody.parse(body));
    return (await experiments.find('', result.id))!;
  };
  const startOf = async (day: number) => endOfBusinessDay(day - 1, clockOf((await view()).setup.property));
  const day = async (date: number, lateMs = 60_000) => {
    now = (await startOf(date)) + lateMs;
    await switchRates(services, PROPERTY_ID, date);
    return (await bar()).adjustmentPercent;
  };
  return { services, experiments, running, bar, begun, day };
}

t.test('the plan has the rates of each day of sale as they were drawn, and afterwards those of before', async (t) => {
  const { begun, day, experiments, bar } = await desk(t);
  const { arms, first } = await begun();
  t.equal(first, DAY + 1);
  t.equal(arms.length, 8);
  for (let pair = 0; pair < 4; pair++) t.not(arms[2 * pair], arms[2 * pair + 1], 'one of each');
  t.equal(await day(DAY), 0, 'not begun');
  const tried: number[] = [];
  for (let n = 0; n < 8; n++) tried.push(await day(first + n));
  t.same(
    tried,
    arms.map((arm) => (arm === 'TREATMENT' ? 5 : 0)),
  );
  const before = await bar();
  await day(first + 7);
  t.equal(await bar(), before, 'a day is switched once');
  t.equal(await day(first + 8), 0);
  t.match(experiments.all, [{ status: 'COMPLETED', days: { length: 8 } }]);
});

t.test('who changes what is tried stops the experiment, and keeps the change', async (t) => {
  const { begun, day, running, bar, experiments } = await desk(t);
  const { first } = await begun();
  await day(first);
  await running.send({ type: 'PUT_RATE_PLAN', plan: { ...(await bar()), name: 'Best' }, mode: 'replace' });
  await day(first + 1);
  t.equal((await experiments.running())?.days.length, 2, 'another member does not matter');
  await running.send({ type: 'PUT_RATE_PLAN', plan: { ...(await bar()), adjustmentPercent: 9 }, mode: 'replace' });
  t.equal(await day(first + 2), 9);
  t.match(experiments.all, [{ status: 'STOPPED', stopReason: 'PLAN_CHANGED' }]);
});

t.test('a stopped experiment gives back what the plan had', async (t) => {
  const { begun, day, bar, services } = await desk(t);
  const { id, first, arms } = await begun();
  await day(first + arms.indexOf('TREATMENT'));
  t.equal((await bar()).adjustmentPercent, 5);
  await stopExperiment(services, caller, id);
  t.equal((await bar()).adjustmentPercent, 0);
  await t.rejects(stopExperiment(services, caller, id), { code: 'INVALID_STATE' });
  await t.rejects(stopExperiment(services, caller, 'none'), { code: 'EXPERIMENT_NOT_FOUND' });
  t.equal((await begun()).status, 'RUNNING', 'and another one may begin');
});

t.test('another strategy brings its own parameters, and takes them along', async (t) => {
  const { begun, day, bar } = await desk(t);
  const rules = { weekendPercent: 20 };
  const { first, arms } = await begun({ treatment: { strategy: 'WEEKEND', strategyRules: rules } });
  await day(first + arms.indexOf('TREATMENT'));
  t.match(await bar(), { strategy: 'WEEKEND', strategyRules: rules });
  await day(first + 8);
  t.match(await bar(), { strategy: 'FIXED', strategyRules: undefined });
});

t.test('what its days have brought: late ones do not count, and nothing is concluded before the end', async (t) => {
  const { begun, day, services, experiments, running } = await desk(t);
  const { id, first } = await begun();
  const late = 3 * 3_600_000;
  for (let n = 0; n < 8; n++) await day(first + n, n === 3 ? late : 1_000);
  experiments.bookings.push({ index: 56, rooms: 3, revenue: 30_000 }, { index: 57, rooms: 1, revenue: 10_000 });
  const { businessDate } = await running.host.view(PROPERTY_ID);
  t.equal(businessDate, DAY, 'for the property no day of it is over');
  t.match((await readExperiment(services, caller, id)).result, { pairs: 0, leftOut: 0, finding: 'TOO_FEW' });
  const view = await running.host.view(PROPERTY_ID);
  const later = { setup: view.setup, businessDate: DAY + 20 } as typeof view;
  const properties = { ...services.properties, view: async () => later } as typeof services.properties;
  const { result } = await readExperiment({ ...services, properties }, caller, id);
  t.match(result, { leftOut: 1, pairs: 3, finding: 'TOO_FEW' });
  t.equal(result.control.days + result.treatment.days, 7);
  t.equal(result.control.rooms + result.treatment.rooms, 4);
});

t.test('the day on which an experiment is stopped does not count: its guests saw the rates of both', async (t) => {
  const { begun, day, services, experiments, running } = await desk(t);
  const { id, first } = await begun();
  for (let n = 0; n < 4; n++) await day(first + n);
  const view = await running.host.view(PROPERTY_ID);
  const later = { setup: view.setup, businessDate: DAY + 20 } as typeof view;
  const properties = { ...services.properties, view: async () => later } as typeof services.properties;
  const read = async () => (await readExperiment({ ...services, properties }, caller, id)).result;
  t.match(await read(), { leftOut: 0, pairs: 2 });
  await stopExperiment(services, caller, id);
  t.match(await read(), { leftOut: 1, pairs: 1 });
  t.equal(experiments.all[0]!.days.length, 4);
});

t.test('an experiment that could not be, is refused', async (t) => {
  const { begun } = await desk(t);
  await t.rejects(begun({ rateCode: 'NONE' }), { code: 'UNKNOWN_RATE_CODE' });
  for (const [more, pointer] of [
    [{ treatment: { adjustmentPercent: 0 } }, '/treatment'],
    [{ treatment: {} }, '/treatment'],
    [{ treatment: { strategyRules: { weekendPercent: 5 } } }, '/treatment/strategyRules/weekendPercent'],
  ] as const) {
    const refused = begun(more).catch((error: unknown) => error);
    t.match(await refused, { code: 'VALIDATION_FAILED', details: { errors: [{ pointer }] } }, pointer);
  }
  t.equal(
    experimentBody.safeParse({ propertyId: 'x', name: 'x', treatment: {}, pairs: 100, blockDays: 7 }).success,
    false,
  );
  await begun();
  await t.rejects(begun(), { code: 'ALREADY_EXISTS' });
});
