import type { Test } from 'tap';

import { outbox } from '../outbox.ts';
import { advanceClock, BlackboxProperty, must, serviceClock } from '../property.ts';
import type { Service } from '../service.ts';

const HOUR = 3_600;

/** Notifications that are due with time; the development clock moves it, and answers after they were sent. */
export async function reminders(group: Test, service: Service): Promise<void> {
  const advanceTo = async (instant: number): Promise<void> => {
    const by = instant / 1_000 - Date.parse((await serviceClock(service)).now) / 1_000;
    must(await advanceClock(service, Math.ceil(by)), 200);
  };
  const sentTo = async (reservationId: string): Promise<string[]> => {
    const { items } = await outbox(service, `?reservationId=${reservationId}`);
    return items.map(({ kind }) => kind).reverse();
  };

  await group.test('a guest is reminded 24 hours before check-in, once, also over a restart', async (t) => {
    const property = await BlackboxProperty.open(service);
    const soon = (await property.booked({ from: 3 })).reservationId;
    const later = (await property.booked({ from: 5 })).reservationId;
    const gone = (await property.booked({ from: 3 })).reservationId;
    must(await service.reservations('DELETE', `/${gone}`), 200);
    const arrival = Date.parse(`${property.day(3)}T15:00:00Z`);
    await advanceTo(arrival - 24.1 * HOUR * 1_000);
    t.same(await sentTo(soon), ['CONFIRMATION']);
    await advanceTo(arrival - 24 * HOUR * 1_000);
    t.same(await sentTo(soon), ['CONFIRMATION', 'REMINDER']);
    t.same(await sentTo(later), ['CONFIRMATION']);
    t.same(await sentTo(gone), ['CONFIRMATION', 'CANCELLATION']);
    const { items } = await outbox(service, `?reservationId=${soon}&limit=1`);
    t.match(items, [{ subject: /^Your stay at A house of the suite begins on / }]);
    const within = (await property.booked({ from: 3 })).reservationId;
    await service.killHard();
    await service.up();
    await advanceTo(arrival - HOUR * 1_000);
    t.same(await sentTo(soon), [], 'the outbox went with the process, and nothing is sent again');
    t.notOk((await sentTo(within)).includes('REMINDER'), 'the confirmation has just said it');
    await advanceTo(arrival + 24 * HOUR * 1_000);
    t.same(await sentTo(later), ['REMINDER']);
  });
  await group.test('the end of a hold is notified', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { reservationId } = must(await property.book({ card: null }), 201).json;
    await advanceTo(Date.parse((await serviceClock(service)).now) + 901_000);
    t.same(await sentTo(reservationId), ['CANCELLATION']);
    t.match((await outbox(service, `?reservationId=${reservationId}`)).items, [{ text: /was not paid in time/ }]);
  });
}
