import t from 'tap';

import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import { conflictsIn } from '../../../src/rooms/rules/room-conflicts.ts';
import { RoomPlan } from '../../../src/rooms/rules/room-plan.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  modifyCommand,
  placeHoldCommand,
  plainRoom,
  plan,
} from '../../../src/testing/property-world.ts';
import { hasOverdue } from './overdue-rooms.ts';

const HOUR = 3_600_000;
/** Three STD rooms, of which three are ready; the property is two hours ahead of UTC, and it is 12:00 there. */
type Wish = { nights?: number; children?: number; policies?: Partial<Policies> };
function stay({ nights = 1, children = 0, policies = {} }: Wish = {}) {
  const scene = Scene.property({ policies: { paymentRequired: false, ...policies } });
  scene.accept({ type: 'PUT_ROOMS', rooms: ['101', '102', '103'].map((one) => plainRoom(one)), mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + nights, children } })).reservation;
  scene.accept(checkInCommand(id));
  const now = (): Reservation => scene.state.reservations.get(id)!;
  /** The clock of the property, and the command that its timers send. */
  const until = (day: number, hour: number) => {
    scene.now = day * 24 * HOUR + (hour - 2) * HOUR;
    scene.accept({ type: 'TICK' });
  };
  const overstay = () => scene.accept({ type: 'OVERSTAY', reservationId: id });
  return { scene, id, now, until, overstay };
}

const gross = ({ nights }: Reservation): [number, number][] => nights.map(({ day, rate }) => [day - DAY, rate]);

void t.test('from the check-out time on the room of a guest who has not left is off sale tonight', async (t) => {
  const { scene, id, until } = stay();
  until(DAY + 1, 10);
  t.match(scene.cell(DAY + 1), { held: 0, booked: 0 });
  t.ok(hasOverdue(scene.state));
  until(DAY + 1, 11);
  t.match(scene.cell(DAY + 1), { held: 1, booked: 0 });
  t.match(scene.cell(DAY + 2), { held: 0 });
  t.notOk(hasOverdue(scene.state));
  until(DAY + 1, 12);
  t.match(scene.cell(DAY + 1), { held: 1 }, 'once');
  const [[holdId]] = [...scene.state.holds] as [[string, unknown]];
  t.match(scene.refuse({ type: 'RELEASE_HOLD', holdId }), { code: 'HOLD_NOT_FOUND' }, 'it is no client’s');
  scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  t.match(scene.cell(DAY + 1), { held: 0, booked: 0 });
  t.equal([...scene.state.holds].length, 0);
});

void t.test(
  'a full night falls short by an overdue guest, and nothing is sold before it is free again',
  async (t) => {
    const { scene, id, until } = stay();
    const others = [1, 2, 3].map(
      () => scene.accept(bookCommand({ stay: { checkIn: DAY + 1, checkOut: DAY + 2 } })).reservation.id,
    );
    until(DAY + 1, 11);
    const wish = bookCommand({ stay: { checkIn: DAY + 1, checkOut: DAY + 2 } });
    t.match(scene.cell(DAY + 1), { booked: 3, held: 1 });
    scene.accept({
      type: 'CANCEL',
      reservationId: others[0]!,
      cancellationId: 'c',
      refundId: 'r',
      reason: 'GUEST_REQUEST',
      cancelledBy: 'guest',
      refundRequested: true,
    });
    t.match(scene.refuse(wish), { code: 'ROOM_NOT_AVAILABLE' }, 'the free room is the one that is short');
    scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
    scene.accept(wish);
  },
);

void t.test('an overdue guest who moves takes the shortfall to the other type', async (t) => {
  const { scene, id, until } = stay();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('201', { roomType: 'DLX' })], mode: 'create' });
  until(DAY + 1, 11);
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '201' });
  t.match([scene.cell(DAY + 1).held, scene.cell(DAY + 1, 'DLX').held], [0, 1]);
  scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  t.match([scene.cell(DAY + 1).held, scene.cell(DAY + 1, 'DLX').held], [0, 0]);
});

void t.test('a room that somebody has not left is not held unpaid: others may still hold as many', async (t) => {
  const { scene, until } = stay({ policies: { maxHeldPercent: 10 } });
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY + 1, end: DAY + 1, totalRooms: 20 });
  until(DAY + 1, 11);
  t.match(scene.cell(DAY + 1), { held: 1 });
  scene.accept(placeHoldCommand(3, { checkIn: DAY + 1, checkOut: DAY + 2 }));
  t.match(scene.cell(DAY + 1), { held: 4 });
});

void t.test('who is there at the roll has stayed the night, at its best available rate', async (t) => {
  const here = stay();
  const { scene, id, now, until, overstay } = here;
  scene.accept(baseRates('STD', 13_000, DAY + 1, DAY + 1));
  t.match(scene.refuse({ type: 'OVERSTAY', reservationId: id }), { code: 'TOO_EARLY' });
  until(DAY + 1, 11);
  t.match(scene.refuse({ type: 'OVERSTAY', reservationId: id }), { code: 'TOO_EARLY' });
  until(DAY + 2, 3);
  const { version, timeline } = now();
  overstay();
  t.same(gross(now()), [
    [0, 10_000],
    [1, 13_000],
  ]);
  t.match(now(), { stay: { checkOut: DAY + 2 }, version: version + 1, status: 'CHECKED_IN' });
  t.match(now().timeline.slice(timeline.length), [{ event: 'OVERSTAY', notes: 'In house on 2026-06-03' }]);
  t.match(scene.last.entries[0]!.facts, {
    bookings: [['MODIFIED']],
    details: [{ changes: [['checkOut', '2026-06-02', '2026-06-03'], ['nights', 1, 2], ['totalAmount']] }],
  });
  t.equal(moneyFault(now()), undefined);
  t.match(scene.refuse({ type: 'OVERSTAY', reservationId: id }), { code: 'TOO_EARLY' }, 'once a night');
  t.match(scene.cell(DAY + 2), { held: 1 }, 'the room stays off sale until he leaves');
  scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  t.match(now(), { status: 'CHECKED_OUT', stay: { checkOut: DAY + 2 } });
  t.match(scene.cell(DAY + 2), { held: 0 });
  t.equal([...scene.state.holds].length, 0, 'nothing is left of it');
});

void t.test(
  'a property that slept through the check-out time knows the price of the night all the same',
  async (t) => {
    const { scene, now, until, overstay } = stay();
    scene.accept(baseRates('STD', 13_000, DAY + 1, DAY + 1));
    scene.accept(baseRates('STD', 9_000, DAY + 2, DAY + 2));
    until(DAY + 3, 4);
    overstay();
    t.same(gross(now()), [
      [0, 10_000],
      [1, 13_000],
      [2, 9_000],
    ]);
  },
);

void t.test('a price by persons is that of those who stay', async (t) => {
  const { scene, now, until, overstay } = stay({ children: 1 });
  const before = [...scene.state.plans.values()].find(({ code }) => code === 'BAR')!;
  const occupancyRules = { singleRate: 8_000, doubleRate: 10_000, extraPersonRate: 3_000 };
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ ...before, occupancyRules }), mode: 'replace' });
  until(DAY + 2, 3);
  overstay();
  t.match(now().stay, { adults: 2, children: 1 });
  t.same(gross(now()), [
    [0, 10_000],
    [1, 13_000],
  ]);
});

void t.test('who leaves after the roll pays the night though the round has not come to him', async (t) => {
  const { scene, id, now, until } = stay();
  until(DAY + 2, 3);
  const early = scene.accept({ ...checkOutCommand(id, { forced: true, at: scene.now }), dryRun: true });
  t.match(early.bill, { total: 2 * 11_400 });
  t.match(now(), { stay: { checkOut: DAY + 1 } }, 'a dry run changes nothing');
  const { bill } = scene.accept(checkOutCommand(id, { forced: true, at: scene.now }));
  t.match(bill, { total: 2 * 11_400 });
  t.match(now().timeline.slice(-2), [{ event: 'OVERSTAY' }, { event: 'CHECKED_OUT' }]);
});

void t.test('who leaves before the roll pays nothing more, however late it is', async (t) => {
  const { scene, id, until } = stay();
  until(DAY + 1, 23);
  t.match(scene.accept(checkOutCommand(id, { forced: true, at: scene.now })).bill, { total: 11_400 });
});

void t.test('who stays on has the room by his booking', async (t) => {
  const { scene, id, now, until } = stay();
  until(DAY + 1, 11);
  scene.accept(modifyCommand(id, { checkOut: DAY + 3 }));
  t.match(scene.cell(DAY + 1), { held: 0, booked: 1 });
  t.equal([...scene.state.holds].length, 0);
  until(DAY + 2, 3);
  t.match(scene.refuse({ type: 'OVERSTAY', reservationId: id }), { code: 'TOO_EARLY' });
  t.equal(now().nights.length, 3);
});

void t.test('a night that was given back and stayed all the same is paid once', async (t) => {
  const { scene, id, now, until, overstay } = stay({ nights: 2, policies: { earlyDepartureNights: 1 } });
  scene.accept(modifyCommand(id, { checkOut: DAY + 1 }));
  t.match(now().charges, [{ code: 'EARLY_DEPARTURE' }]);
  until(DAY + 2, 3);
  overstay();
  t.match(now(), { charges: [], nights: { length: 2 } });
});

void t.test('the desk sees who should have left, also when the night is posted, with those who wait', async (t) => {
  const { scene, id, until, overstay } = stay();
  until(DAY + 2, 3);
  overstay();
  const { rooms, roomPlan } = scene.state;
  const all = RoomPlan.of(rooms.values(), roomPlan.stays);
  t.match(conflictsIn(all, DAY + 2), [{ reason: 'OVERSTAY', roomNumber: '101', reservationIds: [id] }]);
});

void t.test('a stay has 90 nights at most', async (t) => {
  const { scene, id, until } = stay();
  until(DAY + 91, 3);
  t.match(scene.refuse({ type: 'OVERSTAY', reservationId: id }), { code: 'INVALID_STATE', message: /90 nights/ });
});
