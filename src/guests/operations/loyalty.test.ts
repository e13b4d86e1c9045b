import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { assignArrivals } from '../../rooms/operations/assign-rooms.ts';
import { checkInBody } from '../../stay/contracts/reservations.ts';
import { checkIn } from '../../stay/operations/check-in.ts';
import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import { bookCommand, DAY, PROPERTY_ID, plainRoom } from '../../testing/property-world.ts';
import { loyaltySince, tierOfGuest } from './loyalty.ts';

t.test(
  'a tier is the same in a profile, at check-in and for the rooms, whatever date the property has',
  async (t) => {
    const policies = { paymentRequired: false };
    const desk = await TestFrontDesk.open(t, { timezone: 'Pacific/Pago_Pago', today: DAY - 1, policies });
    const { id } = (await desk.running.send(bookCommand({ stay: { checkIn: DAY - 1, checkOut: DAY + 2 } }))).result
      .reservation;
    await desk.running.send({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
    t.equal((await desk.services.properties.view(PROPERTY_ID)).businessDate, DAY - 1);

    const asked: Day[] = [];
    const tiers: string[] = [];
    const { properties } = desk.services;
    const services: Services = {
      ...desk.services,
      // A guest whose last stay ended a day too early to count.
      guestBook: {
        nightsOf: async (_: string, ids: readonly string[], since: Day) =>
          new Map(since < loyaltySince(desk.services) ? ids.map((one) => [one, 50]) : []),
      } as never,
      roomStays: async (_to, _today, since) => (asked.push(since), []),
      properties: {
        ...properties,
        execute: (to, envelope) => {
          if (envelope.command.type === 'CHECK_IN') tiers.push(envelope.command.tier);
          return properties.execute(to, envelope);
        },
      },
    };
    const { reservation } = (await services.reservations.get(PROPERTY_ID.tenantId, id))!;
    tiers.push(await tierOfGuest(services, PROPERTY_ID.tenantId, reservation));
    await assignArrivals(services, PROPERTY_ID, DAY);
    await checkIn(services, CALLER, id, checkInBody.parse({ identificationVerified: true }), {});
    t.same(tiers, ['NONE', 'NONE']);
    t.same(asked, [loyaltySince(services)]);
  },
);
