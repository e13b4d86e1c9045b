import t from 'tap';

import { exp } from '../../../kernel/rules/portable-math.ts';
import { BestRates } from './best-rate.ts';
import { type ExpectedStays, roomValues } from './room-values.ts';

const best = new BestRates(1.1, 0);
const stays = (over: Partial<ExpectedStays> = {}): ExpectedStays => ({ rooms: 10, nights: 1, others: 0, ...over });
const values = (of: readonly ExpectedStays[], rooms = 12): Float64Array =>
  roomValues({ rooms, usual: 10_000, periods: [{ best, stays: of }], dispersion: 1 });

void t.test('the fewer rooms are left, the more each is worth', async (t) => {
  const found = [...values([stays()])];
  t.same(
    found,
    found.toSorted((one, other) => other - one),
  );
  t.ok(found[1]! > 10_000 && found[12]! < 1_000, found.join(' '));
});

void t.test(
  'the last room is worth what a guest who comes for certain pays, and nothing when none comes',
  async (t) => {
    t.ok(values([stays({ rooms: 1000 })], 1)[1]! > 30_000);
    t.equal(values([stays({ rooms: 0 })], 1)[1], 0);
    // Few guests for many rooms: each room is worth a guest's chance to find no other, nearly nothing.
    t.ok(values([stays({ rooms: 0.1 })], 12)[12]! < 1);
  },
);

void t.test('one room and few guests: the expected gain from the first of them', async (t) => {
  const guests = 0.2;
  // Of a short time with a rate r of guests who pay, value = gain; the exact one is a little less.
  const gain = guests * best.gain(0) * 10_000;
  const [, last] = values([stays({ rooms: guests })], 1);
  t.ok(last! <= gain && last! >= gain * exp(-guests), `${last} of ${gain}`);
});

void t.test(
  'guests of longer stays make a night worth more, unless their other nights are worth it all',
  async (t) => {
    const [, alone] = values([stays()], 1);
    const [, long] = values([stays({ nights: 5 })], 1);
    const [, displaced] = values([stays({ nights: 5, others: 200_000 })], 1);
    t.ok(long! > alone! && displaced! < long!);
  },
);

void t.test('rooms in units of their dispersion give values for single rooms', async (t) => {
  const found = roomValues({ rooms: 12, usual: 10_000, periods: [{ best, stays: [stays()] }], dispersion: 2.5 });
  t.equal(found.length, 13);
  t.ok(found.every((value) => value >= 0));
  t.ok(found[1]! > found[6]! && found[6]! > found[12]!);
});
