import { v7 as uuidv7 } from 'uuid';

import { ItemRunner, reservationItem } from '../../kernel/operations/item-runner.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { Payment } from '../rules/payment.ts';
import { chargeAttempt } from './charge-attempt.ts';

/** Reservations of one page. */
const PAGE = 100;

/**
 * Charges the cards on file of a property for what is due: instalments, and penalties of stays that are over. A second
 * run on the same day changes nothing (docs/concepts/money.md#charged-later). A failing reservation delays no other.
 * @returns whether none failed
 */
export async function chargeDues(
  services: Services,
  to: Address,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<boolean> {
  let isDone = true;
  for (let after: string | undefined; ;) {
    const page = await services.openPayments.due(to, services.clock.now(), PAGE, after);
    for (const reservationId of page) {
      const item = reservationItem('CHARGE_DUES', to, reservationId);
      isDone = (await each.one(item, () => chargeDueOf(services, to, reservationId))) && isDone;
    }
    after = page.at(-1);
    if (page.length < PAGE) return isDone;
  }
}

async function chargeDueOf(services: Services, to: Address, reservationId: ReservationId): Promise<void> {
  const by = { subject: 'system', requestId: ownRequestId() };
  const tryCharge = async () => {
    const ids = { paymentId: uuidv7(), cancellationId: uuidv7(), refundId: uuidv7() };
    const { result } = await sendAlways(services, by, to, { type: 'CHARGE_DUE', reservationId, ...ids });
    if (result.attempt) await charge(services, to, result.reservation, result.attempt);
    return result.attempt;
  };
  // After the last failed attempt the second call cancels the stay at once.
  if (await tryCharge()) await tryCharge();
}

/** Charges the penalty of a stay that has just ended; `chargeDues` repeats it after a failure. */
export async function chargePenalty(services: Services, to: Address, reservation: Reservation): Promise<void> {
  const paymentId = reservation.cancellation?.owed?.paymentId;
  const attempt = reservation.payments.find((one) => one.paymentId === paymentId && one.status === 'PROCESSING');
  if (attempt) await charge(services, to, reservation, attempt);
}

/** Runs {@link chargePenalty} in the background, after the answer. */
export function chargePenaltySoon(services: Services, to: Address, reservation: Reservation): void {
  void chargePenalty(services, to, reservation).catch((error: unknown) =>
    services.log.warn({ reservationId: reservation.id, error: String(error) }, 'a penalty will be charged again'),
  );
}

/** Declines and missing answers are on record; the reconciler ends attempts without a result. */
async function charge(services: Services, to: Address, reservation: Reservation, attempt: Payment): Promise<void> {
  const by = { subject: 'system', requestId: ownRequestId() };
  const cardToken = services.sealed.open(reservation.billing!.card!, reservation.id);
  await chargeAttempt(services, by, to, { reservation, attempt, cardToken }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    services.log.info({ reservationId: reservation.id, code: error.code }, 'a card on file was not charged');
  });
}
