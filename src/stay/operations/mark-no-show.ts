import { v7 as uuidv7 } from 'uuid';

import { ItemRunner, reservationItem } from '../../kernel/operations/item-runner.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, ownRequestId, send, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { companyToInvoice } from '../../money/operations/find-companies.ts';
import { sendRefundsSoon } from '../../money/operations/send-refunds.ts';
import { clockOf, type Property } from '../../properties/rules/property.ts';
import { isMarkedByClock } from '../rules/arrival.ts';
import type { Reservation, ReservationStatus } from '../rules/reservation.ts';
import { chargeDueOf, chargePenalty, chargePenaltySoon, dueNow } from './charge-due.ts';

/** Guests of one page. */
const PAGE = 100;

/**
 * Marks a guest as no-show (docs/reference/reservations.md#arrivals).
 * @throws DomainError TOO_EARLY, INVALID_STATE
 */
export async function markNoShow(
  services: Services,
  caller: Caller,
  id: ReservationId,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean; reason?: string; afterGrace: boolean },
): Promise<Reply<CommandResults['NO_SHOW']>> {
  const to = await addressOf(services, caller, id);
  const { key, ...rest } = options;
  const found = await services.reservations.get(caller.tenantId, id);
  const invoiceTo = await companyToInvoice(services, caller.tenantId, found?.reservation.companyId);
  const command = { ...noShowOf(id, caller.subject), ...rest, invoiceTo };
  const reply = await send(services, caller, to, command, options.dryRun ? undefined : claim(key));
  if (!reply.replayed && !options.dryRun) {
    sendRefundsSoon(services, to, reply.result.reservation);
    chargePenaltySoon(services, to, reply.result.reservation);
  }
  return reply;
}

/**
 * At the roll after the arrival night: marks guests who were due before `date` and have not arrived. Guests who could
 * not have been checked in at that time are left to a person (docs/reference/reservations.md#arrivals). A reservation
 * that was paid and never confirmed is refunded (docs/concepts/money.md#paid-and-not-confirmed). A failing reservation
 * delays no other.
 * @returns whether none failed
 */
export async function markNoShows(
  services: Services,
  to: Address,
  date: Day,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<boolean> {
  const { reservations, properties } = services;
  const { setup } = await properties.view(to);
  const clock = clockOf(setup.property);
  const reading = { now: services.clock.now(), putForwardAt: services.clock.putForwardAt };
  let isDone = true;
  const all = async (status: ReservationStatus, commandOf: (one: Reservation) => Ending | undefined) => {
    const filter = { propertyId: to.propertyId, status, arrivalTo: date - 1 };
    for (let after: PagePosition | undefined; ;) {
      const { items, next } = await reservations.ids(to.tenantId, filter, PAGE, after);
      for (const id of items) {
        const work = () => endUnarrived(services, to, id, commandOf);
        isDone = (await each.one(reservationItem('NO_SHOWS', to, id), work)) && isDone;
      }
      if (!next) return;
      after = next;
    }
  };
  await all('CONFIRMED', (one) => (isMarkedByClock(one, clock, reading) ? noShowOf(one.id, 'system') : undefined));
  await all('PENDING', ({ id: reservationId }) => ({ type: 'LAPSE', reservationId }));
  return isDone;
}

type Ending = CommandOf<'NO_SHOW' | 'LAPSE'>;

async function endUnarrived(
  services: Services,
  to: Address,
  id: ReservationId,
  commandOf: (reservation: Reservation) => Ending | undefined,
): Promise<void> {
  const found = await services.reservations.get(to.tenantId, id);
  const command = found && commandOf(found.reservation);
  if (!command || (await wasCancelledUnpaid(services, to, found))) return;
  const by = { subject: 'system', requestId: ownRequestId() };
  const invoiceTo = await companyToInvoice(services, to.tenantId, found.reservation.companyId);
  const ending = command.type === 'NO_SHOW' ? { ...command, invoiceTo } : command;
  try {
    const { result } = (await sendAlways(services, by, to, ending)) as Reply<CommandResults['NO_SHOW']>;
    await chargePenalty(services, to, result.reservation);
  } catch (error) {
    if (!(error instanceof DomainError) || !IN_TIME.has(error.code)) throw error;
    services.log.debug({ reservationId: id }, 'came, or was confirmed, at the last moment');
  }
}

/** Whether it should have been cancelled before its arrival, since nobody had paid for days, and is so now. */
async function wasCancelledUnpaid(
  services: Services,
  to: Address,
  found: { reservation: Reservation; property: Property },
): Promise<boolean> {
  const due = dueNow(services, found);
  if (due?.of !== 'INSTALMENT' || due.triesLeft > 0) return false;
  return (await chargeDueOf(services, to, found.reservation.id))?.status === 'CANCELLED';
}

/** Errors of reservations that changed meanwhile, or that will end with their hold. */
const IN_TIME: ReadonlySet<string> = new Set(['INVALID_STATE', 'TOO_EARLY']);

const noShowOf = (reservationId: ReservationId, by: string): CommandOf<'NO_SHOW'> => ({
  type: 'NO_SHOW',
  reservationId,
  cancellationId: uuidv7(),
  refundId: uuidv7(),
  by,
});
