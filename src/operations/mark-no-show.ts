import { v7 as uuidv7 } from 'uuid';

import type { Address, Caller } from '../domain/caller.ts';
import type { CommandResults, NoShow, Reply } from '../domain/commands.ts';
import type { Day } from '../domain/dates.ts';
import { Refusal } from '../domain/refusal.ts';
import { ownRequestId } from './create-reservation.ts';
import { addressOf } from './reservation-address.ts';
import { sendRefundsSoon } from './send-refunds.ts';
import { claim, type ClientKey, send, sendAlways } from './send.ts';
import type { Services } from './services.ts';

/** Guests of one page who did not come. */
const PAGE = 100;

/** The guest has not come (contracts.md 7, `POST /reservations/{id}/no-show`). @throws Refusal TOO_EARLY, INVALID_STATE */
export async function markNoShow(
  services: Services,
  caller: Caller,
  id: string,
  options: { key?: ClientKey; ifVersion?: number },
): Promise<Reply<CommandResults['NO_SHOW']>> {
  const to = await addressOf(services, caller, id);
  const command = { ...noShowOf(id, caller.subject), ifVersion: options.ifVersion };
  const reply = await send(services, caller, to, command, claim(options.key));
  if (!reply.replayed) sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}

/** At the roll after the arrival night: everybody who was to come before `date` and is not there (contracts.md 7). */
export async function markNoShows(services: Services, to: Address, date: Day): Promise<void> {
  const { reservations, properties, log } = services;
  await properties.view(to);
  const by = { subject: 'system', requestId: ownRequestId() };
  const filter = { propertyId: to.propertyId, status: 'CONFIRMED' as const, arrivalTo: date - 1 };
  for (;;) {
    // Those that are done are CONFIRMED no more: the first page is always the next one.
    const { items } = await reservations.list(to.tenantId, filter, PAGE);
    for (const { id } of items)
      await sendAlways(services, by, to, noShowOf(id, 'system')).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== 'INVALID_STATE') throw error;
        log.debug({ reservationId: id }, 'came at the last moment');
      });
    if (items.length < PAGE) return;
  }
}

const noShowOf = (reservationId: string, by: string): NoShow => ({
  ...{ type: 'NO_SHOW', reservationId, cancellationId: uuidv7(), refundId: uuidv7(), by },
});
