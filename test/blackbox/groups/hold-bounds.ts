import type { Test } from 'tap';

import { auditIsClean } from '../audit.ts';
import { place, placed } from '../hold.ts';
import { isProblem, problemOf } from '../problems.ts';
import { BlackboxProperty, must, propertyBody, untilDecided } from '../property.ts';
import type { Service } from '../service.ts';
import type { Hold } from '../shapes.ts';

/** Who holds nothing in the other groups, so that its bounds are its own. */
const CLIENT = { role: 'OWNER' } as const;
const HOLD_SECONDS = 900;

type Report = { measurements: { value: number }[] };

/** What holds and unpaid reservations may keep from sale. */
export async function holdBounds(group: Test, service: Service): Promise<void> {
  // A release whose outcome is unknown is repeated, so it needs a key.
  const release = (holdId: string) => {
    const once = { ...CLIENT, headers: { 'idempotency-key': `release-${holdId}` } };
    return untilDecided(() => service.reservations('DELETE', `/holds/${holdId}`, once));
  };
  const cancel = (id: string) =>
    untilDecided(() => service.reservations('DELETE', `/${id}`, { body: {}, ...CLIENT }));
  await group.test('30 % of a night can be held unpaid; a paid booking is never hindered by it', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 } });
    await placed(property, { rooms: 4 });
    const { reservationId } = must(await property.book({ card: null }), 201).json;
    must(await property.book({ card: null, from: 31, nights: 1 }), 201);
    const refused = await place(property, { rooms: 2 });
    isProblem(t, refused, 429, { code: 'QUOTA_EXCEEDED' });
    t.match(problemOf(refused), {
      bound: 'cell',
      date: property.day(30),
      nights: [
        { date: property.day(30), held: 5, limit: 6 },
        { date: property.day(31), held: 6, limit: 6 },
      ],
    });
    t.ok(Number(refused.headers['retry-after']) <= HOLD_SECONDS);
    isProblem(t, await property.book({ card: null }), 429, { code: 'QUOTA_EXCEEDED' });
    t.equal((await property.book()).status, 201, 'at that moment');
    const grown = { modifications: { stayDetails: { checkIn: property.day(28), checkOut: property.day(32) } } };
    must(await service.reservations('PUT', `/${reservationId}`, { body: grown }), 200);
    const onto = { modifications: { stayDetails: { checkOut: property.day(32) } } };
    const { reservationId: other } = must(await property.book({ card: null, from: 29, nights: 1 }), 201).json;
    isProblem(t, await service.reservations('PUT', `/${other}`, { body: onto }), 429, { code: 'QUOTA_EXCEEDED' });
    for (let n = 0; n < 13; n++) must(await property.book(), 201);
    t.match(await property.cells(31, 1, 'DLX'), [{ heldRooms: 6, bookedRooms: 14, availableRooms: 0 }]);
    await auditIsClean(t, property);
  });

  await group.test('rooms of a hold are booked though the night is held to its bound', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 } });
    const { holdId } = await placed(property, { rooms: 6 });
    isProblem(t, await place(property), 429);
    must(await property.book({ card: null, more: { holdId } }), 201);
    must(await property.book({ more: { holdId } }), 201);
    must(await property.book({ card: 'tok_declined', more: { holdId } }), 422);
    t.match(await property.cells(30, 1, 'DLX'), [{ heldRooms: 5, bookedRooms: 1 }]);
    must(await place(property), 201);
    isProblem(t, await place(property), 429);
  });

  await group.test('a property says how much of its nights may be held', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 20 }, policies: { maxHeldPercent: 50 } });
    await placed(property, { rooms: 10 });
    isProblem(t, await place(property), 429);
    const path = `/properties/${property.propertyId}`;
    const put = (policies: Record<string, unknown>) =>
      service.tenants('PUT', path, { body: propertyBody(property.propertyId, policies) });
    must(await put({ maxHeldPercent: 100 }), 200);
    await placed(property, { rooms: 10 });
    isProblem(t, await place(property), 409, { code: 'ROOM_NOT_AVAILABLE' });
    for (const maxHeldPercent of [0, 101, 30.5, '30', null])
      isProblem(t, await put({ maxHeldPercent }), 400, { pointers: ['/metadata/policies/maxHeldPercent'] });
    must(await put({}), 200);
    const read = await service.tenants<{ metadata: { policies: Record<string, unknown> } }>('GET', path);
    t.equal(read.json.metadata.policies['maxHeldPercent'], 30);
  });

  await group.test('a client has at most 100 holds and unpaid reservations, over all its properties', async (t) => {
    const options = { rooms: { DLX: 200 }, policies: { maxHeldPercent: 100 } };
    const properties = [await BlackboxProperty.open(service, options), await BlackboxProperty.open(service, options)];
    const ask = (property: BlackboxProperty) => untilDecided(() => place(property, {}, CLIENT));
    const held: string[] = [];
    for (const [index, count] of [60, 30].entries())
      for (const answer of await Promise.all(Array.from({ length: count }, () => ask(properties[index]!))))
        held.push(must(answer, 201).json.holdId);
    const unpaid: string[] = [];
    for (let n = 0; n < 10; n++)
      unpaid.push(must(await properties[n % 2]!.book({ card: null }, CLIENT), 201).json.reservationId);
    for (const property of properties) {
      for (const refused of [await place(property, {}, CLIENT), await property.book({ card: null }, CLIENT)]) {
        isProblem(t, refused, 429, { code: 'QUOTA_EXCEEDED' });
        t.match(problemOf(refused), { bound: 'subject-holds', limit: 100 });
        t.match(refused.headers, {
          'ratelimit-limit': '100',
          'ratelimit-remaining': '0',
          'ratelimit-reset': /^\d+$/,
        });
      }
      t.equal((await property.book({ from: 40 }, CLIENT)).status, 201, 'paid creates are not checked');
    }
    must(await untilDecided(() => place(properties[0]!)), 201);
    must(await release(held.pop()!), 200);
    held.push(must(await ask(properties[1]!), 201).json.holdId);
    must(await cancel(unpaid.pop()!), 200);
    must(await properties[0]!.book({ card: null, more: { holdId: held[0] } }, CLIENT), 201);
    unpaid.push(must(await properties[0]!.book({ card: null }, CLIENT), 201).json.reservationId);
    for (const answer of await Promise.all([...held.slice(1).map(release), ...unpaid.map(cancel)])) must(answer, 200);
    const all = await properties[0]!.reservations('&status=PENDING');
    for (const { reservationId } of all) must(await cancel(reservationId), 200);
    t.same(await properties[1]!.left(30, 2), [200, 200]);
  });

  await group.test('a client holds at most 1,000 room-nights', async (t) => {
    const options = { rooms: { DLX: 120 } };
    const one = await BlackboxProperty.open(service, options);
    const other = await BlackboxProperty.open(service, options);
    const ask = (property: BlackboxProperty, nights: number) =>
      place(property, { rooms: 10, checkOut: property.day(30 + nights) }, CLIENT);
    const held: Hold[] = [];
    for (let n = 0; n < 3; n++) held.push(must(await ask(one, 30), 201).json);
    const refused = await ask(other, 11);
    isProblem(t, refused, 429, { code: 'QUOTA_EXCEEDED' });
    t.match(problemOf(refused), { bound: 'subject-room-nights', limit: 1_000 });
    held.push(must(await ask(other, 10), 201).json);
    isProblem(t, await other.book({ card: null }, CLIENT), 429, { code: 'QUOTA_EXCEEDED' });
    must(await other.book({ card: null }), 201);
    for (const { holdId } of held) must(await release(holdId), 200);
  });
}

/** Metrics of the bounds, over all nodes: an error is counted by the owner of its property. */
export async function countedRejections(group: Test, service: Service): Promise<void> {
  await group.test('what the bounds of unpaid rooms refuse is counted by bound', async (t) => {
    const nodes = process.env.INNKEEPER_NODES === undefined ? [service.dev] : service.nodes;
    const errors = async (bound: string): Promise<number> => {
      let sum = 0;
      for (const { reservationUrl } of nodes) {
        const url = `${reservationUrl}/actuator/metrics/holds.refused?tag=bound:${bound}`;
        sum += must(await service.call<Report>('GET', url), 200).json.measurements[0]!.value;
      }
      return sum;
    };
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 4 } });
    await placed(property, { rooms: 3 });
    const cell = await errors('cell');
    const subject = await errors('subject-holds');
    isProblem(t, await place(property), 429);
    isProblem(t, await property.book({ card: null }), 429);
    t.equal((await property.book()).status, 201);
    isProblem(t, await place(property), 409);
    t.same([await errors('cell'), await errors('subject-holds')], [cell + 2, subject]);
  });
}

/** What ran out counts on against who had it; moves the clock. */
export async function coolingDown(
  group: Test,
  service: Service,
  advance: (seconds: number) => Promise<unknown>,
): Promise<void> {
  await group.test('who lets holds run out cannot take the same rooms again at once; others can', async (t) => {
    const property = await BlackboxProperty.open(service, { rooms: { DLX: 120 } });
    const stay = { rooms: 10, checkOut: property.day(60) };
    for (let n = 0; n < 3; n++) must(await place(property, stay, CLIENT), 201);
    for (let n = 0; n < 3; n++) must(await property.book({ card: null, nights: 30 }, CLIENT), 201);
    isProblem(t, await property.book({ card: null, nights: 11 }, CLIENT), 429, { code: 'QUOTA_EXCEEDED' });
    await advance(HOLD_SECONDS + 1);
    t.same(await property.left(30, 2), [120, 120], 'the rooms are free');
    const again = await place(property, stay, CLIENT);
    isProblem(t, again, 429, { code: 'QUOTA_EXCEEDED' });
    t.match(problemOf(again), { bound: 'subject-room-nights' });
    t.ok(Number(again.headers['retry-after']) <= HOLD_SECONDS);
    const others = await BlackboxProperty.open(service, { rooms: { DLX: 120 } });
    isProblem(t, await place(others, stay, CLIENT), 429, { code: 'QUOTA_EXCEEDED' });
    must(await place(property, stay), 201);
    t.equal((await property.book({}, CLIENT)).status, 201, 'paid creates are not checked');
    await advance(HOLD_SECONDS + 1);
    must(await place(others, stay, CLIENT), 201);
    await auditIsClean(t, property);
  });
}
