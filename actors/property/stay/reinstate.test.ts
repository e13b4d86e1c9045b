import t from 'tap';

import { billOf } from '../../../src/money/rules/folio.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { type Policies } from '../../../src/properties/rules/property.ts';
import { STRICT } from '../../../src/testing/actors/guest-moves.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  group,
  modifyCommand,
  noShowCommand,
  paid,
  plainRoom,
  promotion,
  reinstateCommand,
  restrict,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const HOLD_MS = 900_000;
const NIGHT = 11_400;

/** A property with three STD rooms, and paid bookings in it. */
function opened(policies: Partial<Policies> = {}) {
  const scene = Scene.property({ policies });
  const back = (id: string, changed = {}) => scene.accept(reinstateCommand(id, changed)).reservation;
  return { scene, ...paidStays(scene), back };
}

const tonight = (nights: number) => ({ stay: { checkIn: DAY, checkOut: DAY + nights } });

void t.test(
  'a no-show that is paid as its guarantee asks is confirmed again, for the nights that are left',
  async (t) => {
    const { scene, buy, now, roll, back } = opened({ depositPercent: 30 });
    const id = buy(tonight(3));
    roll();
    scene.accept(noShowCommand(id));
    t.match(now(id), { status: 'NO_SHOW', paid: NIGHT });
    t.match(scene.cell(DAY + 1), { booked: 0 });
    const next = back(id);
    t.match(next, { status: 'CONFIRMED', paid: NIGHT, cancellation: undefined, nights: { length: 3 } });
    t.match(billOf(next), { total: 3 * NIGHT, balance: 2 * NIGHT }, 'what went back is owed again');
    for (const day of [DAY + 1, DAY + 2]) t.match(scene.cell(day), { booked: 1 });
    t.equal(scene.state.unfinished, 1);
    t.same(
      next.timeline.slice(-2).map(({ event, status, notes, by }) => [event, status, notes, by]),
      [
        ['REINSTATED', 'PENDING', 'He has come after all', 'boss'],
        ['CONFIRMED', 'CONFIRMED', undefined, 'boss'],
      ],
    );
    t.match(scene.last.draft.history, [{ from: 'NO_SHOW', to: 'CONFIRMED', reason: 'He has come after all' }]);
    const { facts } = scene.last.entries[0]!;
    t.match(facts.bookings, [['REINSTATED', null]]);
    const changes = new Map(facts.details![0]!.changes!.map(([name, from, to]) => [name, [from, to]]));
    t.same(changes.get('status'), ['NO_SHOW', 'CONFIRMED']);
    assertMoney(next);
  },
);

void t.test('one whose money went back holds its rooms until it is paid again', async (t) => {
  const { scene, buy, now, back } = opened();
  const id = buy();
  scene.accept(cancelCommand(id));
  t.match(now(id), { status: 'CANCELLED', paid: 0 });
  const refund = now(id).payments.at(-1)!;
  scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: paid(refund) });
  const { stay } = now(id);
  const next = back(id);
  t.match(next, { status: 'PENDING', paid: 0, holdExpiresAt: scene.now + HOLD_MS });
  t.match(next.payments.at(-1), { type: 'CHARGE', status: 'PENDING', amount: 2 * NIGHT });
  t.match(scene.cell(stay.checkIn), { held: 1, booked: 0 });
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now(id), { status: 'CONFIRMED', paid: 2 * NIGHT });
  t.match(scene.cell(stay.checkIn), { held: 0, booked: 1 });
});

void t.test('a refund that is only ordered goes out, and what it gives back is owed', async (t) => {
  const { scene, buy, now, back } = opened();
  const id = buy();
  scene.accept(cancelCommand(id));
  const ordered = now(id).payments.at(-1)!;
  t.match(ordered, { type: 'REFUND', status: 'PROCESSING' });
  t.match(billOf(back(id)), { total: 2 * NIGHT, balance: 2 * NIGHT });
  scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: paid(ordered) });
  t.match(billOf(now(id)), { balance: 2 * NIGHT });
  assertMoney(now(id));
});

void t.test('it may end again, expired a second time too', async (t) => {
  const { scene, now, back } = opened({ depositPercent: 100 });
  const { id } = scene.accept(bookCommand()).reservation;
  for (const amount of [500, 700]) {
    const { attempt } = scene.accept(startPaymentCommand(id, { amount, method: 'CREDIT_CARD' }));
    scene.accept(endPaymentCommand(id, paid(attempt)));
    scene.pass(HOLD_MS + 1_000);
    scene.accept({ type: 'EXPIRE' });
    t.match(now(id), { status: 'CANCELLED', cancellation: { refund: amount } });
    if (amount === 500) t.equal(back(id).status, 'PENDING');
  }
  const ids = now(id).payments.map(({ paymentId }) => paymentId);
  t.equal(new Set(ids).size, ids.length);
  t.equal(now(id).endsTakenBack?.length, 1);
  t.equal(scene.state.unfinished, 0);
});

void t.test('without a room nothing changes', async (t) => {
  const { scene, buy, now, back } = opened();
  const id = buy();
  scene.accept(cancelCommand(id));
  const others = [buy(), buy(), buy()];
  const before = structuredClone(now(id));
  t.match(scene.refuse(reinstateCommand(id)), { code: 'ROOM_NOT_AVAILABLE', details: { date: '2026-06-06' } });
  t.same(now(id), before);
  scene.accept(cancelCommand(others[0]!));
  t.equal(back(id).status, 'PENDING');
});

void t.test('restrictions, limits of the plan and prices of today do not count', async (t) => {
  const { scene, buy, back } = opened();
  const id = buy();
  const { nights } = scene.state.reservations.get(id)!;
  scene.accept(cancelCommand(id));
  scene.accept(restrict({ stopSell: true }));
  t.same(back(id).nights, nights);
});

void t.test('until the roll after next, and while a night is left', async (t) => {
  const { scene, buy, roll, back } = opened({ paymentRequired: false });
  const later = buy();
  const soon = buy();
  const tomorrow = buy({ stay: { checkIn: DAY, checkOut: DAY + 1 } });
  for (const id of [later, soon, tomorrow]) scene.accept(cancelCommand(id));
  roll();
  t.match(scene.refuse(reinstateCommand(tomorrow)), {
    code: 'INVALID_STATE',
    message: /nights of the stay are over/,
  });
  t.equal(back(soon).status, 'CONFIRMED');
  roll();
  t.match(scene.refuse(reinstateCommand(later)), { code: 'INVALID_STATE', message: /It ended on 2026-06-01/ });
});

void t.test('what was given for good will is given again', async (t) => {
  const { scene, buy, now, back } = opened();
  const id = buy();
  const gift = { amount: 3_000, goodwill: true, reason: 'noise', by: 'boss' };
  scene.accept({ type: 'GIVE_REFUND', reservationId: id, refundId: freshId(), ...gift });
  scene.accept(cancelCommand(id));
  t.match(now(id).cancellation, { originalTotal: 2 * NIGHT - 3_000 });
  t.equal(billOf(back(id)).total, 2 * NIGHT - 3_000);
});

void t.test('a unit of the promotion is taken again, or the price stays without one', async (t) => {
  const { scene, buy, now, back } = opened();
  scene.accept(promotion({ inventory: { totalRooms: 1 } }));
  const used = () => scene.state.promotions.get('TEN')!.used;
  const id = buy({ promoCode: 'TEN' });
  const { nights } = now(id);
  scene.accept(cancelCommand(id));
  t.equal(used(), 0);
  t.match(back(id), { promoCode: 'TEN', nights });
  t.equal(used(), 1);
  scene.accept(cancelCommand(id));
  const other = buy({ promoCode: 'TEN' });
  t.match(back(id), { promoCode: undefined, unclaimed: ['promoCode'], nights });
  t.equal(totals(now(id).nights).total, totals(nights).total, 'what was promised');
  scene.accept(cancelCommand(id));
  t.equal(used(), 1, 'that of the other is not given back');
  scene.accept(cancelCommand(other));
  t.equal(used(), 0);
});

void t.test('rooms come out of the blocks of its group again, else out of general sale', async (t) => {
  const { scene, buy, back } = opened();
  const { groupId } = scene.accept(group(1));
  const stay = { checkIn: DAY + 5, checkOut: DAY + 7 };
  const picked = () => Object.values(scene.state.groups.get(groupId)!.blocks).map(({ pickedUp }) => pickedUp);
  const id = buy({ stay, groupId });
  scene.accept(cancelCommand(id));
  t.same(picked(), [0, 0, 0]);
  t.match(back(id), { groupId, unclaimed: undefined });
  t.same(picked(), [1, 1, 0]);
  t.match(scene.cell(DAY + 5), { held: 1, available: 2 });
  scene.accept(cancelCommand(id));
  buy({ stay, groupId });
  t.match(back(id), { groupId: undefined, unclaimed: ['groupId'] });
  t.match(scene.cell(DAY + 5), { booked: 1, held: 1, available: 1 });
  scene.accept(cancelCommand(id));
  t.same(picked(), [1, 1, 0], 'that of the other is not given back');
  t.match(scene.cell(DAY + 5), { booked: 1, held: 0, available: 2 });
});

void t.test('its room is its own again where nobody else has it', async (t) => {
  const { scene, buy, back } = opened({ paymentRequired: false });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const id = buy();
  const other = buy();
  const give = (reservationId: string) => scene.accept({ type: 'ASSIGN_ROOM', reservationId, roomNumber: '101' });
  give(id);
  scene.accept(cancelCommand(id));
  t.match(back(id), { roomNumber: '101' });
  scene.accept(cancelCommand(id));
  give(other);
  t.match(back(id), { roomNumber: undefined, assignedAt: undefined });
});

void t.test('it is tried first, held to its version, and done in the batch that ended it', async (t) => {
  const { scene, now } = opened();
  const { id } = scene.accept(bookCommand()).reservation;
  scene.batch(envelope(cancelCommand(id)), envelope(reinstateCommand(id)));
  t.match(now(id), { status: 'PENDING' });
  t.equal(scene.sealed.at(-1)!.changes.created.includes(id), false, 'the row of its hold is there already');
  scene.accept(cancelCommand(id));
  const { version } = now(id);
  t.equal(scene.refuse(reinstateCommand(id, { ifVersion: version - 1 })).code, 'STALE_VERSION');
  const dry = scene.accept(reinstateCommand(id, { dryRun: true, ifVersion: version }));
  t.equal(dry.reservation.status, 'PENDING');
  t.match(now(id), { status: 'CANCELLED', version });
});

void t.test('nothing is taken back of a guest who was erased', async (t) => {
  const { scene, buy } = opened();
  const id = buy();
  scene.accept(cancelCommand(id));
  scene.accept({ type: 'ERASE_GUEST', reservationId: id });
  t.match(scene.refuse(reinstateCommand(id)), { code: 'INVALID_STATE', message: 'The guest was erased.' });
});

void t.test('what a cancel has kept stays, however the reinstated stay ends', async (t) => {
  const cases: [name: string, end: (scene: Scene, id: string) => void][] = [
    ['cancel', (scene, id) => scene.accept(cancelCommand(id))],
    [
      'expiry of its hold',
      (scene) => {
        scene.pass(HOLD_MS + 1_000);
        scene.accept({ type: 'EXPIRE' });
      },
    ],
    [
      'payment, move, and cancel',
      (scene, id) => {
        const { attempt } = scene.accept(startPaymentCommand(id));
        scene.accept(endPaymentCommand(id, paid(attempt)));
        const byDesk = { modifiedBy: 'desk', reason: 'asked' };
        scene.accept(modifyCommand(id, { checkIn: DAY + 20, checkOut: DAY + 22 }, byDesk));
        scene.accept(cancelCommand(id));
      },
    ],
  ];
  for (const [name, end] of cases) {
    const { scene, buy, now, back } = opened();
    const id = buy(tonight(2));
    scene.accept(cancelCommand(id));
    t.match(now(id), { paid: NIGHT, cancellation: { penalty: NIGHT } });
    const next = back(id);
    t.match(next, { status: 'PENDING', paid: NIGHT, retained: NIGHT });
    t.match(billOf(next), { total: 2 * NIGHT, balance: NIGHT }, 'a minimum, not an addition');
    end(scene, id);
    t.match(now(id), { status: 'CANCELLED', paid: NIGHT, cancellation: { penalty: NIGHT } }, name);
    assertMoney(now(id));
  }
});

void t.test('a waived part of a penalty stays waived, and the rest stays due', async (t) => {
  const { scene, buy, now, back } = opened();
  const id = buy(tonight(2));
  scene.accept(cancelCommand(id));
  const waiver = { type: 'WAIVE_PENALTY' as const, reservationId: id, reason: 'ill', by: 'boss' };
  scene.accept({ ...waiver, refundId: freshId(), amount: 5_000 });
  t.match(back(id), { retained: NIGHT - 5_000 });
  scene.accept(cancelCommand(id));
  t.match(now(id), { paid: NIGHT - 5_000, cancellation: { penalty: NIGHT - 5_000 } });
  scene.accept({ ...waiver, refundId: freshId() });
  t.match(back(id), { retained: undefined, paid: 0 });
});

void t.test('what a no-show has kept is the minimum, where a cancel would keep less', async (t) => {
  const { scene, buy, now, roll, back } = opened({ depositPercent: 100 });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: STRICT, mode: 'create' });
  const id = buy({ stay: { checkIn: DAY, checkOut: DAY + 3, rateCode: 'STRICT' } });
  roll();
  scene.accept(noShowCommand(id));
  const { penalty } = now(id).cancellation!;
  t.match(back(id), { status: 'CONFIRMED', paid: penalty, retained: penalty });
  t.match(scene.accept(cancelCommand(id, { dryRun: true })).reservation.cancellation, { penalty, refund: 0 });
});
