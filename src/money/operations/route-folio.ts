import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { RoutingBody } from '../contracts/folio.ts';
import { mustBeInvoiceable } from './find-companies.ts';

/**
 * Sets which window of a folio pays for which kind of posting, and for which company
 * (`PUT /reservations/{id}/folio/routing`).
 * @throws DomainError RESERVATION_NOT_FOUND, INVALID_STATE, COMPANY_NOT_FOUND, VALIDATION_FAILED for a company that is
 * not active
 */
export async function routeFolio(
  services: Services,
  caller: Caller,
  id: ReservationId,
  { rules, companyId }: RoutingBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['ROUTE_FOLIO']>> {
  const { key, ifVersion, dryRun } = options;
  if (companyId !== undefined) await mustBeInvoiceable(services, caller.tenantId, companyId, '/companyId');
  const to = await addressOf(services, caller, id);
  const command = {
    type: 'ROUTE_FOLIO' as const,
    reservationId: id,
    rules,
    ...(companyId !== undefined && { companyId }),
    by: caller.subject,
    ifVersion,
    dryRun,
  };
  return send(services, caller, to, command, dryRun ? undefined : claim(key));
}
