import fc from 'fast-check';
import t from 'tap';

import { dayOf, isWeekend } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import { bookedNights } from '../../../testing/booked-nights.ts';
import { type DemandForecast, DemandForecaster, forecastDemand } from './demand-forecast.ts';
import { pickups } from './forecast-training.ts';
import { OnTheBooks } from './on-the-books.ts';

const FIRST = dayOf('2025-01-01');
const NIGHTS = 700;
/** Full at weekends, half full on other nights. */
const weekly = (night: number): number => (isWeekend(night) ? 100 : 50);
const CHANGES = bookedNights({ first: FIRST, nights: NIGHTS, rooms: weekly });
const MOMENT = FIRST + 450;

const ahead = (moment: number, leads: readonly number[]): number[] => leads.map((lead) => moment + lead);
const finite = (forecast: DemandForecast): boolean =>
  [forecast.expected, forecast.low, forecast.high, forecast.deviation, forecast.confidence].every(Number.isFinite);

void t.test('a property with a weekly pattern is forecast with it', async (t) => {
  const nights = Array.from({ length: 28 }, (_, index) => MOMENT + 60 + index);
  const found = forecastDemand(new OnTheBooks(CHANGES), MOMENT, nights);
  t.ok(found.every(({ method }) => method === 'regression'));
  for (const weekend of [true, false]) {
    const alike = found.filter(({ night }) => isWeekend(night) === weekend);
    const mean = alike.reduce((sum, { expected }) => sum + expected, 0) / alike.length;
    // A fifth is cancelled.
    const usual = 0.8 * (weekend ? 100 : 50);
    t.ok(Math.abs(mean - usual) < 0.1 * usual, `${mean} where ${usual} are usual`);
  }
});

void t.test('the nearer a night, the surer is its forecast', async (t) => {
  const found = forecastDemand(new OnTheBooks(CHANGES), MOMENT, ahead(MOMENT, [1, 15, 60, 120]));
  const sure = found.map(({ confidence }) => confidence);
  t.same(
    sure,
    sure.toSorted((one, other) => other - one),
  );
  t.ok(sure[0]! > 0.9 && sure[3]! < 0.9 && sure[3]! > 0.3, sure.join(' '));
});

void t.test('data after the moment does not change a forecast', async (t) => {
  const nights = ahead(MOMENT, [0, 1, 4, 14, 50, 120, 200]);
  const wanted = forecastDemand(new OnTheBooks(CHANGES), MOMENT, nights);
  const until = CHANGES.filter(({ moment }) => moment <= MOMENT);
  const after = CHANGES.filter(({ moment }) => moment > MOMENT).map((change) => ({ ...change, rooms: 9 }));
  after.push({ moment: MOMENT + 1, night: MOMENT - 3, rooms: -9 });
  t.same(forecastDemand(new OnTheBooks(until), MOMENT, nights), wanted, 'without it');
  t.same(forecastDemand(new OnTheBooks([...until, ...after]), MOMENT, nights), wanted, 'with other bookings');
  const changed = until.map((change) => (change.moment === MOMENT ? { ...change, rooms: 9 } : change));
  t.notSame(forecastDemand(new OnTheBooks(changed), MOMENT, nights), wanted, 'the last day is looked at');
});

void t.test('a forecaster that remembers says what a fresh one says', async (t) => {
  const forecaster = new DemandForecaster(new OnTheBooks(CHANGES));
  for (const moment of [MOMENT, MOMENT + 1, MOMENT + 30, MOMENT - 7]) {
    const nights = ahead(moment, [1, 7, 33, 90]);
    t.same(forecaster.forecast(moment, nights), forecastDemand(new OnTheBooks(CHANGES), moment, nights));
  }
});

void t.test('the band holds the truth about as often as it says', async (t) => {
  const books = new OnTheBooks(CHANGES);
  const forecaster = new DemandForecaster(books);
  let [inside, all] = [0, 0];
  for (let moment = MOMENT; moment < MOMENT + 120; moment += 3)
    for (const { night, low, high } of forecaster.forecast(moment, ahead(moment, [7, 14, 30, 60]))) {
      const truth = books.known(night, night);
      if (truth >= low && truth <= high) inside += 1;
      all += 1;
    }
  t.ok(inside / all > 0.7 && inside / all < 0.92, `${inside} of ${all}`);
});

void t.test('with most of a year, the ensemble moves forecasts and knows how far it was off', async (t) => {
  const books = new OnTheBooks(CHANGES);
  const forecaster = new DemandForecaster(books);
  const nights = ahead(MOMENT, [6, 7, 8]);
  const plain = forecaster.forecast(MOMENT, nights);
  let fits = 0;
  const ensemble = forecaster.ensemble(MOMENT, MOMENT + 6, 3, () => (fits += 1));
  t.equal(fits, 3, 'for 3, 7 and 14 days before');
  const found = forecaster.forecast(MOMENT, nights, { ensemble });
  for (const [index, { method, expected, low, high, deviation }] of found.entries()) {
    t.equal(method, 'ensemble');
    t.equal(expected.toFixed(6), (plain[index]!.expected + ensemble.shift[index]!).toFixed(6));
    t.ok(low < expected && expected < high && deviation > 0);
    const end = books.known(nights[index]!, nights[index]!);
    t.ok(Math.abs(expected - end) < 20, `${expected} where it ends with ${end}`);
  }
  // A booking of the same day moves the forecast, though the ensemble was computed before it.
  books.add({ moment: MOMENT, night: MOMENT + 7, rooms: 4 });
  const [moved] = new DemandForecaster(books).forecast(MOMENT, [MOMENT + 7], { ensemble });
  t.ok(moved!.expected > found[1]!.expected + 2);
  t.equal(moved!.method, 'ensemble');
});

void t.test('the ensemble looks at nothing after its moment, and says nothing with half a year', async (t) => {
  const of = (changes: typeof CHANGES, moment: number) =>
    new DemandForecaster(new OnTheBooks(changes)).ensemble(moment, moment + 14, 1);
  const until = CHANGES.filter(({ moment }) => moment <= MOMENT);
  t.same(of(until, MOMENT), of([...until, { moment: MOMENT + 1, night: MOMENT - 3, rooms: -9 }], MOMENT));
  t.ok(Number.isNaN(of(CHANGES, FIRST + 150).shift[0]));
  const young = new DemandForecaster(new OnTheBooks(CHANGES));
  const nights = [FIRST + 164];
  t.equal(young.forecast(FIRST + 150, nights, { ensemble: of(CHANGES, FIRST + 150) })[0]!.method, 'regression');
});

void t.test('with little history it adds the usual pickup, with none it follows the booking curve', async (t) => {
  const books = new OnTheBooks(CHANGES);
  const opened = CHANGES[0]!.moment;
  const [young, younger, none] = [FIRST + 40, FIRST + 5, opened].map(
    (moment) => forecastDemand(books, moment, [Math.max(moment, FIRST) + 10], 120)[0]!,
  );
  t.equal(young!.method, 'pickup');
  t.equal(young!.expected, books.known(FIRST + 50, FIRST + 40) + mean(pickups(books, FIRST + 40, 10)));
  t.equal(younger!.method, 'curve');
  t.ok(younger!.expected > books.known(FIRST + 15, FIRST + 5));
  t.equal(none!.method, 'curve');
  for (const forecast of [young!, younger!, none!]) {
    t.ok(finite(forecast));
    t.ok(forecast.low <= forecast.expected && forecast.expected <= forecast.high);
  }
});

void t.test('a lead that nothing was learned for yet is forecast by what nearer nights do not decide', async (t) => {
  const books = new OnTheBooks(CHANGES.map((change) => ({ ...change, moment: Math.max(FIRST, change.moment) })));
  const found = forecastDemand(books, FIRST + 130, ahead(FIRST + 130, [30, 90, 130, 200]));
  t.same(
    found.map(({ method }) => method),
    ['regression', 'pickup', 'curve', 'curve'],
  );
});

void t.test('nights further away than a year are forecast by the longest lead', async (t) => {
  const years = bookedNights({ first: FIRST - 600, nights: 1300, rooms: weekly });
  const [far] = forecastDemand(new OnTheBooks(years), FIRST + 100, [FIRST + 100 + 420]);
  t.equal(far!.method, 'regression');
  t.ok(far!.expected > 20 && far!.expected < 110, `${far!.expected}`);
});

void t.test('no more is expected than the property has rooms, and never less than none', async (t) => {
  const [full] = forecastDemand(new OnTheBooks(CHANGES), MOMENT, [MOMENT + 30], 20);
  t.same([full!.expected, full!.high], [20, 20]);
  const shut = CHANGES.map((change) => (change.night > MOMENT - 200 ? { ...change, rooms: 0 } : change));
  for (const { expected, low } of forecastDemand(new OnTheBooks(shut), MOMENT, ahead(MOMENT, [0, 3, 14, 45, 119])))
    t.ok(expected >= 0 && low >= 0);
});

void t.test('empty books and a property that never sold a room have an answer', async (t) => {
  const [empty] = forecastDemand(new OnTheBooks([]), MOMENT, [MOMENT + 3]);
  t.match(empty!, { expected: 0, low: 0, high: 0, confidence: 0, method: 'curve' });
  const idle = new OnTheBooks(Array.from({ length: 400 }, (_, night) => ({ moment: night, night, rooms: 0 })));
  t.match(forecastDemand(idle, 399, [400])[0]!, { expected: 0, high: 0, confidence: 0, method: 'regression' });
});

void t.test('whatever was booked, forecasts are numbers, not negative and within their bands', async (t) => {
  const change = fc.record({
    moment: fc.integer({ min: 0, max: 300 }),
    ahead: fc.integer({ min: 0, max: 90 }),
    rooms: fc.integer({ min: -5, max: 9 }),
  });
  const sound = fc.property(fc.array(change, { minLength: 1, maxLength: 400 }), (list) => {
    const books = new OnTheBooks(
      list.map(({ moment, ahead: days, rooms }) => ({ moment, night: moment + days, rooms })),
    );
    return forecastDemand(books, 301, ahead(301, [0, 2, 20, 89]), 200).every(
      (one) =>
        finite(one) && one.low >= 0 && one.low <= one.expected && one.expected <= one.high && one.confidence <= 1,
    );
  });
  t.doesNotThrow(() => fc.assert(sound, { numRuns: 30 }));
});
