import t, { type Test } from 'tap';

import { Random } from '../../../kernel/rules/random.ts';
import { fitLinear, type Observations } from './least-squares.ts';

const PLAIN = { penalty: 0, rounds: 0 };

function observations(rows: number[][], targets: number[], weights = targets.map(() => 1)): Observations {
  return { rows: rows.map((row) => Float64Array.from(row)), targets, weights };
}

function near(t: Test, found: number, wanted: number, within = 1e-6): void {
  t.ok(Math.abs(found - wanted) <= within, `${found} is not ${wanted}`);
}

const random = new Random(7);
const ROWS = Array.from({ length: 80 }, () => [100 * random.next(), random.next(), random.next() - 5]);
/** 10 + 0.5 a - 20 b + 3 c. */
const LINE = ROWS.map(([a, b, c]) => 10 + 0.5 * a! - 20 * b! + 3 * c!);
const AT = Float64Array.of(40, 0.3, -4);
const TRUTH = 10 + 20 - 6 - 12;

void t.test('the line that observations lie on is found, wherever they lie on it', async (t) => {
  near(t, fitLinear(observations(ROWS, LINE), { columns: 3, ...PLAIN })(AT), TRUTH);
  near(t, fitLinear(observations(ROWS, LINE), { columns: 3, penalty: 0, rounds: 3 })(AT), TRUTH);
});

void t.test('a fit with fewer columns reads only the first ones', async (t) => {
  const fit = fitLinear(observations(ROWS, LINE), { columns: 1, ...PLAIN });
  t.equal(fit(Float64Array.of(40, 0.3, -4)), fit(Float64Array.of(40, 99, 99)));
});

void t.test('columns that are constant or follow from others leave the answer as it is', async (t) => {
  const more = ROWS.map(([a, b, c]) => [a!, b!, c!, 5, 2 * a! - b!, 0]);
  const fit = fitLinear(observations(more, LINE), { columns: 6, ...PLAIN });
  near(t, fit(Float64Array.of(...AT, 5, 79.7, 0)), TRUTH);
  near(t, fit(Float64Array.of(...AT, 7, 1e6, 3)), TRUTH);
});

void t.test('an observation without weight is not there', async (t) => {
  const fit = fitLinear(observations([...ROWS, [1, 1, 1]], [...LINE, 1e6], [...LINE.map(() => 1), 0]), {
    columns: 3,
    ...PLAIN,
  });
  near(t, fit(AT), TRUTH);
});

void t.test('a few observations that are far off move a robust fit less than a plain one', async (t) => {
  const wrong = LINE.map((target, index) => (index % 10 === 0 ? target + 300 : target + random.next()));
  const off = (rounds: number): number =>
    Math.abs(fitLinear(observations(ROWS, wrong), { columns: 3, penalty: 0, rounds })(AT) - TRUTH);
  t.ok(off(3) < off(0) / 3, `${off(3)} against ${off(0)}`);
});

void t.test('outliers keep some weight when most observations are on the fit', async (t) => {
  const rows = Array.from({ length: 100 }, () => [0]);
  const targets = rows.map((_, index) => (index < 60 ? 0 : 10));
  const fit = fitLinear(observations(rows, targets), { columns: 1, penalty: 0, rounds: 100 });
  t.ok(fit(Float64Array.of(0)) > 0.3 && fit(Float64Array.of(0)) < 2, `${fit(Float64Array.of(0))}`);
});

void t.test('a penalty draws all coefficients but the first towards nothing', async (t) => {
  const fit = fitLinear(observations(ROWS, LINE), { columns: 3, penalty: 1e9, rounds: 0 });
  near(t, fit(Float64Array.of(40, 0, -4)), fit(Float64Array.of(40, 1, -5)), 1e-3);
  t.ok(fit(Float64Array.of(90, 0.5, -4.5)) - fit(Float64Array.of(10, 0.5, -4.5)) > 30);
});

void t.test('an unknown value counts as the mean, and a column that is often unknown is not read', async (t) => {
  const mean = ROWS.reduce((sum, [, b]) => sum + b!, 0) / ROWS.length;
  const fit = fitLinear(observations(ROWS, LINE), { columns: 3, ...PLAIN });
  near(t, fit(Float64Array.of(40, NaN, -4)), fit(Float64Array.of(40, mean, -4)));
  const gaps = ROWS.map(([a, b, c], index) => [a!, index % 5 === 0 ? NaN : b!, c!]);
  const blind = fitLinear(observations(gaps, LINE), { columns: 3, ...PLAIN });
  t.equal(blind(Float64Array.of(40, 0, -4)), blind(Float64Array.of(40, 1, -4)));
});

void t.test('without observations, or with one, there is still a number', async (t) => {
  t.equal(fitLinear(observations([], []), { columns: 2, ...PLAIN })(Float64Array.of(1, 2)), 0);
  t.equal(fitLinear(observations([[3, 4]], [9]), { columns: 2, penalty: 0, rounds: 3 })(Float64Array.of(1, 2)), 9);
});
