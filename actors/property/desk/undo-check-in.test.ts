import t from 'tap';

import type { RoomStatus } from '../../../src/properties/rules/property.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  checkInCommand,
  DAY,
  noShowCommand,
  plainRoom,
  postCommand,
  undoCheckInCommand,
  voidCommand,
} from '../../../src/testing/property-world.ts';

/** A property with one room in the given state, and a guest of tonight who is in it. */
function checkedIn(status: RoomStatus = 'INSPECTED') {
  const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: 30 } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101', { status }), plainRoom('102')], mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 } })).reservation;
  scene.accept(checkInCommand(id));
  const room = () => scene.state.rooms.get(scene.state.reservations.get(id)!.roomNumber!)!;
  return { scene, id, room };
}

void t.test('the stay is confirmed again with its room, which is as it was before', async (t) => {
  for (const status of ['INSPECTED', 'CLEAN', 'AVAILABLE'] as const) {
    const { scene, id, room } = checkedIn(status);
    const { nights, roomNumber } = scene.state.reservations.get(id)!;
    const before = room();
    const said = { reason: 'The wrong Smith' };
    const { reservation } = scene.accept(undoCheckInCommand(id, said));
    t.match(reservation, { status: 'CONFIRMED', roomNumber, nights, checkIn: undefined });
    t.match(reservation.timeline.at(-1), { event: 'CHECK_IN_UNDONE', notes: 'The wrong Smith', by: 'desk' });
    t.match(room(), { status: before.roomNumber === '101' ? status : 'CLEAN', reservationId: undefined });
    t.match(scene.cell(DAY), { booked: 1 });
    t.match(scene.last.draft.history, [{ from: 'CHECKED_IN', to: 'CONFIRMED', reason: 'CHECK_IN_UNDONE' }]);
    const { facts } = scene.last.entries[0]!;
    t.match(facts.bookings, [['CHECK_IN_UNDONE', null]]);
    t.match(facts.setup, [{ kind: 'room', before: { status: 'OCCUPIED' }, after: { status: room().status } }]);
    scene.accept(checkInCommand(id));
    t.match(room(), { status: 'OCCUPIED', reservationId: id });
  }
});

void t.test('a room that was used, or that housekeeping has marked since, has to be cleaned', async (t) => {
  const used = checkedIn();
  used.scene.accept(undoCheckInCommand(used.id, { roomUsed: true }));
  t.equal(used.room().status, 'DIRTY');
  const marked = checkedIn();
  const { roomNumber } = marked.room();
  marked.scene.accept({ type: 'SET_ROOM_STATUS', roomNumber, status: 'DIRTY' });
  marked.scene.accept(undoCheckInCommand(marked.id));
  t.match(marked.room(), { status: 'DIRTY', reservationId: undefined });
});

void t.test('a guest who moved leaves the second room dirty: nobody knows what it was like', async (t) => {
  const { scene, id, room } = checkedIn();
  const other = room().roomNumber === '101' ? '102' : '101';
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: other });
  scene.accept(undoCheckInCommand(id));
  t.match(room(), { roomNumber: other, status: 'DIRTY', reservationId: undefined });
});

void t.test('only until the business date ends', async (t) => {
  const { scene, id, room } = checkedIn();
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.match(scene.refuse(undoCheckInCommand(id)), { code: 'INVALID_STATE', message: /The check-in was on 2026-06-01/ });
  t.equal(room().status, 'OCCUPIED');
});

void t.test(
  'a guest who came a day late may be sent back to the arrivals, and nothing is posted twice',
  async (t) => {
    const scene = Scene.property({ policies: { paymentRequired: false, horizonNights: 30 } });
    scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
    const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 } })).reservation;
    scene.pass(86_400_000);
    scene.accept({ type: 'TICK' });
    scene.accept(checkInCommand(id, { at: scene.now }));
    scene.accept(undoCheckInCommand(id));
    const { late = [] } = scene.state.reservations.get(id)!.posted ?? {};
    t.equal(
      late.reduce((all, { rooms }) => all + rooms, 0),
      0,
    );
    scene.accept(noShowCommand(id));
  },
);

void t.test('a charge of a guest in house is taken back first; extras stay', async (t) => {
  const { scene, id } = checkedIn();
  const bar = postCommand(id, { description: 'Bar' });
  scene.accept(bar);
  scene.accept(postCommand(id, { code: 'WATER' }));
  t.match(scene.refuse(undoCheckInCommand(id)), { code: 'INVALID_STATE', message: /"Bar" is charged/ });
  scene.accept(voidCommand(id, bar.postingId));
  const { charges } = scene.accept(undoCheckInCommand(id)).reservation;
  t.match(charges, { length: 3 });
});

void t.test('a dry run changes nothing, and another version is refused', async (t) => {
  const { scene, id, room } = checkedIn();
  const { version } = scene.state.reservations.get(id)!;
  t.match(scene.accept(undoCheckInCommand(id, { dryRun: true })), { reservation: { status: 'CONFIRMED' } });
  t.equal(room().status, 'OCCUPIED');
  t.equal(scene.refuse(undoCheckInCommand(id, { ifVersion: version - 1 })).code, 'STALE_VERSION');
  scene.accept(undoCheckInCommand(id, { ifVersion: version }));
});
