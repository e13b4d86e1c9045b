import { v7 as uuidv7 } from 'uuid';

import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { companyToInvoice } from '../../money/operations/find-companies.ts';
import { sendRefundsSoon } from '../../money/operations/send-refunds.ts';
import type { CancelBody } from '../contracts/reservations.ts';
import type { WalkBody } from '../contracts/walk.ts';
import type { Reservation, Source } from '../rules/reservation.ts';
import { chargePenaltySoon } from './charge-due.ts';

/**
 * Cancels a reservation (docs/reference/reservations.md#cancel). The refund is ordered in the same commit and sent
 * after it. A dry run only computes penalty and refund.
 */
export async function cancelReservation(
  services: Services,
  caller: Caller,
  id: ReservationId,
  body: CancelBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean; message?: Source['message'] } = {},
): Promise<Reply<{ reservation: Reservation }>> {
  const to = await addressOf(services, caller, id);
  const { reason, description, refundRequested } = body;
  const found = await services.reservations.get(caller.tenantId, id);
  const invoiceTo = await companyToInvoice(services, caller.tenantId, found?.reservation.companyId);
  const reply = await send(
    services,
    caller,
    to,
    {
      type: 'CANCEL',
      reservationId: id,
      cancellationId: uuidv7(),
      refundId: uuidv7(),
      reason,
      description,
      cancelledBy: body.cancelledBy ?? caller.subject,
      refundRequested,
      invoiceTo,
      ifVersion: options.ifVersion,
      dryRun: options.dryRun,
      ...(options.message && { message: options.message }),
    },
    options.dryRun ? undefined : claim(options.key),
  );
  if (!reply.replayed && !options.dryRun) {
    sendRefundsSoon(services, to, reply.result.reservation);
    chargePenaltySoon(services, to, reply.result.reservation);
  }
  return reply;
}

/**
 * Sends a guest to another hotel (docs/reference/waitlist.md#walk). The refund is ordered in the same commit and sent
 * after it. A dry run only computes it.
 * @throws DomainError RESERVATION_NOT_FOUND, STALE_VERSION, INVALID_STATE
 */
export async function walkGuest(
  services: Services,
  caller: Caller,
  id: ReservationId,
  body: WalkBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean } = {},
): Promise<Reply<CommandResults['WALK']>> {
  const to = await addressOf(services, caller, id);
  const found = await services.reservations.get(caller.tenantId, id);
  const invoiceTo = await companyToInvoice(services, caller.tenantId, found?.reservation.companyId);
  const { ifVersion, dryRun } = options;
  const ids = { reservationId: id, cancellationId: uuidv7(), refundId: uuidv7() };
  const command = { type: 'WALK' as const, ...ids, ...body, by: caller.subject, invoiceTo, ifVersion, dryRun };
  const reply = await send(services, caller, to, command, dryRun ? undefined : claim(options.key));
  if (!reply.replayed && !dryRun) sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}
