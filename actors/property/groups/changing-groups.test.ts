import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  changedGroup,
  DAY,
  freshId,
  group,
  modifyCommand,
  reinstateCommand,
  reservation as unbooked,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const block = (offset: number, rooms: number, rate = 8_000, roomType = 'STD') => ({
  roomType,
  day: DAY + offset,
  rooms,
  rate,
});

/** The property with a group of `rooms` of its three STD rooms on three nights, and more free nights around. */
function hotel(rooms = 2) {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const { groupId } = scene.accept(group(rooms, { contact: CONTACT }));
  const blocked = (...offsets: number[]) => offsets.map((offset) => scene.cell(DAY + offset).blocked);
  const stored = () => scene.state.groups.get(groupId)!;
  return { scene, groupId, blocked, stored };
}

const CONTACT = { firstName: 'Mary', lastName: 'Shelley', email: 'mary@example.com' };

void t.test('blocks are cut, raised, left out and added in one change', async (t) => {
  const { scene, groupId, blocked, stored } = hotel();
  const changed = scene.accept(
    changedGroup(groupId, {
      name: 'Regatta',
      cutoff: DAY + 3,
      blocks: [block(5, 1), block(6, 3, 9_000), block(8, 2)],
    }),
  );
  t.match(changed, { name: 'Regatta', cutoff: DAY + 3, released: false });
  t.notOk(changed.contact, 'a change says all of the group');
  t.same(blocked(5, 6, 7, 8), [1, 3, 0, 2]);
  t.same(Object.keys(stored().blocks).length, 3);
  t.match(scene.last.entries[0]!.facts.setup, [
    {
      kind: 'group',
      id: groupId,
      before: { name: 'Wedding', hasContact: true, blocks: [block(5, 2), block(6, 2), block(7, 2)] },
      after: { name: 'Regatta', hasContact: null, blocks: [block(5, 1), block(6, 3, 9_000), block(8, 2)] },
    },
  ]);
  t.notMatch(JSON.stringify(scene.last.entries), /Shelley|mary@/, 'the journal has no personal data');
});

void t.test('a block never takes what is not there, and then nothing has changed', async (t) => {
  const { scene, groupId, blocked, stored } = hotel();
  scene.accept(bookCommand({ stay: { checkIn: DAY + 8, checkOut: DAY + 9 } }));
  const before = stored();
  const error = scene.refuse(changedGroup(groupId, { blocks: [block(5, 1), block(6, 3), block(8, 3)] }));
  t.match(error, {
    code: 'ROOM_NOT_AVAILABLE',
    details: { date: formatDay(DAY + 8), extra: { roomType: 'STD' } },
  });
  t.same(blocked(5, 6, 7, 8), [2, 2, 2, 0]);
  t.equal(stored(), before);
  scene.accept(changedGroup(groupId, { blocks: [block(8, 2)] }));
  t.same(blocked(5, 6, 7, 8), [0, 0, 0, 2]);
});

void t.test('a block cannot be cut below what is picked up', async (t) => {
  const { scene, groupId, blocked } = hotel(3);
  scene.accept(bookCommand({ groupId }));
  scene.accept(startBookingCommand({ groupId }));
  for (const blocks of [[block(5, 1), block(6, 2)], [block(6, 2)]])
    t.match(scene.refuse(changedGroup(groupId, { blocks })), {
      code: 'INVALID_STATE',
      message: `2 STD rooms of ${formatDay(DAY + 5)} are picked up; the block cannot be cut below that.`,
      details: { date: formatDay(DAY + 5), extra: { roomType: 'STD', pickedUp: 2 } },
    });
  t.same(blocked(5, 6, 7), [1, 1, 3]);
  scene.accept(changedGroup(groupId, { blocks: [block(5, 2), block(6, 2)] }));
  t.same(blocked(5, 6, 7), [0, 0, 0]);
});

void t.test('a new rate is for bookings from then on', async (t) => {
  const { scene, groupId } = hotel();
  const { reservation } = scene.accept(bookCommand({ groupId }));
  const blocks = [block(5, 2, 9_500), block(6, 2, 9_500), block(7, 2, 9_500)];
  scene.accept(changedGroup(groupId, { blocks }));
  const rates = (nights: readonly { rate: number }[]) => nights.map(({ rate }) => rate);
  t.same(rates(scene.accept(bookCommand({ groupId })).reservation.nights), [9_500, 9_500]);
  const longer = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 8 })).reservation;
  t.same(rates(longer.nights), [8_000, 8_000, 9_500], 'what is booked keeps its rate');
});

void t.test('terms that change are those of bookings from then on', async (t) => {
  const { scene, groupId } = hotel();
  const first = scene.accept(bookCommand({ groupId })).reservation;
  scene.accept(changedGroup(groupId, { agreed: { guarantee: 'NONE', releaseHour: '18:00' } }));
  const second = scene.accept(bookCommand({ groupId })).reservation;
  t.match(second.guarantee, { kind: 'NONE', releaseHour: '18:00' });
  t.match(first.guarantee, { kind: 'NONE', releaseHour: null });
});

void t.test('nights that have passed stay as they were, and are named or not', async (t) => {
  const { scene, groupId, stored } = hotel();
  for (let day = 0; day < 6; day++) scene.endDay();
  const now = scene.state.today;
  t.equal(now, DAY + 6);
  t.equal(stored().released, true);
  const cutoff = DAY + 8;
  t.same(
    scene
      .refuse(changedGroup(groupId, { cutoff, blocks: [block(5, 1), block(7, 2)] }))
      .details.errors?.map((e) => e.pointer),
    ['/blocks/0/date'],
  );
  scene.accept(changedGroup(groupId, { cutoff, blocks: [block(5, 2), block(7, 2)] }));
  scene.accept(changedGroup(groupId, { cutoff, blocks: [block(7, 1)] }));
  t.same(
    Object.values(stored().blocks).map(({ day, rooms }) => [day - DAY, rooms]),
    [
      [5, 2],
      [7, 1],
    ],
  );
});

void t.test('a later cut-off blocks the rest of a released group again, as far as it is free', async (t) => {
  const { scene, groupId, blocked, stored } = hotel();
  scene.accept(bookCommand({ groupId }));
  for (let day = 0; day < 3; day++) scene.endDay();
  t.same(blocked(5, 6, 7), [0, 0, 0]);
  scene.accept(changedGroup(groupId, { name: 'Regatta' }));
  t.match(stored(), { released: true, name: 'Regatta' }, 'the day is as it was');
  t.same(blocked(5, 6, 7), [0, 0, 0]);
  t.equal(scene.refuse(changedGroup(groupId, { cutoff: DAY + 1 })).code, 'VALIDATION_FAILED');
  scene.accept(bookCommand());
  const third = scene.accept(bookCommand()).reservation;
  t.match(scene.refuse(changedGroup(groupId, { cutoff: DAY + 4 })), {
    code: 'ROOM_NOT_AVAILABLE',
    details: { date: formatDay(DAY + 5) },
  });
  scene.accept(cancelCommand(third.id));
  scene.accept(changedGroup(groupId, { cutoff: DAY + 4 }));
  t.match(stored(), { released: false });
  t.same(blocked(5, 6, 7), [1, 1, 2]);
  scene.accept(bookCommand({ groupId }));
});

void t.test('a deleted group gives back what is not picked up, and its reservations stay', async (t) => {
  const { scene, groupId, blocked, stored } = hotel();
  const { reservation } = scene.accept(bookCommand({ groupId, stay: { checkIn: DAY + 5, checkOut: DAY + 8 } }));
  scene.accept({ type: 'DELETE_GROUP', groupId });
  t.match(scene.last.entries[0]!.facts.setup, [
    { kind: 'group', id: groupId, before: { name: 'Wedding' }, after: null },
  ]);
  t.same(blocked(5, 6, 7), [0, 0, 0]);
  t.match(scene.cell(DAY + 5), { booked: 1, available: 2 });
  t.same(scene.view.groups, []);
  t.notOk(stored().contact, 'nobody is written to any more');
  for (const command of [{ type: 'DELETE_GROUP' as const, groupId }, changedGroup(groupId), bookCommand({ groupId })])
    t.equal(scene.refuse(command).code, 'GROUP_NOT_FOUND');
  const { nights } = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 7 })).reservation;
  t.match(nights, [{ rate: 8_000 }, { rate: 8_000 }]);
  t.equal(scene.refuse(modifyCommand(reservation.id, { checkOut: DAY + 8 })).code, 'OUTSIDE_GROUP_BLOCK');
  scene.accept(cancelCommand(reservation.id));
  t.match(scene.cell(DAY + 5), { booked: 0, blocked: 0, available: 3 }, 'for everybody');
  scene.endDay();
  t.notOk(scene.last.entries[0]!.facts.setup, 'its cut-off is no news');
  t.equal(scene.refuse({ type: 'DELETE_GROUP', groupId: freshId() }).code, 'GROUP_NOT_FOUND');
});

void t.test('a type that is gone is named', async (t) => {
  const { scene, groupId } = hotel();
  const error = scene.refuse(changedGroup(groupId, { blocks: [block(5, 1, 8_000, 'NOPE')] }));
  t.equal(error.code, 'UNKNOWN_ROOM_TYPE');
});

void t.test('a contact who is erased as a guest, or whose group is over, is gone', async (t) => {
  const { scene, groupId, stored } = hotel();
  const guest = { ...unbooked().guest, ...CONTACT, email: 'Mary@Example.com' };
  const booked = scene.accept(bookCommand({ guest })).reservation;
  scene.accept(cancelCommand(booked.id));
  scene.accept({ type: 'ERASE_GUEST', reservationId: booked.id });
  t.notOk(stored().contact);
  scene.accept(changedGroup(groupId, { contact: CONTACT }));
  t.same(stored().contact, CONTACT);
  for (let day = 0; day < 8; day++) scene.endDay();
  const [{ group: last } = { group: undefined }] = [...scene.last.draft.groupsPut.values()];
  t.equal(last?.groupId, groupId);
  t.notOk(last?.contact);
});

/** Shoulder nights of one before and two after the blocks of the fifth to seventh day. */
function shouldered(rooms = 1) {
  const world = hotel(rooms);
  const { scene, groupId } = world;
  scene.accept(baseRates('STD', 12_000, DAY, DAY + 20));
  const blocks = [block(5, rooms, 7_000), block(6, rooms), block(7, rooms, 9_000)];
  scene.accept(changedGroup(groupId, { blocks, shoulderNights: { before: 1, after: 2 } }));
  const book = (from: number, to: number) =>
    bookCommand({ groupId, stay: { checkIn: DAY + from, checkOut: DAY + to, roomType: 'STD' } });
  const counts = (offset: number) => {
    const { booked, blocked, available } = scene.cell(DAY + offset);
    return [booked, blocked, available];
  };
  return { ...world, book, counts };
}

void t.test('shoulder nights have the rate of the nearest block and come out of general sale', async (t) => {
  const { scene, book, counts, stored } = shouldered();
  const { reservation } = scene.accept(book(4, 10));
  t.same(
    reservation.nights.map(({ rate }) => rate),
    [7_000, 7_000, 8_000, 9_000, 9_000, 9_000],
  );
  t.same([4, 5, 8].map(counts), [
    [1, 0, 2],
    [1, 0, 2],
    [1, 0, 2],
  ]);
  t.match(
    Object.values(stored().blocks).filter(({ isShoulder }) => isShoulder),
    [
      { day: DAY + 4, rooms: 1, pickedUp: 1 },
      { day: DAY + 8, rooms: 1, pickedUp: 1 },
      { day: DAY + 9, rooms: 1, pickedUp: 1 },
    ],
  );
  scene.accept(cancelCommand(reservation.id));
  t.same([4, 5, 8].map(counts), [
    [0, 0, 3],
    [0, 1, 2],
    [0, 0, 3],
  ]);
  t.same(Object.values(stored().blocks).length, 3);
});

void t.test('shoulder nights end where they end, and a stay has a night in a block', async (t) => {
  const { scene, book } = shouldered(3);
  for (const [from, to, day] of [
    [3, 6, 3],
    [7, 11, 10],
    [4, 5, 4],
    [8, 10, 8],
  ] as const)
    t.match(
      scene.refuse(book(from, to)),
      { code: 'OUTSIDE_GROUP_BLOCK', details: { date: formatDay(DAY + day) } },
      `${from} to ${to}`,
    );
  scene.accept(book(4, 6));
});

void t.test('a shoulder night is had only while a room is free for everybody', async (t) => {
  const { scene, groupId, book, counts } = shouldered(3);
  const others = [1, 2, 3].map(
    () => scene.accept(bookCommand({ stay: { checkIn: DAY + 8, checkOut: DAY + 9, roomType: 'STD' } })).reservation,
  );
  t.match(scene.refuse(book(7, 9)), { code: 'ROOM_NOT_AVAILABLE', details: { date: formatDay(DAY + 8) } });
  const { reservation } = scene.accept(book(6, 8));
  t.equal(scene.refuse(modifyCommand(reservation.id, { checkOut: DAY + 9 })).code, 'ROOM_NOT_AVAILABLE');
  scene.accept(cancelCommand(others[0]!.id));
  scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 9 }));
  t.same(counts(8), [3, 0, 0]);
  scene.accept(modifyCommand(reservation.id, { adults: 1 }));
  scene.accept(changedGroup(groupId, { blocks: [block(5, 3), block(6, 3), block(7, 3)] }));
  scene.accept(modifyCommand(reservation.id, { adults: 2 }));
  t.equal(scene.refuse(book(7, 9)).code, 'OUTSIDE_GROUP_BLOCK', 'the nights are agreed on no more');
});

void t.test('a block on a booked shoulder night has its guests picked up', async (t) => {
  const { scene, groupId, book, counts, stored } = shouldered();
  const { reservation } = scene.accept(book(7, 9));
  const blocks = [block(5, 1), block(6, 1), block(7, 1)];
  scene.accept(changedGroup(groupId, { blocks: [...blocks, block(8, 2)] }));
  t.match(stored().blocks[`${DAY + 8} STD`], { rooms: 2, pickedUp: 1, isShoulder: undefined });
  t.same(counts(8), [1, 1, 1]);
  scene.accept(cancelCommand(reservation.id));
  t.same(counts(8), [0, 2, 1]);
});

void t.test('a booking with shoulder nights comes back as long as they are free', async (t) => {
  const { scene, book, counts } = shouldered();
  const { reservation } = scene.accept(book(7, 9));
  const back = () => scene.accept(reinstateCommand(reservation.id)).reservation;
  scene.accept(cancelCommand(reservation.id));
  t.ok(back().groupId);
  t.same([7, 8].map(counts), [
    [1, 0, 2],
    [1, 0, 2],
  ]);
  scene.accept(cancelCommand(reservation.id));
  scene.accept(book(7, 8));
  t.notOk(back().groupId, 'the block is used up');
});
