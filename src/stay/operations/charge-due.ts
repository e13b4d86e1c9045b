import { v7 as uuidv7 } from 'uuid';

import { ItemRunner, reservationItem } from '../../kernel/operations/item-runner.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { CommandResults } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { businessDate } from '../../kernel/rules/property-time.ts';
import { chargeAttempt } from '../../money/operations/charge-attempt.ts';
import { sendRefundsSoon } from '../../money/operations/send-refunds.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { clockOf, type Property } from '../../properties/rules/property.ts';
import { amountDue, type AmountDue } from '../rules/collecting.ts';
import type { Reservation } from '../rules/reservation.ts';

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

/**
 * Charges what is due of one reservation. A card that fails for the last time, or is not there, cancels the stay in the
 * same run.
 * @returns the reservation afterwards; `undefined` where it is not there
 * @throws Error where our key does not open the card on file: nothing is charged, and nothing counts as failed
 */
export async function chargeDueOf(
  services: Services,
  to: Address,
  reservationId: ReservationId,
): Promise<Reservation | undefined> {
  const found = await services.reservations.get(to.tenantId, reservationId);
  if (!found) return undefined;
  if (!dueNow(services, found)) return found.reservation;
  if (found.reservation.billing?.card !== undefined) cardOf(services, found.reservation);
  const { reservation } = await tryDue(services, to, reservationId);
  // With its last failure a stay is cancelled at once.
  return reservation.version === found.reservation.version
    ? reservation
    : (await tryDue(services, to, reservationId)).reservation;
}

/** What of a reservation is due as far as its row says; the property decides. */
export function dueNow(
  { clock }: Pick<Services, 'clock'>,
  { reservation, property }: { reservation: Reservation; property: Property },
): AmountDue | undefined {
  const now = clock.now();
  return amountDue(reservation, property.metadata, { today: businessDate(now, clockOf(property)), now });
}

async function tryDue(
  services: Services,
  to: Address,
  reservationId: ReservationId,
): Promise<CommandResults['CHARGE_DUE']> {
  const by = { subject: 'system', requestId: ownRequestId() };
  const ids = { paymentId: uuidv7(), cancellationId: uuidv7(), refundId: uuidv7() };
  const { result } = await sendAlways(services, by, to, { type: 'CHARGE_DUE', reservationId, ...ids });
  const { reservation, attempt } = result;
  if (attempt) await charge(services, to, reservation, attempt);
  else if (reservation.status === 'CANCELLED') {
    await chargePenalty(services, to, reservation);
    sendRefundsSoon(services, to, reservation);
  }
  return result;
}

/** The card on file, opened before anything is on record. @throws Error counted, where our key does not open it */
function cardOf({ sealed, metricEvents }: Services, { id, billing }: Reservation): string {
  try {
    return sealed.open(billing!.card!, id);
  } catch (error) {
    metricEvents.emit('cardUnreadable');
    throw new Error(`the card on file of reservation ${id} cannot be opened`, { cause: error });
  }
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
  const cardToken = cardOf(services, reservation);
  await chargeAttempt(services, by, to, { reservation, attempt, cardToken }).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    services.log.info({ reservationId: reservation.id, code: error.code }, 'a card on file was not charged');
  });
}
