import t from 'tap';

import { drawGuests, SimulatedProperty } from './demand-simulator.ts';
import { type POLICIES, pricingPolicyNamed } from './pricing-policies.ts';
import { scenario } from './small-scenario.ts';

/** A property with so many rooms of night 0 booked. */
function propertyWith(rooms: number): SimulatedProperty {
  const property = new SimulatedProperty(scenario());
  for (let n = 0; n < rooms; n++) property.ask({ type: 0, arrival: 0, nights: 1, asksOn: -1, pays: 1e6 }, [10_000]);
  return property;
}

void t.test('the ladder and the bid price follow what is booked, the fixed price does not', async (t) => {
  const rates = (name: (typeof POLICIES)[number]): number[] =>
    [0, 3, 5, 8, 9, 10].map((rooms) => pricingPolicyNamed(name, propertyWith(rooms)).rate(0, 0));
  t.same(rates('FIXED'), [10_000, 10_000, 10_000, 10_000, 10_000, 10_000]);
  t.same(rates('OCCUPANCY_LADDER'), [9_000, 10_000, 11_200, 12_500, 14_500, 14_500]);
  t.same(rates('BID_PRICE'), [8_500, 12_100, 14_500, 18_100, 19_300, 20_000]);
});

void t.test('the plan is made once, the renewed one every week, within the bounds of rate plans', async (t) => {
  const busy = scenario({ demand: { weekday: 1.5, weekend: 2 }, nights: 21 });
  for (const [name, weeks] of [
    ['PLAN', 1],
    ['PLAN_RENEWED', 3],
  ] as const) {
    const property = new SimulatedProperty(busy);
    const policy = pricingPolicyNamed(name, property);
    const guests = drawGuests(busy, 1);
    const seen = new Set<string>();
    for (let day = 0; day < 21; day++) {
      policy.wake?.(day);
      seen.add(JSON.stringify(Array.from({ length: 21 }, (_, night) => policy.rate(0, night))));
      for (const guest of guests.filter(({ asksOn, arrival }) => asksOn === day && arrival >= 0))
        property.ask(
          guest,
          Array.from({ length: guest.nights }, () => 10_000),
        );
    }
    t.equal(seen.size, weeks, name);
    const rates = [...seen].flatMap((text) => JSON.parse(text) as number[]);
    t.ok(rates.every((rate) => rate >= 6_000 && rate <= 24_000));
    t.ok(rates.some((rate) => rate > 10_000));
  }
});
