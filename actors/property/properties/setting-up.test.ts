import t from 'tap';

import type { Command, CommandOf } from '../../../src/kernel/rules/commands.ts';
import { endOfBusinessDay } from '../../../src/kernel/rules/property-time.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import { clockOf } from '../../../src/properties/rules/property.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  NOW,
  paid,
  property,
  roomType,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';
import { draftChanges } from '../changes.ts';

const inventory = (changed: Partial<CommandOf<'SET_INVENTORY'>>): Command => ({
  type: 'SET_INVENTORY',
  roomType: 'STD',
  start: DAY + 5,
  end: DAY + 6,
  ...changed,
});

void t.test(
  'a cut below what is sold is accepted, shows 0 and its gap, and sells nothing before it is closed',
  async (t) => {
    const scene = Scene.property({ policies: { maxHeldPercent: 100 } });
    for (let n = 0; n < 3; n++) scene.accept(bookCommand());
    const gap = [5, 6].map((offset) => ({ roomType: 'STD', day: DAY + offset, shortfall: 2 }));
    t.same(scene.accept(inventory({ totalRooms: 1 }) as never), { oversold: gap });
    t.match(draftChanges(scene.last.draft).cells, [
      { total: 1, available: 0, shortfall: 2 },
      { total: 1, available: 0, shortfall: 2 },
    ]);
    t.equal(scene.cell(DAY + 5).available, 0);
    scene.accept(inventory({ totalRooms: 3 }));
    t.equal(scene.refuse(bookCommand()).code, 'ROOM_NOT_AVAILABLE', 'closed, but nothing is free');
    scene.accept(inventory({ totalRooms: 4 }));
    t.equal(scene.accept(bookCommand()).reservation.status, 'PENDING');
  },
);

void t.test('a block may take what is free and not what is sold', async (t) => {
  const scene = Scene.property();
  scene.accept(bookCommand());
  t.equal(scene.refuse(inventory({ blockedRooms: 3 })).code, 'ROOM_NOT_AVAILABLE');
  scene.accept(inventory({ blockedRooms: 2 }));
  t.match(scene.cell(DAY + 5), { blocked: 2, available: 0 });
  t.equal(scene.refuse(bookCommand()).code, 'ROOM_NOT_AVAILABLE');
  t.equal(scene.refuse(inventory({ blockedRooms: 3, totalRooms: 3 })).code, 'ROOM_NOT_AVAILABLE');
  scene.accept(inventory({ blockedRooms: 3, totalRooms: 4 }));
  scene.accept(inventory({ blockedRooms: 0, totalRooms: 1 }));
  t.match(scene.cell(DAY + 5), { blocked: 0, total: 1, available: 0 });
});

void t.test('an overbooking limit sells above the total, for a night or for the whole property', async (t) => {
  const scene = Scene.property({ policies: { maxHeldPercent: 100 } });
  scene.accept(inventory({ overbookingLimit: 1 }));
  for (let n = 0; n < 4; n++) scene.accept(bookCommand());
  t.equal(scene.refuse(bookCommand()).code, 'ROOM_NOT_AVAILABLE');
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: { overbookingLimit: 9 } }) });
  t.equal(scene.cell(DAY + 5).available, 0, 'a limit of its own wins');
  t.equal(scene.cell(DAY + 9).available, 12);
});

void t.test('a lower limit of the property stores the gap that it leaves', async (t) => {
  const scene = Scene.property({ policies: { overbookingLimit: 1, maxHeldPercent: 100 } });
  for (let n = 0; n < 4; n++) scene.accept(bookCommand());
  scene.accept({ type: 'UPDATE_PROPERTY', property: property() });
  const gaps = draftChanges(scene.last.draft).cells.filter(({ shortfall }) => shortfall > 0);
  t.match(gaps, [
    { roomType: 'STD', day: DAY + 5, shortfall: 1, available: 0 },
    { day: DAY + 6, shortfall: 1 },
  ]);
  t.ok(scene.last.entries[0]!.facts.cells!.length >= 2, 'and notifies dashboards');
});

void t.test('inventory is set inside the window only, and for a type that exists', async (t) => {
  const scene = Scene.property();
  t.equal(scene.refuse(inventory({ start: DAY - 1, totalRooms: 1 })).code, 'VALIDATION_FAILED');
  t.equal(scene.refuse(inventory({ end: DAY + 31, totalRooms: 1 })).code, 'VALIDATION_FAILED');
  t.equal(scene.refuse(inventory({ totalRooms: 60_001 })).code, 'VALIDATION_FAILED');
  t.equal(scene.refuse(inventory({ roomType: 'NOPE', totalRooms: 1 })).code, 'UNKNOWN_ROOM_TYPE');
});

void t.test('a changed count of a room type holds for every night, a changed name for none', async (t) => {
  const scene = Scene.property();
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 7), mode: 'replace' });
  t.same(
    [0, 15, 30].map((offset) => scene.cell(DAY + offset).total),
    [7, 7, 7],
  );
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 7, { name: 'Standard' }), mode: 'replace' });
  t.equal(draftChanges(scene.last.draft).cells.length, 0);
  t.equal(
    scene.refuse({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 7), mode: 'create' }).code,
    'ALREADY_EXISTS',
  );
  t.equal(
    scene.refuse({ type: 'PUT_ROOM_TYPE', roomType: roomType('NOPE', 7), mode: 'replace' }).code,
    'ROOM_TYPE_NOT_FOUND',
  );
});

void t.test('a room type or property with bookings or payments under way is not removed', async (t) => {
  const scene = Scene.property();
  const command = startBookingCommand();
  const { attempt } = scene.accept(command);
  t.equal(scene.refuse({ type: 'REMOVE_ROOM_TYPE', roomType: 'STD' }).code, 'PROPERTY_IN_USE');
  t.equal(scene.refuse({ type: 'DELETE_PROPERTY' }).code, 'PROPERTY_IN_USE', 'a card is being charged');
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt) });
  t.equal(scene.refuse({ type: 'DELETE_PROPERTY' }).code, 'PROPERTY_IN_USE');
  scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'DLX' });
  t.same([...scene.state.slabs.keys()], ['STD']);
  const empty = Scene.property();
  empty.accept({ type: 'DELETE_PROPERTY' });
  t.equal(empty.state.property, undefined);
  t.equal(draftChanges(empty.last.draft).propertyDeleted, true);
});

void t.test('rooms are put all or none', async (t) => {
  const scene = Scene.property();
  const room = (roomNumber: string, of = 'STD'): Room => ({
    roomNumber,
    roomType: of,
    floor: 1,
    status: 'AVAILABLE',
    features: [],
    updatedAt: 0,
  });
  scene.accept({ type: 'PUT_ROOMS', rooms: [room('101'), room('102')], mode: 'create' });
  t.equal(
    scene.refuse({ type: 'PUT_ROOMS', rooms: [room('103'), room('102')], mode: 'create' }).code,
    'ALREADY_EXISTS',
  );
  t.equal(scene.refuse({ type: 'PUT_ROOMS', rooms: [room('103')], mode: 'replace' }).code, 'ROOM_NOT_FOUND');
  t.equal(scene.refuse({ type: 'PUT_ROOMS', rooms: [room('103', 'NOPE')], mode: 'put' }).code, 'UNKNOWN_ROOM_TYPE');
  t.match(scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '101', status: 'DIRTY' }), {
    status: 'DIRTY',
    updatedAt: NOW,
  });
  scene.accept({ type: 'REMOVE_ROOM', roomNumber: '102' });
  t.equal(scene.refuse({ type: 'REMOVE_ROOM', roomNumber: '102' }).code, 'ROOM_NOT_FOUND');
  t.same([...scene.state.rooms.keys()], ['101']);
});

const rates = (changed: Partial<CommandOf<'SET_BASE_RATES'>>): CommandOf<'SET_BASE_RATES'> => ({
  type: 'SET_BASE_RATES',
  rateId: 'r',
  roomType: 'STD',
  start: DAY,
  end: DAY + 13,
  rates: [],
  seasons: [],
  ...changed,
});
const season = (start: number, end: number, multiplier: number, amount = 0) => ({
  name: 's',
  start,
  end,
  multiplier,
  amount,
});

void t.test('weekdays that are not named and nights in no season keep what they have', async (t) => {
  const scene = Scene.property();
  const { affectedDates } = scene.accept(
    rates({
      rates: [
        { weekday: 'FRIDAY', rate: 13_000 },
        { weekday: 'SATURDAY', rate: 14_000 },
      ],
    }),
  );
  t.equal(affectedDates, 4, 'two Fridays, two Saturdays');
  t.same(
    [3, 4, 5, 6, 11, 18].map((offset) => scene.cell(DAY + offset).rate),
    [10_000, 13_000, 14_000, 10_000, 13_000, 10_000],
  );
});

void t.test('a season sets and never compounds: the same body twice gives the same prices', async (t) => {
  const scene = Scene.property();
  const body = rates({ seasons: [season(DAY + 2, DAY + 3, 125, 500)] });
  t.equal(scene.accept(body).affectedDates, 2);
  const prices = () => [1, 2, 3, 4].map((offset) => scene.cell(DAY + offset).rate);
  t.same(prices(), [10_000, 13_000, 13_000, 10_000]);
  scene.accept(body);
  t.same(prices(), [10_000, 13_000, 13_000, 10_000]);
  scene.accept(rates({ rates: [{ weekday: 'WEDNESDAY', rate: 20_000 }] }));
  t.same(prices(), [10_000, 25_500, 13_000, 10_000], 'a new base keeps the season of its night');
});

void t.test(
  'a season on a night without a rate waits for nothing; rates are set within the window only',
  async (t) => {
    const scene = Scene.property();
    scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('NEW', 1), mode: 'create' });
    scene.accept(rates({ roomType: 'NEW', seasons: [season(DAY, DAY + 13, 200)] }));
    t.equal(scene.cell(DAY, 'NEW').rate, null);
    const outside = scene.refuse(baseRates('NEW', 5_000, DAY - 5, DAY + 500));
    t.same(
      outside.details.errors?.map(({ pointer, code }) => [pointer, code]),
      [
        ['/effectiveDate', 'IN_THE_PAST'],
        ['/endDate', 'BEYOND_HORIZON'],
      ],
    );
    t.equal(scene.accept(baseRates('NEW', 5_000) as CommandOf<'SET_BASE_RATES'>).affectedDates, 31);
    t.equal(scene.cell(DAY, 'NEW').rate, 5_000);
    t.equal(scene.refuse(rates({ roomType: 'NOPE' })).code, 'UNKNOWN_ROOM_TYPE');
  },
);

void t.test(
  'at the roll the window moves one night: bookings stay, the new night has rooms and no rate',
  async (t) => {
    const scene = Scene.property();
    scene.accept(bookCommand({ stay: { checkIn: DAY + 29, checkOut: DAY + 31 } }));
    scene.now = endOfBusinessDay(DAY, clockOf(scene.state.property!));
    t.same(scene.accept({ type: 'TICK' }), { businessDate: DAY + 1 });
    t.equal(scene.state.today, DAY + 1);
    t.match(scene.view, { businessDate: DAY + 1, lastNight: DAY + 31 });
    t.same(scene.view.grid(DAY, DAY), [], 'the past night left memory');
    t.match(scene.cell(DAY + 30), { held: 1, rate: 10_000 });
    t.match(scene.cell(DAY + 31), { total: 3, held: 0, rate: null });
    t.equal(scene.refuse(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } })).code, 'VALIDATION_FAILED');
  },
);

void t.test(
  'a property that slept for days catches up with one roll, and new nights get their rolling rates',
  async (t) => {
    const scene = Scene.property();
    const rollingRates = { weekday: 8_000, weekend: 9_000 };
    scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 3, { rollingRates }), mode: 'replace' });
    scene.pass(5 * 86_400_000);
    scene.accept({ type: 'TICK' });
    t.equal(scene.state.today, DAY + 5);
    // 2026-07-02 is a Thursday.
    t.same(
      [31, 32, 33, 34, 35].map((offset) => scene.cell(DAY + offset).rate),
      [8_000, 9_000, 9_000, 8_000, 8_000],
    );
    t.match(
      draftChanges(scene.last.draft).rates.map(({ day }) => day - DAY),
      [31, 32, 33, 34, 35],
    );
  },
);

void t.test('a roll that comes early or twice changes nothing but its number', async (t) => {
  const scene = Scene.property();
  const seen = scene.view.grid(DAY, DAY + 40);
  t.same(scene.accept({ type: 'TICK' }), { businessDate: DAY });
  t.same(scene.view.grid(DAY, DAY + 40), seen);
});

void t.test('a longer horizon opens nights, a shorter one keeps what is sold', async (t) => {
  const scene = Scene.property();
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: { horizonNights: 40 } }) });
  t.match(scene.cell(DAY + 40), { total: 3, rate: null });
  scene.accept(baseRates('STD', 10_000, DAY, DAY + 40));
  scene.accept(bookCommand({ stay: { checkIn: DAY + 39, checkOut: DAY + 41 } }));
  scene.accept({ type: 'UPDATE_PROPERTY', property: property({ policies: { horizonNights: 5 } }) });
  t.equal(scene.view.lastNight, DAY + 5);
  t.equal(scene.cell(DAY + 40).held, 1);
});

void t.test('one sweep releases a hundred holds at most and says how many', async (t) => {
  const scene = Scene.property({ policies: { maxHeldPercent: 100 } });
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 200), mode: 'replace' });
  for (let n = 0; n < 130; n++) scene.accept(bookCommand());
  scene.pass(900_100);
  t.same(
    [1, 2, 3].map(() => scene.accept({ type: 'EXPIRE' }).released),
    [100, 30, 0],
  );
  t.equal(scene.cell(DAY + 5).held, 0);
});
