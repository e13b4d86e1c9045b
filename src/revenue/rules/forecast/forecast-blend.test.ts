import t from 'tap';

import { fitBlend } from './forecast-blend.ts';
import { COLUMNS } from './forecast-features.ts';

/** Rows of nights with so many rooms on the books, on a weekday, and their final rooms. */
function year(nights: number, ends: (night: number, known: number) => number) {
  const days = Array.from({ length: nights }, (_, night) => night);
  const known = (night: number): number => 20 + ((night * 11) % 37);
  const row = (night: number): Float64Array => {
    const columns = new Float64Array(COLUMNS.withSeason);
    columns[0] = known(night);
    if (night % 7 !== 0) columns[night % 7] = 1;
    columns[19] = Math.sin((2 * Math.PI * night) / 365.25);
    columns[20] = Math.cos((2 * Math.PI * night) / 365.25);
    return columns;
  };
  const targets = days.map((night) => ends(night, known(night)));
  return { row, known, blend: fitBlend(days, days.map(row), targets, nights + 7) };
}

/** Independent of weekday and season. */
const noise = (night: number): number => ((night * 13) % 31) - 15;

void t.test('with little history it is the plain regression', async (t) => {
  const { blend, row, known } = year(100, (_, rooms) => 1.5 * rooms + 4);
  const other = row(107).map((value, column) => (column === 0 ? value : value + 5));
  t.equal(blend.expect(row(107)).toFixed(6), (1.5 * known(107) + 4).toFixed(6));
  t.equal(blend.expect(other), blend.expect(row(107)));
});

void t.test('with a year it knows weekdays too, and the line still where there is nothing else', async (t) => {
  const plain = year(365, (_, rooms) => 1.5 * rooms + 4);
  t.ok(Math.abs(plain.blend.expect(plain.row(372)) - 1.5 * plain.known(372) - 4) < 0.5);
  const weekly = year(365, (night, rooms) => rooms + noise(night) + (night % 7 < 3 ? 20 : 0));
  const [more, less] = [1, 4].map((weekday) =>
    weekly.row(371).map((value, column) => (column === weekday ? 1 : value)),
  );
  const difference = weekly.blend.expect(more!) - weekly.blend.expect(less!);
  // The plain member has learned none of it, the others most.
  t.ok(difference > 8 && difference < 16, `${difference}`);
});

void t.test('the season of the night in question counts more than others', async (t) => {
  // Nights near the turn of the year end far above their bookings.
  const ends = (night: number, rooms: number): number => rooms + noise(night) + (night < 40 || night > 330 ? 20 : 0);
  const { blend, row, known } = year(365, ends);
  const more = blend.expect(row(372)) - known(372);
  t.ok(more > 8, `${more}`);
});

void t.test('residuals are those of the training nights, the nearest in season with the most weight', async (t) => {
  const { blend, row } = year(365, (night, rooms) => rooms + (night === 200 ? 50 : 0));
  t.equal(blend.residuals.length, 365);
  const { off, weight } = blend.residuals[200]!;
  t.ok(off > 40 && Math.abs(blend.residuals[199]!.off) < 5, `${off}`);
  t.ok(weight < 0.2 && blend.residuals[364]!.weight > 1);
  t.ok(Number.isFinite(blend.expect(row(200))));
});
