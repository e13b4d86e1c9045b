import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import { ownRequestId } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { endAttempt } from '../../money/operations/charge-attempt.ts';
import { chargeSaid, type Payment } from '../../money/rules/payment.ts';
import { chargeDueOf } from './charge-due.ts';

/** An attempt older than this was interrupted, or its caller has gone. */
const CUT_OFF_AFTER_MS = 15_000;

/** An attempt that the provider does not know after this time never reached it. */
const LOST_AFTER_MS = 120_000;
const MAX_A_TENANT = 100;

/** Attempts of a reservation that may get lost within a day before the next one is left to the job of the next day. */
const MAX_LOST = 5;
const LOST_WITHIN_MS = 86_400_000;

/**
 * Queries the gateway for payment attempts without a result (docs/concepts/money.md#payments). After a crash at any
 * point an attempt is recorded either as charged once or as not charged.
 */
export async function reconcileAttempts(
  services: Services,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const { openPayments, clock } = services;
  const before = clock.now() - CUT_OFF_AFTER_MS;
  for (const tenantId of await openPayments.tenants())
    await each.one(tenantId, async () => {
      for (const { to, reservationId } of await openPayments.attempts(tenantId, before, MAX_A_TENANT + each.resting))
        await each.one(`${tenantId}/${to.propertyId} reservation ${reservationId}`, () =>
          reconcile(services, to, reservationId),
        );
    });
}

async function reconcile(services: Services, to: Address, reservationId: ReservationId): Promise<void> {
  const found = await services.reservations.get(to.tenantId, reservationId);
  const { payments = [] } = found?.reservation ?? {};
  const by = { subject: 'system', requestId: ownRequestId() };
  for (const attempt of payments) {
    if (attempt.type !== 'CHARGE' || attempt.status !== 'PROCESSING') continue;
    const ended = await endOf(services, to, attempt);
    if (!ended) continue;
    await endAttempt(services, by, to, reservationId, ended);
    if (ended.status !== 'COMPLETED' && mayGoOn(services, ended, payments))
      await chargeDueOf(services, to, reservationId);
  }
}

/** Whether what was to be collected without the guest is tried again, or ends the stay, at once. */
function mayGoOn({ clock }: Services, { method, status }: Payment, payments: readonly Payment[]): boolean {
  if (method !== 'CARD_ON_FILE' || status === 'FAILED') return method === 'CARD_ON_FILE';
  const since = clock.now() - LOST_WITHIN_MS;
  return payments.filter((one) => one.status === 'CANCELLED' && one.createdAt > since).length < MAX_LOST;
}

async function endOf(services: Services, to: Address, attempt: Payment): Promise<Payment | undefined> {
  const { clock } = services;
  const payments = paymentGatewayOf(services, to);
  const charge = await payments.find(attempt.paymentId);
  if (charge) return chargeSaid(attempt, payments.name, charge);
  if (clock.now() - attempt.createdAt <= LOST_AFTER_MS) return undefined;
  // It is our fault and no try of the guest: it counts for nothing.
  return { ...attempt, status: attempt.method === 'CARD_ON_FILE' ? 'CANCELLED' : 'FAILED' };
}
