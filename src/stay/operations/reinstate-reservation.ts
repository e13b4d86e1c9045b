import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { readExtraStock } from '../../money/operations/extra-stock.ts';
import type { ReinstateBody } from '../contracts/reservations.ts';

/**
 * Takes back a cancel or a no-show (docs/reference/reservations.md#reinstate).
 * @throws DomainError RESERVATION_NOT_FOUND, INVALID_STATE, ROOM_NOT_AVAILABLE, EXTRA_NOT_AVAILABLE
 */
export async function reinstateReservation(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { reason }: ReinstateBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['REINSTATE']>> {
  const to = await addressOf(services, caller, id);
  const { key, ifVersion, dryRun } = options;
  const ids = { reservationId: id, pendingPaymentId: uuidv7() };
  const extraStock = await readExtraStock(services, to);
  const said = { reason, by: caller.subject, extraStock };
  const command = { type: 'REINSTATE' as const, ...ids, ...said, ifVersion, dryRun };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
