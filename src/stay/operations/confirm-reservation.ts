import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';

/**
 * Confirms a paid reservation in a property that does not confirm by itself (docs/reference/reservations.md#states).
 * @throws DomainError INVALID_STATE, also while the deposit is not paid
 */
export async function confirmReservation(
  services: Services,
  caller: Caller,
  id: ReservationId,
  options: { key?: ClientKey; ifVersion?: number; reason?: string },
): Promise<Reply<CommandResults['CONFIRM_RESERVATION']>> {
  const to = await addressOf(services, caller, id);
  const { key, ifVersion, reason } = options;
  const command = { type: 'CONFIRM_RESERVATION' as const, reservationId: id, ifVersion, reason };
  return send(services, caller, to, command, claim(key));
}
