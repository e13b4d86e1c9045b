import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import { place, placed, readHold } from '../hold.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must, untilDecided } from '../property.ts';
import type { Service } from '../service.ts';

/** A hold of n rooms serves n creates at its price (docs/reference/reservations.md#holds). */
export async function bookingsOutOfHolds(group: Test, service: Service): Promise<void> {
  await group.test('a create out of a hold costs what was held, whatever prices and rules are by then', async (t) => {
    const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10, feePerNight: 3 } });
    const { holdId, price } = await placed(property, { rooms: 2 });
    must(await property.price('DLX', 0, 60, 500), 200);
    const stop = {
      propertyId: property.propertyId,
      startDate: property.day(0),
      endDate: property.day(60),
      stopSell: true,
    };
    must(await service.rates('PUT', '/restrictions', { body: stop }), 200);
    isProblem(t, await property.book(), 422, { code: 'STOP_SELL' });
    const paid = must(await property.book({ more: { holdId } }), 201).json;
    t.match(paid, { status: 'CONFIRMED', financial: { totalAmount: price.totalAmount, paymentStatus: 'PAID' } });
    t.equal(price.totalAmount, 226);
    t.match((await readHold(service, holdId)).json, { status: 'ACTIVE', rooms: 2, remainingRooms: 1 });
    t.match(await property.cells(30, 1, 'DLX'), [{ bookedRooms: 1, heldRooms: 1, availableRooms: 1 }]);
    const unpaid = must(await property.book({ more: { holdId }, card: null }), 201).json;
    t.match(unpaid, { status: 'PENDING', financial: { totalAmount: 226 } });
    t.match((await readHold(service, holdId)).json, { status: 'USED', rooms: 2, remainingRooms: 0 });
    t.match(await property.cells(30, 1, 'DLX'), [{ bookedRooms: 1, heldRooms: 1, availableRooms: 1 }]);
    isProblem(t, await property.book({ more: { holdId } }), 409, { code: 'ROOM_NOT_AVAILABLE' });
    await auditIsClean(t, property);
  });

  await group.test('a create that does not fit its hold takes nothing out of it', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { holdId } = await placed(property);
    const wrong = async (wish: Parameters<BlackboxProperty['book']>[0], ...pointers: string[]) =>
      isProblem(t, await property.book({ more: { holdId }, ...wish }), 400, { code: 'VALIDATION_FAILED', pointers });
    await wrong({ roomType: 'STD' }, '/stayDetails/roomType');
    await wrong({ nights: 3 }, '/stayDetails/checkOut');
    await wrong({ from: 29, nights: 3 }, '/stayDetails/checkIn');
    await wrong({ stay: { rateCode: 'NRF' } }, '/stayDetails/rateCode');
    const { quoteToken } = await property.quoted();
    await wrong({ stay: { quoteToken } }, '/holdId');
    await wrong({ more: { holdId, groupId: randomUUID() } }, '/holdId');
    await wrong({ more: { holdId: 'nonsense' } }, '/holdId');
    isProblem(t, await property.book({ more: { holdId: randomUUID() } }), 404, { code: 'HOLD_NOT_FOUND' });
    isProblem(t, await property.book({ more: { holdId }, stay: { adults: 4 } }), 422, { code: 'OCCUPANCY_EXCEEDED' });
    isProblem(t, await property.book({ more: { holdId }, stay: { maxTotal: 1 } }), 409, { code: 'PRICE_CHANGED' });
    t.match((await readHold(service, holdId)).json, { status: 'ACTIVE', remainingRooms: 1 });
    t.equal((await property.book({ more: { holdId } })).status, 201);
  });

  await group.test('a declined card leaves the room in the hold, and nobody else gets it', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 1 } });
    const { holdId } = await placed(property);
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const body = property.wish({ more: { holdId }, card: 'tok_declined' });
    const create = () => service.reservations('POST', '', { body, ...key });
    isProblem(t, await create(), 422, { code: 'PAYMENT_DECLINED' });
    isProblem(t, await create(), 422, { code: 'PAYMENT_DECLINED' });
    t.match((await readHold(service, holdId)).json, { status: 'ACTIVE', remainingRooms: 1 });
    isProblem(t, await property.book(), 409, { code: 'ROOM_NOT_AVAILABLE' });
    const booked = must(await property.book({ more: { holdId } }), 201).json;
    await service.reservations('DELETE', `/${booked.reservationId}`);
    t.same(await property.left(30, 2), [1, 1], 'a room that was booked is free when it is cancelled');
    t.match((await readHold(service, holdId)).json, { status: 'USED' });
    await auditIsClean(t, property);
  });

  await group.test('a repeat of a create under its key takes no second room out of the hold', async (t) => {
    const property = await BlackboxProperty.open(service);
    const { holdId } = await placed(property, { rooms: 3 });
    for (const card of ['tok_visa', 'tok_timeout', null]) {
      const options = {
        body: property.wish({ more: { holdId }, card }),
        headers: { 'idempotency-key': randomUUID() },
      };
      const answers = [
        await service.reservations('POST', '', options),
        await service.reservations('POST', '', options),
      ];
      t.match(answers[1], { status: 201 }, `${card}`);
    }
    t.match((await readHold(service, holdId)).json, { status: 'USED', remainingRooms: 0 });
    t.equal((await property.reservations()).length, 3);
    await auditIsClean(t, property);
  });

  await group.test('of 50 who book out of a hold of 10 at once, 10 do, at its price', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 10 }, policies: { maxHeldPercent: 100 } });
    const { holdId, price } = await placed(property, { rooms: 10 });
    must(await property.price('DLX', 0, 60, 300), 200);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => untilDecided(() => property.book({ more: { holdId } }))),
    );
    const booked = answers.filter(({ status }) => status === 201);
    t.equal(booked.length, 10);
    for (const { json } of booked) t.equal(json.financial.totalAmount, price.totalAmount);
    t.equal(answers.filter(({ status }) => status === 409).length, 40);
    t.match(await property.cells(30, 2, 'DLX'), [
      { bookedRooms: 10, heldRooms: 0 },
      { bookedRooms: 10, heldRooms: 0 },
    ]);
    isProblem(t, await place(property), 409, { code: 'ROOM_NOT_AVAILABLE' });
    await auditIsClean(t, property);
  });

  await group.test('no room is ever free while rooms go from the hold to bookings and back', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 6 }, policies: { maxHeldPercent: 100 } });
    const { holdId } = await placed(property, { rooms: 6 });
    const done = new AbortController();
    const seen = new Set<number>();
    const watch = (async () => {
      while (!done.signal.aborted) for (const left of await property.left(30, 2)) seen.add(left);
    })();
    const cards = ['tok_visa', 'tok_declined', 'tok_visa', 'tok_declined', 'tok_visa', null];
    await Promise.all(cards.map((card) => property.book({ more: { holdId }, card })));
    done.abort();
    await watch;
    t.same([...seen], [0]);
    t.match((await readHold(service, holdId)).json, { remainingRooms: 2 });
    t.match(await property.cells(30, 1, 'DLX'), [{ bookedRooms: 3, heldRooms: 3 }]);
    await auditIsClean(t, property);
  });
}
