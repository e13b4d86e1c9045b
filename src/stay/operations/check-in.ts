import { v7 as uuidv7 } from 'uuid';

import { tierOfGuest } from '../../guests/operations/loyalty.ts';
import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { CheckInBody } from '../contracts/reservations.ts';

/**
 * Checks a guest in (docs/concepts/rooms.md#check-in) to a room of the booked type, or to a better one for a member.
 */
export async function checkIn(
  services: Services,
  caller: Caller,
  id: ReservationId,
  body: CheckInBody,
  options: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['CHECK_IN']> & { property: Property }> {
  const to = await addressOf(services, caller, id);
  const view = await services.properties.view(to);
  const found = await services.reservations.get(caller.tenantId, id);
  const tier = found ? await tierOfGuest(services, caller.tenantId, found.reservation) : 'NONE';
  const reply = await send(
    services,
    caller,
    to,
    {
      type: 'CHECK_IN',
      reservationId: id,
      checkInId: uuidv7(),
      at: body.checkInTime ?? services.clock.now(),
      identified: body.identificationVerified,
      guests: body.actualGuests,
      keyCards: body.keyCards,
      staffMember: body.staffMember,
      notes: body.notes,
      tier,
      ifVersion: options.ifVersion,
      dryRun: options.dryRun,
    },
    options.dryRun ? undefined : claim(options.key),
  );
  return { ...reply, property: view.setup.property };
}
