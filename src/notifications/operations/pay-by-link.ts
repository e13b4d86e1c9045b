import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { takePayment } from '../../money/operations/take-payment.ts';
import type { PayForm } from '../contracts/stay-mails.ts';
import { changed, type LinkedStay, once } from './stay-link.ts';

/**
 * Charges the card of a guest with what the page has shown, as the desk does (docs/reference/payment-links.md#pay).
 * Sent again, from another tab too, the same form takes nothing again; and a stay that has changed since is shown
 * first.
 * @throws DomainError those of `takePayment`; STALE_VERSION where the page has shown another state
 */
export async function payByLink(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  { cardToken, amount, state }: PayForm,
): Promise<void> {
  const { isRepeat, ...options } = await once(services, caller, linked, { state, content: [cardToken, amount] });
  if (!isRepeat && amount !== linked.due) throw changed();
  const paid = { method: 'CREDIT_CARD' as const, cardToken, amount };
  await takePayment(services, caller, linked.reservation.id, paid, options);
}
