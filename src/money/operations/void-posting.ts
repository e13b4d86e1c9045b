import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { VoidBody } from '../contracts/folio.ts';

/**
 * Takes a posting back (`POST /reservations/{id}/folio/postings/{postingId}/void`).
 * @throws DomainError RESERVATION_NOT_FOUND, POSTING_NOT_FOUND, INVALID_STATE
 */
export async function voidPosting(
  services: Services,
  caller: Caller,
  { id, postingId }: { id: string; postingId: string },
  { reason }: VoidBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['VOID_POSTING']>> {
  const { key, ifVersion, dryRun } = options;
  const to = await addressOf(services, caller, id);
  const command = {
    type: 'VOID_POSTING' as const,
    reservationId: id,
    postingId,
    reversalId: uuidv7(),
    reason,
    by: caller.subject,
    ifVersion,
    dryRun,
  };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
