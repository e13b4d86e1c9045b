import t from 'tap';

import type { GridItem } from '../../src/live/contracts/live.ts';
import { faceOf } from '../dashboard/grid/cell-face.ts';
import { daysFrom, monthHeads, shownBusinessDate, startOfBusinessDate } from '../dashboard/grid/days.ts';
import { type KpiFacts, tilesOf } from '../dashboard/grid/kpis.ts';

const item: GridItem = {
  roomType: 'STD',
  date: '2026-03-01',
  totalRooms: 60,
  bookedRooms: 27,
  heldRooms: 3,
  blockedRooms: 0,
  availableRooms: 30,
  rate: 119,
  currency: 'EUR',
};
const nothing = { recommended: undefined, market: undefined };

t.test('a cell shows a number in every mode, and a sign where it compares', async (t) => {
  t.match(
    faceOf('occupancy', item, nothing),
    { main: '45', sub: '30 left', tint: 'fill', step: 5 },
    'held rooms are not sold',
  );
  const held = { ...item, bookedRooms: 54, heldRooms: 6, availableRooms: 0 };
  t.match(faceOf('occupancy', held, nothing), { main: '90', sub: '6 held' }, 'and may come back');
  t.match(faceOf('rate', item, nothing), { main: '119', sub: '30 left' });
  t.match(faceOf('recommended', item, { ...nothing, recommended: 100 }), { main: '+19%', sub: '100', tint: 'above' });
  t.match(faceOf('recommended', item, { ...nothing, recommended: 119 }), { main: '0%', tint: 'none' });
  t.match(faceOf('recommended', item, { ...nothing, recommended: 300 }), { main: '−60%', tint: 'below', step: 5 });
  t.match(faceOf('market', item, nothing), { main: '–', tint: 'none' }, 'what is not known is not zero');
  t.match(faceOf('market', { ...item, rate: null }, nothing), { main: '–', sub: '' });
});

const facts: KpiFacts = {
  night: undefined,
  pickup: undefined,
  nights: 90,
  began: 0,
  cancelled: undefined,
  shown: { start: '2026-03-01', end: '2026-05-29' },
  month: undefined,
  yesterday: undefined,
  lastYear: undefined,
  currency: 'EUR',
  seesAmounts: true,
};
const night = { date: '2026-03-01', roomsSold: 60, roomsAvailable: 120, occupancyRate: 50 };
t.test('key figures that are not known are dashes, those that are say what they were divided from', async (t) => {
  t.strictSame(
    tilesOf(facts).map(({ value }) => value),
    ['–', '–', '–', '–', '–', '–'],
  );
  t.equal(tilesOf({ ...facts, seesAmounts: false }).length, 3);
  const kpi = { ...night, pickupToday: 0, cancellationsToday: 0 };
  const [occupancy, adr, revPar, pickup] = tilesOf({ ...facts, night: { ...kpi, adr: 100, revPar: 50 }, pickup: 10 });
  t.match(occupancy, { value: '50.0', detail: '60 rooms sold of 120 that there are to sell.' });
  t.match(adr, { value: '€100', detail: '€6,000.00 room revenue over 60 rooms sold.' });
  t.match(revPar, { value: '€50.00', detail: '€6,000.00 room revenue over 120 rooms available.' });
  t.match(pickup, {
    value: '+10',
    label: 'Pickup, 90 nights',
    detail: /^\+10 room nights sold less cancelled .* Mar 1\s–\sMay 29\.$/,
  });
  const empty = tilesOf({ ...facts, night: { ...kpi, roomsSold: 0, adr: null, revPar: 0 } });
  t.equal(empty[1]!.value, '–', 'of no room there is no average');
  t.equal(empty[2]!.value, '€0.00');
});

t.test('a month is written as far as it fits over its nights', async (t) => {
  const heads = (from: string, nights: number): string[] =>
    monthHeads(daysFrom(from, nights)).map(({ shown, nights: over }) => `${shown}: ${over}`);
  t.strictSame(heads('2026-11-30', 33), ['Nov: 1', 'December 2026: 31', 'Jan: 1']);
  t.strictSame(heads('2026-11-29', 5), ['Nov 2026: 2', 'December 2026: 3']);
  t.equal(monthHeads(daysFrom('2026-11-30', 2))[0]?.month, 'November 2026', 'its whole name is there to be read out');
});

t.test('a business date begins at the hour of the night audit, also where clocks change', async (t) => {
  for (const [date, zone, hour] of [
    ['2026-03-29', 'Europe/Lisbon', 3],
    ['2026-10-25', 'Europe/Berlin', 4],
    ['2026-03-08', 'America/Denver', 5],
    ['2026-07-01', 'Asia/Kolkata', 0],
  ] as const) {
    const at = startOfBusinessDate(date, zone, hour);
    t.equal(shownBusinessDate(at, zone, hour), date);
    t.not(shownBusinessDate(at - 60_000, zone, hour), date, `the minute before it in ${zone}`);
  }
});
