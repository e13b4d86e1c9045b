import t from 'tap';

import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  charge,
  endPaymentCommand,
  paid,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const TOTAL = 2 * 11_400;

/** A reservation for two nights that waits for its money. */
function waiting(depositPercent = 100) {
  const scene = Scene.property({ policies: { depositPercent } });
  const { id } = scene.accept(bookCommand()).reservation;
  const now = () => scene.state.reservations.get(id)!;
  const pay = (amount: number) => {
    const { attempt } = scene.accept(startPaymentCommand(id, { amount }));
    return scene.accept(endPaymentCommand(id, paid(attempt))).reservation;
  };
  t.teardown(() => assertMoney(now()));
  return { scene, id, now, pay };
}

void t.test('part of the deposit keeps the rooms waiting, all of it confirms them', async (t) => {
  const { scene, id, now, pay } = waiting();
  t.match(pay(5_000), { status: 'PENDING', paid: 5_000 });
  t.match(scene.cell(now().stay.checkIn), { held: 1, booked: 0 });
  const done = pay(0);
  t.match(done, { status: 'CONFIRMED', paid: TOTAL, holdExpiresAt: undefined });
  t.same(
    done.timeline.map(({ event }) => event),
    ['CREATED', 'PAYMENT_RECEIVED', 'PAYMENT_RECEIVED', 'CONFIRMED'],
  );
  t.notOk(
    done.payments.some(({ status }) => status === 'PENDING'),
    'nothing is waited for',
  );
  t.match(scene.cell(done.stay.checkIn), { held: 0, booked: 1 });
  t.equal(scene.state.holds.size, 0);
  t.equal(
    codeOf(() => scene.accept(startPaymentCommand(id))),
    'INVALID_STATE',
  );
});

void t.test('a deposit of a part confirms with that part, and the rest stays due', async (t) => {
  const { pay } = waiting(30);
  t.match(pay(Math.ceil(TOTAL * 0.3) - 1), { status: 'PENDING' });
  t.match(pay(1), { status: 'CONFIRMED', paid: Math.ceil(TOTAL * 0.3) });
});

void t.test('where no deposit is required, nothing waits for money', async (t) => {
  const { now } = waiting(0);
  t.match(now(), { status: 'CONFIRMED', paid: 0, payments: [], holdExpiresAt: undefined });
});

void t.test('a card that has paid is the one on file from then on', async (t) => {
  const { scene, id, now } = waiting(30);
  const declined = scene.accept(startPaymentCommand(id, { amount: 100 })).attempt;
  scene.accept({ ...endPaymentCommand(id, { ...declined, status: 'FAILED' }), card: 'sealed-1' });
  t.equal(now().billing?.card, undefined);
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept({ ...endPaymentCommand(id, paid(attempt)), card: 'sealed-2' });
  t.equal(now().billing?.card, 'sealed-2');
});

void t.test('a declined payment is published, and changes nothing else', async (t) => {
  const { scene, id } = waiting();
  const { attempt } = scene.accept(startPaymentCommand(id));
  const { reservation } = scene.accept(endPaymentCommand(id, { ...attempt, status: 'FAILED' }));
  t.match(reservation, { status: 'PENDING', paid: 0 });
  t.match(reservation.timeline.at(-1), { event: 'PAYMENT_FAILED', status: 'PENDING' });
});

void t.test('money for what is over goes back, once', async (t) => {
  const { scene, id } = waiting();
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(cancelCommand(id));
  for (let repeat = 0; repeat < 2; repeat++) {
    const { reservation } = scene.accept(endPaymentCommand(id, paid(attempt)));
    t.match(reservation, { status: 'CANCELLED', paid: 0 });
    t.equal(reservation.payments.filter(({ type }) => type === 'REFUND').length, 1);
  }
  t.equal(
    codeOf(() => scene.accept(endPaymentCommand(id, charge()))),
    'HOLD_NOT_FOUND',
    'of another reservation',
  );
});
