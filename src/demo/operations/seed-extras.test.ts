import t from 'tap';

import type { PricedExtra } from '../../money/ports.ts';
import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import { PROPERTY_ID } from '../../testing/property-world.ts';
import { DEMO_EXTRAS, seedExtras } from './seed-extras.ts';

void t.test('a demo property gets a price list once, and keeps what was changed in it', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const priced = new Map<string, PricedExtra>();
  desk.services.extras = {
    list: async () => [...priced.values()].map(({ extra }) => extra),
    put: async (_: unknown, __: unknown, one: PricedExtra) => priced.set(one.extra.code, one),
  } as never;
  const seed = () => seedExtras(desk.services, CALLER, PROPERTY_ID);
  await seed();
  t.same([...priced.keys()], ['MINIBAR', 'BREAKFAST', 'PARKING', 'LATE_CHECK_OUT']);
  t.match(priced.get('MINIBAR'), { extra: DEMO_EXTRAS[0], currency: 'EUR' });
  priced.delete('PARKING');
  await seed();
  t.notOk(priced.has('PARKING'), 'what was taken off the list stays off it');
});
