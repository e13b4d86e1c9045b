import t from 'tap';

import type { CompetitorRates } from '../../competitors/ports.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { partyOfPersons } from '../../rates/rules/stay.ts';
import { TestFrontDesk } from '../../testing/front-desk.ts';
import { bookCommand, DAY, freshId, PROPERTY_ID, NOW, plans } from '../../testing/property-world.ts';
import type { PropertyForecast, PropertyHistory } from '../rules/forecast/property-forecast.ts';
import { DemandModels } from './demand/demand-models.ts';
import { recalculateSignals } from './recalculate-signals.ts';

const market = async (): ReturnType<CompetitorRates['market']> => [
  { roomType: 'STD', day: DAY + 3, median: 12_000, low: 9_000, high: 15_000, count: 3, observedAt: NOW },
];

/** A forecast of full occupancy on every night, of a property that is usually half empty. */
const full = (method: 'pickup' | 'curve', nights = 30): PropertyForecast => ({
  nights: Array.from({ length: nights }, (_, n) => ({
    night: DAY + n,
    expected: 5,
    low: 4,
    high: 5,
    deviation: 1,
    confidence: 0.8,
    method,
  })),
  usual: 50,
});

async function desk(t: Parameters<typeof TestFrontDesk.open>[0], forecast: PropertyForecast) {
  const { services: ofDesk, running } = await TestFrontDesk.open(t);
  const competitors = { ...ofDesk.competitors, market };
  const computer = { run: async () => forecast } as unknown as Services['computer'];
  const services: Services = { ...ofDesk, competitors, computer };
  const [bar] = plans();
  const plan: RatePlan = { ...bar!, id: '018f0000-0000-7000-8000-00000000dddd', code: 'DYN', strategy: 'DYNAMIC' };
  const add = () => running.send({ type: 'PUT_RATE_PLAN', plan, mode: 'create' });
  const steps = async (day: number) => {
    const stay = { checkIn: day, checkOut: day + 1, ...partyOfPersons(2), rateCode: 'DYN', roomType: 'STD' };
    const view = await running.host.view(PROPERTY_ID);
    return view.quote({ ...stay, explain: true }, NOW).rates[0]!.steps![0]!;
  };
  return { services, running, add, steps };
}

t.test('a property whose prices follow nothing is left alone', async (t) => {
  const { services, running } = await desk(t, full('pickup'));
  const { seq } = await running.host.view(PROPERTY_ID);
  t.same(await recalculateSignals(services, PROPERTY_ID), { nights: 0 });
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq);
});

t.test('demand and market move the prices of DYNAMIC plans, once', async (t) => {
  const { services, running, add, steps } = await desk(t, full('pickup'));
  await add();
  const { nights } = await recalculateSignals(services, PROPERTY_ID);
  t.ok(nights >= 60, 'both types');
  t.match(await steps(DAY + 3), [
    { rule: 'base', amount: 10_000 },
    { rule: 'season', amount: 0 },
    { rule: 'ratePlan', amount: 0 },
    { rule: 'demand', amount: 2_500 },
    { rule: 'competitor', amount: -125 },
  ]);
  t.notOk((await steps(DAY + 4)).some(({ rule }) => rule === 'competitor'));
  const { seq } = await running.host.view(PROPERTY_ID);
  t.same(await recalculateSignals(services, PROPERTY_ID), { nights: 0 }, 'nothing is new');
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq, 'and nothing is written');
});

t.test('a plan that prices by the program gets bid prices, and new ones when one percent has changed', async (t) => {
  const { services: ofDesk, running } = await TestFrontDesk.open(t);
  let solved = 0;
  let more = 0.6;
  const run: Services['computer']['run'] = async (task, input, onProgress) => {
    if (task === 'forecastProperty') {
      const { sold } = input as PropertyHistory;
      const nights = full('pickup', 12).nights.map((one, n) => ({ ...one, expected: sold[n]! + more, deviation: 0 }));
      return { nights, usual: 50 } as never;
    }
    if (task === 'bidPrices') solved += 1;
    return ofDesk.computer.run(task, input, onProgress);
  };
  const services: Services = { ...ofDesk, computer: { run } };
  const [bar] = plans();
  const strategyRules = { bidPriceBy: 'PROGRAM' as const };
  const plan: RatePlan = { ...bar!, id: freshId(), code: 'DYN', strategy: 'DYNAMIC', strategyRules };
  const night = async (day: number) => {
    const stay = { checkIn: day, checkOut: day + 1, ...partyOfPersons(2), rateCode: 'DYN', roomType: 'STD' };
    const { steps } = (await running.host.view(PROPERTY_ID)).quote({ ...stay, explain: true }, NOW).rates[0]!;
    return steps![0]!.find(({ rule }) => rule === 'bidPrice')?.amount;
  };
  await running.send({ type: 'PUT_RATE_PLAN', plan: { ...plan, strategyRules: {} }, mode: 'create' });
  await recalculateSignals(services, PROPERTY_ID);
  t.equal(solved, 0, 'no plan prices by it');
  await running.send({ type: 'PUT_RATE_PLAN', plan, mode: 'replace' });
  await recalculateSignals(services, PROPERTY_ID);
  t.equal(solved, 2, 'once for each room type');
  const first = await night(DAY + 3);
  t.ok(first! > 0 && first! < 3_000, `${first}`);
  t.equal(await night(DAY + 13), undefined, 'a night without a forecast');
  await recalculateSignals(services, PROPERTY_ID);
  t.equal(solved, 2, 'nothing is new');
  more = 0.7;
  // The forecast is computed again when something has been sold, here in another place.
  await running.send(bookCommand({ stay: { checkIn: DAY + 20, checkOut: DAY + 21 } }));
  await recalculateSignals(services, PROPERTY_ID);
  t.equal(solved, 4);
  t.ok((await night(DAY + 3))! > first!, 'more is expected');
});

t.test('a plan of live rates gets them within the limits of the day, and else follows the program', async (t) => {
  const { services: ofDesk, running } = await TestFrontDesk.open(t);
  let computed = 0;
  let more = 0.3;
  let isLearned = true;
  const run: Services['computer']['run'] = async (task, input, onProgress) => {
    if (task === 'forecastProperty') {
      const { sold } = input as PropertyHistory;
      const nights = full('pickup', 12).nights.map((one, n) => ({ ...one, expected: sold[n]! + more, deviation: 0 }));
      return { nights, usual: 50 } as never;
    }
    if (task === 'learnDemand' && !isLearned) throw new Error('nothing to learn from');
    if (task === 'liveTables') computed += 1;
    return ofDesk.computer.run(task, input, onProgress);
  };
  const services: Services = { ...ofDesk, computer: { run } };
  const [bar] = plans();
  const strategyRules = { bidPriceBy: 'LIVE' as const };
  const plan: RatePlan = { ...bar!, id: freshId(), code: 'DYN', strategy: 'DYNAMIC', strategyRules };
  await running.send({ type: 'PUT_RATE_PLAN', plan, mode: 'create' });
  const night = async (day: number) => {
    const stay = { checkIn: day, checkOut: day + 1, ...partyOfPersons(2), rateCode: 'DYN', roomType: 'STD' };
    const quote = (await running.host.view(PROPERTY_ID)).quote({ ...stay, explain: true }, NOW).rates[0]!;
    return { rate: quote.nightly[0]!, rules: quote.steps![0]!.map(({ rule }) => rule) };
  };
  t.notOk((await night(DAY + 10)).rules.includes('liveRate'), 'before the first computation');
  await recalculateSignals(services, PROPERTY_ID);
  t.equal(computed, 2, 'once for each room type');
  const first = await night(DAY + 10);
  t.ok(first.rules.includes('liveRate') && !first.rules.includes('demand'), first.rules.join(' '));
  t.notOk((await night(DAY + 13)).rules.includes('liveRate'), 'a night without a forecast');
  await recalculateSignals(services, PROPERTY_ID);
  t.equal(computed, 2, 'nothing is new');
  for (more = 3; more < 9; more += 3) {
    await running.send(bookCommand({ stay: { checkIn: DAY + 20 + more, checkOut: DAY + 21 + more } }));
    await recalculateSignals(services, PROPERTY_ID);
  }
  t.equal(computed, 6);
  const busy = await night(DAY + 10);
  t.ok(busy.rate > first.rate, `more is expected: ${first.rate} ${busy.rate}`);
  t.ok(busy.rate <= 12_500 && first.rate >= 8_500, `${first.rate} ${busy.rate}`);
  isLearned = false;
  const untaught: Services = { ...services, demandModels: new DemandModels() };
  await recalculateSignals(untaught, PROPERTY_ID);
  const { rules } = await night(DAY + 10);
  t.ok(rules.includes('bidPrice') && !rules.includes('liveRate'), rules.join(' '));
});

t.test('of two runs the one that read later also writes later', async (t) => {
  const { services, add, steps } = await desk(t, full('pickup'));
  await add();
  let slow!: () => void;
  const held = new Promise<void>((resolve) => (slow = resolve));
  const nothing = async () => held.then(() => []);
  const before = recalculateSignals(
    { ...services, competitors: { ...services.competitors, market: nothing } },
    PROPERTY_ID,
  );
  const after = recalculateSignals(services, PROPERTY_ID);
  slow();
  await Promise.all([before, after]);
  t.ok((await steps(DAY + 3)).some(({ rule }) => rule === 'competitor'));
});

t.test('how hotels usually fill is no demand of a property without a history', async (t) => {
  const { services, add, steps } = await desk(t, full('curve'));
  await add();
  await recalculateSignals(services, PROPERTY_ID);
  t.notOk((await steps(DAY + 3)).some(({ rule }) => rule === 'demand'));
  t.ok((await steps(DAY + 3)).some(({ rule }) => rule === 'competitor'));
});
