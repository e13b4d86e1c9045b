import t from 'tap';

import { billOf } from '../../../src/money/rules/folio.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { folioOf } from '../../../src/money/rules/postings.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  DAY,
  endPaymentCommand,
  freshId,
  paid,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

/** A stay of 228.00 EUR that is not paid. */
function stay() {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const { id } = scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 7 } })).reservation;
  const now = () => scene.state.reservations.get(id)!;
  const start = (changed: Partial<Payment>) => startPaymentCommand(id, { method: 'CASH', ...changed });
  return { scene, id, now, start };
}

const tendered = (amount: number) => ({ amount, currency: 'USD', rate: 0.92, rateDate: DAY });

void t.test('what was handed over stands beside what it came to', async (t) => {
  const { scene, id, now, start } = stay();
  const { attempt } = scene.accept(start({ amount: 9_200, tendered: tendered(10_000) }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match(now().payments.at(-1), { amount: 9_200, status: 'COMPLETED', tendered: tendered(10_000) });
  t.notOk(now().payments.at(-1)!.tendered!.change);
  t.match([now().paid, billOf(now()).balance], [9_200, 13_600]);
  const [window] = folioOf(now(), DAY, () => DAY);
  t.match(window!.postings, [{ kind: 'PAYMENT', amount: 9_200, tendered: tendered(10_000) }]);
  t.equal(moneyFault(now()), undefined);
});

void t.test('of more cash than is due the rest is change; of a transfer there is none', async (t) => {
  const { scene, id, now, start } = stay();
  const more = { amount: 27_600, tendered: tendered(30_000) };
  t.match(scene.refuse(start({ ...more, method: 'BANK_TRANSFER' })), {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ pointer: '/amount', code: 'MORE_THAN_DUE' }] },
  });
  const { attempt } = scene.accept(start(more));
  t.match(attempt, { amount: 22_800, tendered: { ...tendered(30_000), change: 4_800 } });
  scene.accept(endPaymentCommand(id, paid(attempt)));
  t.match([now().paid, billOf(now()).balance], [22_800, 0]);
  t.match(scene.refuse(start(more)), { code: 'INVALID_STATE' });
});

void t.test('what comes to nothing, or has no rate, is no payment', async (t) => {
  const { scene, now, start } = stay();
  t.match(scene.refuse(start({ amount: 0, tendered: tendered(0) })), { code: 'VALIDATION_FAILED' });
  const noRate = 'The property has no exchange rate for USD';
  t.match(scene.refuse({ ...start({ amount: 0 }), noRate }), { code: 'CURRENCY_MISMATCH', message: noRate });
  t.equal(now().payments.filter(({ type, status }) => type === 'CHARGE' && status === 'PROCESSING').length, 0);
});

void t.test('it is refunded in the currency of the property, by hand', async (t) => {
  const { scene, id, now, start } = stay();
  const { attempt } = scene.accept(start({ amount: 9_200, tendered: tendered(10_000) }));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  const refund = { type: 'GIVE_REFUND' as const, reservationId: id, refundId: freshId(), amount: 9_200 };
  scene.accept({ ...refund, reason: 'noise', by: 'boss' });
  const row = now().payments.at(-1)!;
  t.match(row, { type: 'REFUND', amount: 9_200, status: 'PENDING', method: 'CASH' });
  t.notOk(row.tendered);
});
