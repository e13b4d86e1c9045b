import { v7 as uuidv7 } from 'uuid';

import { isErased } from '../../guests/rules/erasure.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send, withFreshNames } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { SealedPersonal } from '../../kernel/rules/commands/stay.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { readExtraStock } from '../../money/operations/extra-stock.ts';
import { sendRefundsSoon } from '../../money/operations/send-refunds.ts';
import type { ModifyBody } from '../contracts/reservations.ts';
import { countingRejections, quotaOf } from './holds/hold-quota.ts';

type ModifyOptions = { key?: ClientKey; ifVersion?: number; dryRun?: boolean };

/** Changes a reservation (docs/reference/reservations.md#change). A dry run answers the same and stores nothing. */
export async function modifyReservation(
  services: Services,
  caller: Caller,
  id: ReservationId,
  body: ModifyBody,
  options: ModifyOptions,
): Promise<Reply<CommandResults['MODIFY']>> {
  const to = await addressOf(services, caller, id);
  const { dryRun = false } = options;
  const { stayDetails, guestInfo: guest, specialRequests, companions, sharer, roomWishes } = body.modifications;
  const { maxTotal, ...stay } = stayDetails;
  const isMoved = Object.values(stay).some((value) => value !== undefined);
  const [personal, override, quota, extraStock] = await Promise.all([
    resealed(services, caller, id, guest),
    sealedOverride(services, caller, id, body.override),
    isMoved ? quotaOf(services, caller, to) : undefined,
    isMoved ? readExtraStock(services, to) : {},
  ]);
  const command: Omit<CommandOf<'MODIFY'>, 'sharer' | 'sharerKey'> = {
    type: 'MODIFY',
    reservationId: id,
    modificationId: uuidv7(),
    refundId: uuidv7(),
    stay,
    maxTotal,
    ...(override && { override }),
    guest,
    specialRequests,
    companions,
    ...(roomWishes && { roomWishes }),
    reason: body.reason,
    modifiedBy: body.modifiedBy,
    extraStock,
    ifVersion: options.ifVersion,
    personal,
    dryRun,
    ...(quota && { quota }),
  };
  const reply = await countingRejections(services, () =>
    withFreshNames(async () => {
      const named = await namedSharer(services, caller, sharer);
      return send(services, caller, to, { ...command, ...named }, dryRun ? undefined : claim(options.key));
    }),
  );
  if (!reply.replayed && !dryRun && reply.result.refund > 0) sendRefundsSoon(services, to, reply.result.reservation);
  return reply;
}

/** Finds the profile of a sharer (docs/concepts/guests-and-erasure.md#profiles). */
async function namedSharer(
  { guests }: Services,
  { tenantId }: Caller,
  sharer: ModifyBody['modifications']['sharer'],
): Promise<Pick<CommandOf<'MODIFY'>, 'sharer' | 'sharerKey'>> {
  if (!sharer) return { sharer };
  const { guestId, wrappedKey: sharerKey } = await guests.identify(tenantId, sharer);
  return { sharer: { guestId, ...sharer }, sharerKey };
}

/** Encrypts the name again for the journal when it changes. */
async function resealed(
  services: Services,
  { tenantId }: Caller,
  id: ReservationId,
  changed: { firstName?: string; lastName?: string },
): Promise<SealedPersonal | undefined> {
  if (changed.firstName === undefined && changed.lastName === undefined) return undefined;
  const found = await services.reservations.get(tenantId, id);
  // An erased guest has no key: the change is rejected, or it was made before and only its answer is repeated.
  if (!found || isErased(found.reservation)) return undefined;
  const { guestId, firstName, lastName } = { ...found.reservation.guest, ...changed };
  const identity = await services.guests.byId(tenantId, guestId);
  return { guestId, name: identity.seal(`${firstName} ${lastName}`) };
}

/** Encrypts the reason of an override for the journal. */
async function sealedOverride(
  services: Services,
  { tenantId }: Caller,
  id: ReservationId,
  override: ModifyBody['override'],
): Promise<CommandOf<'MODIFY'>['override']> {
  if (!override) return undefined;
  const found = await services.reservations.get(tenantId, id);
  if (!found || isErased(found.reservation)) return override;
  const identity = await services.guests.byId(tenantId, found.reservation.guest.guestId);
  return { ...override, sealed: identity.seal(override.reason) };
}
