import t from 'tap';

import { isWeekend } from '../../kernel/rules/dates.ts';
import { CompetitorSimulator } from './competitor-simulator.ts';

const DAY = 20_000;
const NOW = 1_800_000_000_000;
const question = (propertyId = 'harbor', tenantId = 'demo') => ({
  to: { tenantId, propertyId },
  currency: 'EUR',
  start: DAY,
  end: DAY + 364,
});

function simulator(rate = 12_000, lastDay = DAY + 729): CompetitorSimulator {
  const usual = async () => [
    { roomType: 'STD', rate, lastDay },
    { roomType: 'STE', rate: rate * 3, lastDay },
  ];
  return new CompetitorSimulator({ usual, now: () => NOW });
}

/** As one text: a diff of some thousand rows would be unreadable. */
const market = async (of: CompetitorSimulator, ...property: string[]): Promise<string> =>
  JSON.stringify(await of.read(question(...property)));
const average = (rates: { rate: number }[]): number => rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;

t.test('the same property has the same market, another one another', async (t) => {
  const first = await market(simulator());
  t.equal(await market(simulator()), first);
  t.not(await market(simulator(), 'mountain'), first);
  t.not(await market(simulator(), 'harbor', 'rival'), first, 'a house of this name elsewhere');
});

t.test(
  'prices are whole, around those of the property, higher at weekends, and some nights are sold out',
  async (t) => {
    const { rates } = await simulator().read(question());
    const std = rates.filter(({ roomType }) => roomType === 'STD');
    t.equal(new Set(std.map(({ competitorId }) => competitorId)).size, 4);
    t.ok(std.every(({ rate, observedAt, currency }) => rate % 100 === 0 && observedAt <= NOW && currency === 'EUR'));
    const mean = average(std);
    t.ok(mean > 9_000 && mean < 16_000, `${mean}`);
    const weekend = average(std.filter(({ day }) => isWeekend(day)));
    t.ok(weekend > 1.1 * average(std.filter(({ day }) => !isWeekend(day))));
    t.ok(std.length > 4 * 365 * 0.9 && std.length < 4 * 365, `${std.length}`);
    const ste = average(rates.filter(({ roomType }) => roomType === 'STE'));
    t.ok(ste > 2 * mean);
  },
);

t.test(
  'a property that moves its rates a little does not move its market, and has none where it has no rates',
  async (t) => {
    const before = await simulator().read(question());
    t.equal(await market(simulator(12_600)), JSON.stringify(before));
    t.ok(average((await simulator(24_000).read(question())).rates) > 1.5 * average(before.rates));
    const { rates } = await simulator(12_000, DAY + 9).read(question());
    t.equal(Math.max(...rates.map(({ day }) => day)), DAY + 9);
    t.same(await new CompetitorSimulator({ usual: async () => [], now: () => NOW }).read(question()), {
      rates: [],
      malformed: 0,
    });
  },
);
