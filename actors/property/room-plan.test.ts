import fc from 'fast-check';
import t from 'tap';

import type { Command, CommandOf } from '../../src/kernel/rules/commands.ts';
import { codeOf, Scene } from '../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  modifyCommand,
  noShowCommand,
  plainRoom,
  type BookingOptions,
} from '../../src/testing/property-world.ts';

const DAY_MS = 86_400_000;

/** A property without payment: STD 101 to 103, DLX 201 and 202. */
function property(): Scene {
  const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: 30 } });
  const rooms = [plainRoom('101'), plainRoom('102'), plainRoom('103'), plainRoom('201', { roomType: 'DLX' })];
  rooms.push(plainRoom('202', { roomType: 'DLX' }));
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

function booked(scene: Scene, from: number, nights: number, more: BookingOptions['stay'] = {}): string {
  const stay = { checkIn: DAY + from, checkOut: DAY + from + nights, ...more };
  return scene.accept(bookCommand({ stay })).reservation.id;
}

const assign = (reservationId: string, roomNumber: string): CommandOf<'ASSIGN_ROOM'> => ({
  type: 'ASSIGN_ROOM',
  reservationId,
  roomNumber,
  by: 'Eve',
});
const assignAll = (...assignments: [string, string, string?][]): CommandOf<'ASSIGN_ROOMS'> => ({
  type: 'ASSIGN_ROOMS',
  assignments: assignments.map(([reservationId, roomNumber, previousRoomNumber]) => ({
    reservationId,
    roomNumber,
    ...(previousRoomNumber !== undefined && { previousRoomNumber }),
  })),
});
const roomOf = (scene: Scene, id: string): string | undefined => scene.state.reservations.get(id)?.roomNumber;
const tomorrow = (scene: Scene): void => {
  scene.pass(DAY_MS);
  scene.accept({ type: 'TICK' });
};

void t.test('a room is given by hand once for each night, or gets the reason', async (t) => {
  const scene = property();
  const first = booked(scene, 1, 3);
  const other = booked(scene, 3, 2);
  const { reservation, upgraded } = scene.accept(assign(first, '101'));
  t.match(reservation, { roomNumber: '101', assignedAt: scene.now, roomFixed: true });
  t.match(reservation.timeline.at(-1), { event: 'ROOM_ASSIGNED', by: 'Eve', notes: 'Room 101, STD' });
  t.notOk(upgraded);
  const taken = scene.refuse(assign(other, '101'));
  t.match(taken, { code: 'ROOM_TAKEN', details: { date: '2026-06-04', extra: { reservationId: first } } });
  t.equal(scene.refuse(assign(other, '999')).code, 'ROOM_NOT_FOUND');
  t.equal(scene.refuse(assign('nobody', '101')).code, 'RESERVATION_NOT_FOUND');
  scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '102', status: 'OUT_OF_ORDER' });
  t.equal(scene.refuse(assign(other, '102')).code, 'ROOM_OUT_OF_ORDER');
  t.match(scene.accept(assign(first, '103')), { previousRoomNumber: '101' });
  t.equal(scene.accept(assign(other, '101')).room.roomNumber, '101', 'it is free again');
});

void t.test('a better type by hand takes the nights with it; a lesser one is not given', async (t) => {
  const scene = property();
  const id = booked(scene, 1, 2);
  const { reservation, upgraded } = scene.accept(assign(id, '201'));
  t.ok(upgraded);
  t.match(reservation, { stay: { roomType: 'DLX' }, bookedRoomType: 'STD' });
  for (const day of [DAY + 1, DAY + 2]) {
    t.equal(scene.cell(day).booked, 0);
    t.equal(scene.cell(day, 'DLX').booked, 1);
  }
  const back = scene.accept(assign(id, '101'));
  t.notOk(back.upgraded, 'to the type that was booked');
  t.match(scene.cell(DAY + 1), { booked: 1 });
  const suite = booked(scene, 1, 2, { roomType: 'DLX' });
  t.equal(scene.refuse(assign(suite, '102')).code, 'WRONG_ROOM_TYPE');
  for (let n = 0; n < 1; n++) booked(scene, 2, 1, { roomType: 'DLX' });
  t.equal(scene.refuse(assign(id, '202')).code, 'ROOM_NOT_AVAILABLE');
});

void t.test('a guest in house moves to a ready room at once, and his old one has to be cleaned', async (t) => {
  const scene = property();
  const id = booked(scene, 0, 3);
  scene.accept(checkInCommand(id));
  t.equal(roomOf(scene, id), '101');
  scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '102', status: 'DIRTY' });
  t.equal(scene.refuse(assign(id, '102')).code, 'NO_ROOM_READY');
  scene.accept(assign(id, '103'));
  t.match(scene.state.rooms.get('101'), { status: 'DIRTY', reservationId: undefined });
  t.match(scene.state.rooms.get('103'), { status: 'OCCUPIED', reservationId: id });
  t.same(
    scene.state.roomPlan.inRoom('101').map(({ reservationId }) => reservationId),
    [],
  );
});

void t.test(
  'the room of a guest who leaves today is given to an arrival, who gets in once it is ready',
  async (t) => {
    const scene = property();
    const leaving = booked(scene, 0, 2);
    scene.accept(checkInCommand(leaving));
    const arrival = booked(scene, 2, 2);
    const others = booked(scene, 2, 1);
    tomorrow(scene);
    tomorrow(scene);
    t.equal(scene.accept(assign(arrival, '101')).room.roomNumber, '101', 'tonight nobody else has it');
    const taken = scene.refuse(assign(others, '101'));
    t.match(taken, { code: 'ROOM_TAKEN', details: { date: '2026-06-03', extra: { reservationId: arrival } } });
    for (const roomNumber of ['102', '103'])
      scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'OUT_OF_ORDER' });
    t.equal(scene.refuse(checkInCommand(arrival)).code, 'NO_ROOM_READY', 'somebody is in it');
    scene.accept(checkOutCommand(leaving, { forced: true }));
    t.equal(scene.refuse(checkInCommand(arrival)).code, 'NO_ROOM_READY', 'it has to be cleaned');
    scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '101', status: 'INSPECTED' });
    t.equal(scene.accept(checkInCommand(arrival)).room.roomNumber, '101');
  },
);

void t.test('a guest who should have left has the room tonight, and no arrival is promised it', async (t) => {
  const scene = property();
  const late = booked(scene, 0, 1);
  scene.accept(checkInCommand(late));
  const arrival = booked(scene, 2, 2);
  tomorrow(scene);
  scene.accept(assign(arrival, '101'));
  tomorrow(scene);
  const second = booked(scene, 2, 1);
  t.equal(scene.refuse(assign(second, '101')).code, 'ROOM_TAKEN');
  t.match(scene.refuse(modifyCommand(late, { checkOut: DAY + 3 })), { code: 'ROOM_TAKEN' }, 'it was promised');
  scene.accept(modifyCommand(late, { checkOut: DAY + 2 }));
  scene.accept(checkOutCommand(late, { forced: true }));
});

void t.test('nights that are over keep no room from a guest who moves on his last day, or stays on', async (t) => {
  const scene = property();
  const leaving = booked(scene, 0, 1);
  scene.accept(checkInCommand(leaving));
  const missing = booked(scene, 0, 3);
  scene.accept(assign(missing, '102'));
  const later = booked(scene, 1, 1);
  tomorrow(scene);
  scene.accept(assign(later, '101'));
  scene.accept(assign(leaving, '102'));
  check(scene, [leaving, missing, later]);
  tomorrow(scene);
  tomorrow(scene);
  scene.accept({ type: 'SET_ROOM_STATUS', roomNumber: '101', status: 'CLEAN' });
  scene.accept(assign(leaving, '101'));
  scene.accept(modifyCommand(leaving, { checkOut: DAY + 5 }));
  check(scene, [leaving, missing, later]);
  t.same(scene.state.roomPlan.stay(leaving), {
    reservationId: leaving,
    roomNumber: '101',
    roomType: 'STD',
    status: 'CHECKED_IN',
    tier: 'NONE',
    fixed: true,
    checkIn: DAY + 3,
    checkOut: DAY + 5,
  });
});

void t.test('an assignment moves all at once: two stays swap their rooms', async (t) => {
  const scene = property();
  const one = booked(scene, 1, 2);
  const other = booked(scene, 1, 3);
  t.same(scene.accept(assignAll([one, '101'], [other, '102'])), { assigned: [one, other], skipped: [] });
  const before = scene.state.seq;
  t.same(scene.accept(assignAll([one, '102', '101'], [other, '101', '102'])).skipped, []);
  t.equal(scene.state.seq, before + 1, 'one row of the journal');
  t.same([roomOf(scene, one), roomOf(scene, other)], ['102', '101']);
});

void t.test('an assignment leaves out what has moved on since it was computed', async (t) => {
  const scene = property();
  const gone = booked(scene, 1, 1);
  scene.accept(cancelCommand(gone));
  const [fixed, longer, fine] = [1, 2, 3].map(() => booked(scene, 1, 1)) as [string, string, string];
  scene.accept(assign(fixed, '101'));
  scene.accept(modifyCommand(longer, { checkOut: DAY + 3 }));
  const later = booked(scene, 2, 1);
  scene.accept(assign(later, '102'));
  const answer = scene.accept(assignAll([gone, '103'], [fixed, '103'], [longer, '102'], [fine, '103']));
  t.same(answer, { assigned: [fine], skipped: [gone, fixed, longer] });
  const { seq } = scene.state;
  t.same(scene.accept(assignAll([gone, '103'])).assigned, []);
  t.equal(scene.state.seq, seq, 'nothing happened, so there is no row');
});

void t.test('at check-in a guest gets no room that is promised to another, unless there is no other', async (t) => {
  const scene = property();
  const guests = [0, 0].map(() => booked(scene, 0, 2));
  const later = booked(scene, 1, 2);
  scene.accept(assignAll([later, '101']));
  const rooms = guests.map((id) => scene.accept(checkInCommand(id)).room.roomNumber);
  t.same(rooms, ['102', '103']);
  const third = booked(scene, 0, 1);
  t.equal(scene.accept(checkInCommand(third)).room.roomNumber, '101', 'until the other comes');
});

void t.test(
  'who stands at the desk goes before those who are to come, but not before a promise by hand',
  async (t) => {
    const scene = property();
    const long = booked(scene, 0, 3);
    const later = booked(scene, 2, 2);
    for (const roomNumber of ['102', '103'])
      scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'OUT_OF_ORDER' });
    scene.accept(assignAll([later, '101']));
    scene.accept(checkInCommand(long));
    t.equal(roomOf(scene, long), '101');
    t.equal(roomOf(scene, later), undefined, 'it waits for another one');
    t.match(scene.state.reservations.get(later)!.timeline.at(-1), { notes: 'Room 101 went to another stay' });
    t.equal(scene.last.entries.length, 1);

    const promised = property();
    const guest = booked(promised, 0, 3);
    const second = booked(promised, 2, 2);
    for (const roomNumber of ['102', '103'])
      promised.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'OUT_OF_ORDER' });
    promised.accept(assign(second, '101'));
    t.equal(
      codeOf(() => promised.accept(checkInCommand(guest))),
      'NO_ROOM_READY',
    );
  },
);

void t.test('a room goes with the end of its stay, and with nights that do not fit it', async (t) => {
  const scene = property();
  const ids = [1, 2].map((n) => booked(scene, n, 2));
  scene.accept(assign(ids[0]!, '101'));
  scene.accept(modifyCommand(ids[0]!, { checkOut: DAY + 2 }));
  t.equal(roomOf(scene, ids[0]!), '101', 'shorter: it keeps its room');
  scene.accept(assign(ids[1]!, '101'));
  const { reservation, changes } = scene.accept(modifyCommand(ids[0]!, { checkOut: DAY + 4 }));
  t.equal(reservation.roomNumber, undefined, 'longer: another has it');
  t.ok(changes.checkOut);
  scene.accept(cancelCommand(ids[1]!));
  t.same(scene.state.roomPlan.inRoom('101'), []);
  const arrival = booked(scene, 0, 1);
  scene.accept(assign(arrival, '101'));
  scene.accept(noShowCommand(arrival));
  t.equal(scene.state.roomPlan.size, 0);
});

/** Random commands of a front desk: after each one nobody shares a room, and the plan is what the reservations say. */
void t.test('no two stays ever have a room on the same night', async (t) => {
  const step = fc.record({
    what: fc.constantFrom('book', 'assign', 'all', 'modify', 'cancel', 'in', 'out', 'day', 'status', 'missed'),
    which: fc.nat(40),
    other: fc.nat(40),
    from: fc.integer({ min: 0, max: 6 }),
    nights: fc.integer({ min: 1, max: 4 }),
    room: fc.constantFrom('101', '102', '103', '201', '202'),
    type: fc.constantFrom('STD', 'DLX'),
    status: fc.constantFrom('CLEAN', 'DIRTY', 'OUT_OF_ORDER', 'AVAILABLE'),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const scene = property();
      const ids: string[] = [];
      for (const { what, which, other, from, nights, room: roomNumber, type, status } of steps) {
        const id = ids[which % Math.max(1, ids.length)] ?? 'none';
        const second = ids[other % Math.max(1, ids.length)] ?? 'none';
        const first = scene.state.today + from;
        const commands: Record<typeof what, () => Command | undefined> = {
          book: () => bookCommand({ stay: { roomType: type, checkIn: first, checkOut: first + nights } }),
          assign: () => assign(id, roomNumber),
          all: () => assignAll([id, roomNumber, roomOf(scene, id)], [second, '102', roomOf(scene, second)]),
          modify: () =>
            modifyCommand(id, { checkIn: first, checkOut: first + nights }, { reason: 'asked', modifiedBy: 'Eve' }),
          cancel: () => cancelCommand(id),
          in: () => checkInCommand(id, { tier: 'GOLD' }),
          out: () => checkOutCommand(id, { forced: true }),
          missed: () => noShowCommand(id),
          status: () => ({ type: 'SET_ROOM_STATUS', roomNumber, status }),
          day: () => {
            tomorrow(scene);
            return undefined;
          },
        };
        const command = commands[what]();
        if (!command) continue;
        codeOf(() => {
          const result = scene.accept(command);
          if (command.type === 'BOOK') ids.push((result as { reservation: { id: string } }).reservation.id);
        });
        check(scene, ids);
      }
    }),
    { numRuns: 300 },
  );
  t.pass();
});

function check(scene: Scene, ids: readonly string[]): void {
  const { roomPlan, today } = scene.state;
  for (const roomNumber of ['101', '102', '103', '201', '202']) {
    let until = today;
    for (const { checkIn: from, checkOut: to, reservationId } of roomPlan.inRoom(roomNumber)) {
      if (to <= today) continue;
      if (from < until && until > today) throw new Error(`${reservationId} shares ${roomNumber}`);
      until = to;
    }
    // The constraint of the table looks at nights that are over, too.
    const rows = roomPlan.inRoom(roomNumber).filter((row) => row.checkIn < row.checkOut);
    for (const [index, { checkIn: first, reservationId }] of rows.entries())
      if (index > 0 && first < rows[index - 1]!.checkOut) throw new Error(`${reservationId} cannot be written`);
  }
  for (const id of ids) {
    const { status, roomNumber, stay } = scene.state.reservations.get(id)!;
    const planned = roomPlan.stay(id);
    const lives = status === 'CHECKED_IN' || (status === 'CONFIRMED' && stay.checkOut > today);
    if (planned && planned.roomNumber !== roomNumber) throw new Error(`${id} is planned in another room`);
    if (!planned && lives && roomNumber !== undefined) throw new Error(`${id} has ${roomNumber} without a plan`);
    if (planned && !lives && status !== 'CONFIRMED') throw new Error(`${id} is ${status} and has a room`);
  }
}
