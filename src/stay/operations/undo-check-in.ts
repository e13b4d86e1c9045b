import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { UndoCheckInBody } from '../contracts/reservations.ts';

/**
 * Takes a check-in back on its business date (docs/reference/desk.md#undo-a-check-in).
 * @throws DomainError RESERVATION_NOT_FOUND, INVALID_STATE
 */
export async function undoCheckIn(
  services: Services,
  caller: Caller,
  reservationId: ReservationId,
  { reason, roomUsed }: UndoCheckInBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['UNDO_CHECK_IN']>> {
  const to = await addressOf(services, caller, reservationId);
  const { key, ifVersion, dryRun } = options;
  const said = { reason, roomUsed, by: caller.subject };
  const command = { type: 'UNDO_CHECK_IN' as const, reservationId, ...said, ifVersion, dryRun };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
