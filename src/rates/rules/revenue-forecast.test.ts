import t from 'tap';

import { DAY } from '../../testing/property-world.ts';
import type { GridCell } from './queries.ts';
import { expectedMore, revenueForecast } from './revenue-forecast.ts';

const cell = (changed: Partial<GridCell> = {}): GridCell => ({
  roomType: 'STD',
  day: DAY + 60,
  total: 100,
  booked: 40,
  held: 0,
  blocked: 0,
  available: 60,
  rate: 10_000,
  ...changed,
});
const change = (from: number | null, to: number | null) => [{ roomType: 'STD', day: DAY + 60, from, to }];

void t.test('more is yet to come the further away a night is, and the more is booked', async (t) => {
  const more = (ahead: number, booked: number) => expectedMore(cell({ day: DAY + ahead, booked }), DAY);
  t.ok(more(0, 40) < more(10, 40) && more(10, 40) < more(100, 40));
  t.ok(more(30, 10) < more(30, 50));
  t.ok(more(365, 0) > 0, 'nothing on the books says little a year ahead');
  t.ok(more(2_000, 0) < 100);
});

void t.test('booked revenue is unaffected; a price changes future bookings', async (t) => {
  const of = (from: number | null, to: number | null, changed: Partial<GridCell> = {}) =>
    revenueForecast(change(from, to), [cell(changed)], DAY);
  const same = of(10_000, 10_000);
  t.equal(same.revenueBefore, same.revenueAfter);
  t.ok(same.revenueBefore > 400_000);
  const dear = of(10_000, 30_000);
  t.ok(dear.revenueAfter < dear.revenueBefore, 'three times the price empties a property');
  const full = of(10_000, 11_000, { booked: 97, available: 3 });
  t.ok(full.revenueAfter > full.revenueBefore, 'the last rooms of a full one are worth more');
  t.ok(of(null, 10_000).revenueBefore < of(null, 10_000).revenueAfter, 'a night that had no price sold nothing');
  t.same(revenueForecast(change(1, 2), [], DAY), { revenueBefore: 0, revenueAfter: 0 });
});
