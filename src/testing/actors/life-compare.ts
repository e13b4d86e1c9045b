import type { Reservation } from '../../stay/rules/reservation.ts';
import type { LifeModel } from './life-model.ts';

/** Each charge has taken, and given back, what the model's book says; cards by the provider, the rest by hand. */
export function compareMoney({ payments }: Reservation, model: LifeModel): void {
  const refunds = payments.filter(({ type }) => type === 'REFUND');
  for (const { id, amount, card, state, back } of model.book) {
    const charge = payments.find(({ paymentId }) => paymentId === id)!;
    const given = refunds.filter(({ chargeId }) => chargeId === id);
    same(`amount of a charge that is ${state}`, charge.amount, amount);
    same('captured', charge.status === 'COMPLETED', state === 'captured');
    same(
      'given back',
      given.reduce((sum, one) => sum + one.amount, 0),
      back,
    );
    same(
      'by hand',
      given.every(({ paymentId, status, chargeback }) => {
        if (chargeback) return status === 'COMPLETED';
        const isOpen = (!card || model.byHand.has(paymentId)) && !model.paidOut.has(paymentId);
        return (status === 'PENDING') === isOpen;
      }),
      true,
    );
  }
  same('rows', payments.length - refunds.length, model.book.length);
  same('ids', new Set(payments.map(({ paymentId }) => paymentId)).size, payments.length);
}

/** @throws Error where actor and model say different things */
export function same(what: string, found: unknown, expected: unknown): void {
  const one = JSON.stringify(found);
  const other = JSON.stringify(expected);
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}
