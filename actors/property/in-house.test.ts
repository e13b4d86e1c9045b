import t from 'tap';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { assertMoney } from '../../src/money/rules/money-fault.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  modifyCommand,
  paid,
  plainRoom,
  startPaymentCommand,
} from '../../src/testing/property-world.ts';

const NIGHT = 11_400;

/** A guest in house for three nights, all of them paid by card; it is the second day. */
function inHouse() {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 3 } })).reservation;
  scene.accept(checkInCommand(id));
  const { attempt } = scene.accept(startPaymentCommand(id, { method: 'CREDIT_CARD' }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  const pass = (days: number) => {
    scene.pass(days * 86_400_000);
    scene.accept({ type: 'TICK' });
  };
  pass(1);
  const now = () => scene.state.reservations.get(id)!;
  t.teardown(() => assertMoney(now()));
  return { scene, id, now, pass };
}

void t.test('a guest in house stays longer at the price of the moment', async (t) => {
  const { scene, id, now } = inHouse();
  scene.accept(baseRates('STD', 20_000, DAY + 1));
  const { reservation, additional, changes } = scene.accept(modifyCommand(id, { nights: 5 }));
  t.equal(additional, 2 * 22_400);
  t.same(
    reservation.nights.map(({ rate }) => rate),
    [10_000, 10_000, 10_000, 20_000, 20_000],
  );
  t.match(changes, { checkOut: { to: '2026-06-06' }, nights: { from: 3, to: 5 } });
  t.same(
    [1, 2, 3, 4, 5].map((day) => scene.cell(DAY + day).booked),
    [1, 1, 1, 1, 0],
  );
  t.match(now(), { status: 'CHECKED_IN', paid: 3 * NIGHT });
});

void t.test('an arrival gets another room; one assigned by hand stays', async (t) => {
  const { scene, id } = inHouse();
  const coming = scene.accept(bookCommand({ stay: { checkIn: DAY + 3, checkOut: DAY + 5 } })).reservation.id;
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: coming, roomNumber: '101' });
  const error = scene.refuse(modifyCommand(id, { checkOut: DAY + 4 }));
  t.match(error, { code: 'ROOM_TAKEN', details: { date: '2026-06-04', extra: { reservationId: coming } } });
  const other = scene.accept(bookCommand({ stay: { checkIn: DAY + 3, checkOut: DAY + 5 } })).reservation.id;
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('102')], mode: 'create' });
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: coming, roomNumber: '102' });
  scene.accept({ type: 'ASSIGN_ROOMS', assignments: [{ reservationId: other, roomNumber: '101' }] });
  scene.accept(modifyCommand(id, { checkOut: DAY + 4 }));
  t.equal(scene.state.reservations.get(other)!.roomNumber, undefined);
  t.same(
    scene.state.roomPlan.inRoom('101').map(({ reservationId }) => reservationId),
    [id],
  );
});

void t.test('without a room for it he is refused, with the night', async (t) => {
  const { scene, id } = inHouse();
  for (let n = 0; n < 3; n++) scene.accept(bookCommand({ stay: { checkIn: DAY + 4, checkOut: DAY + 5 } }));
  const error = scene.refuse(modifyCommand(id, { checkOut: DAY + 5 }));
  t.match([error.code, error.details.date], ['ROOM_NOT_AVAILABLE', '2026-06-05']);
  scene.accept(modifyCommand(id, { checkOut: DAY + 4 }));
});

void t.test('he leaves earlier, not in the past: nights and money go back', async (t) => {
  const { scene, id, now } = inHouse();
  scene.accept(modifyCommand(id, { checkOut: DAY + 2 }));
  t.match(now(), { paid: 2 * NIGHT, stay: { checkOut: DAY + 2 } });
  t.same(
    [1, 2].map((day) => scene.cell(DAY + day).booked),
    [1, 0],
  );
  t.match(scene.refuse(modifyCommand(id, { checkOut: DAY })), { code: 'VALIDATION_FAILED' });
  const today = scene.accept(modifyCommand(id, { checkOut: DAY + 1 })).reservation;
  t.match(today, { paid: NIGHT, stay: { checkOut: DAY + 1 } });
  t.match(scene.cell(DAY + 1), { booked: 0 });
  const { reservation } = scene.accept(checkOutCommand(id));
  t.match(reservation, { status: 'CHECKED_OUT', paid: NIGHT });
  t.match(scene.cell(DAY + 1), { booked: 0 }, 'given back once');
});

void t.test('a guest who has stayed on past his departure pays for those nights as for his last', async (t) => {
  const { scene, id, pass, now } = inHouse();
  pass(4);
  const { additional } = scene.accept(modifyCommand(id, { checkOut: DAY + 6 }));
  t.equal(additional, 3 * NIGHT);
  t.equal(now().nights.length, 6);
  t.match(scene.cell(DAY + 5), { booked: 1 });
});

void t.test('nothing else of his stay changes; requests and contact data do', async (t) => {
  const { scene, id, now } = inHouse();
  for (const stay of [{ checkIn: DAY + 1 }, { roomType: 'DLX' }, { adults: 1 }, { children: 1 }])
    t.match(scene.refuse(modifyCommand(id, stay, { modifiedBy: 'desk', reason: 'asked' })), {
      code: 'INVALID_STATE',
    });
  const wish = { guest: { phone: '1' }, specialRequests: ['a cot'] };
  scene.accept(modifyCommand(id, { adults: 2, roomType: 'STD' }, wish));
  t.match(now(), { guest: { phone: '1' }, specialRequests: ['a cot'], stay: { checkOut: DAY + 3 } });
});

void t.test('while he is leaving nothing changes', async (t) => {
  const { scene, id, now } = inHouse();
  const billing = { method: 'CREDIT_CARD' as const, card: 'sealed' };
  scene.state.reservations.set(id, { ...now(), billing });
  const leaving = scene.accept(checkOutCommand(id, { charges: [{ description: 'Bar', amount: 40_000 }] }));
  const before = now();
  for (const command of [
    modifyCommand(id, { nights: 5 }),
    startPaymentCommand(id),
    checkOutCommand(id, { forced: true }),
  ])
    t.match(scene.refuse(command), new DomainError('INVALID_STATE', scene.refuse(command).message));
  t.same(now(), before);
  scene.accept(endPaymentCommand(id, paid(leaving.attempt!)));
  t.match(now(), { status: 'CHECKED_OUT' });
});
