import t from 'tap';

import { DemandBelief, LENGTH_CLASSES } from './demand-belief.ts';
import { scenario } from './small-scenario.ts';

const property = scenario({ nights: 100 });
const belief = new DemandBelief(property, () => 1);

void t.test('lengths of stay are grouped, and all shares sum to 1', async (t) => {
  t.same(belief.classes.map(({ nights }) => nights).slice(0, 3), LENGTH_CLASSES.slice(0, 3));
  t.ok(Math.abs(belief.classes.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
});

void t.test('what is still expected falls until the night, to what is bought on its day', async (t) => {
  const left = [20, 60, 75, 79, 80].map((day) => belief.remaining(0, 80, day));
  t.same(
    left,
    left.toSorted((one, other) => other - one),
  );
  // 5.5 arrivals a day for 1.7 nights; a fifth of them cancels.
  t.ok(Math.abs(left[0]! - 5.5 * 1.7 * 0.8) < 0.01, `${left[0]}`);
  t.ok(left[4]! > 0);
  t.equal(belief.remaining(0, 80, 81), 0);
});

void t.test('a booking is the surer to stay the nearer its arrival is', async (t) => {
  const chances = [-29, -15, -1, 0].map((day) => belief.stillStaying({ arrival: 0, day: -29 }, day));
  t.ok(Math.abs(chances[0]! - 0.8) < 1e-9);
  t.same(
    chances,
    chances.toSorted((one, other) => one - other),
  );
  t.equal(chances[3], 1);
});

void t.test('a forecast may err; a dearer night is wanted by fewer', async (t) => {
  const other = new DemandBelief(property, () => 1.5);
  t.ok(Math.abs(other.remaining(0, 80, 20) / belief.remaining(0, 80, 20) - 1.5) < 1e-9);
  const at = (rate: number): number => belief.response(0, 0, { rate, elasticity: belief.elasticity(0, 10) });
  t.equal(at(10_000), 1);
  t.ok(at(8_000) > 1 && at(15_000) < 1);
});

void t.test('what is on the books at the start is what was booked and not cancelled by then', async (t) => {
  t.equal(belief.onTheBooks(0, 60, 10), 0, 'none books so long before');
  const near = belief.onTheBooks(0, 60, 59);
  t.ok(near > 0.5 * 5.5 && near < 5.5, `${near}`);
});
