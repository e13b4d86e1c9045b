import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../../kernel/operations/send.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { Caller } from '../../../kernel/rules/caller.ts';
import type { CommandOf, Reply } from '../../../kernel/rules/commands.ts';
import type { HoldBody } from '../../contracts/holds.ts';
import type { Hold } from '../../rules/hold.ts';
import { countingRejections, quotaOf } from './hold-quota.ts';

/**
 * Holds rooms at the current price (docs/reference/reservations.md#holds). Any caller with booking rights in the tenant
 * may book from the hold.
 * @throws DomainError as a booking without a hold, PRICE_CHANGED above `maxTotal`, and QUOTA_EXCEEDED
 */
export async function placeHold(
  services: Services,
  caller: Caller,
  { propertyId, rooms, maxTotal, ...stay }: HoldBody,
  key?: ClientKey,
): Promise<Reply<Hold>> {
  const to = { tenantId: caller.tenantId, propertyId };
  // Activation may take longer than a command may wait.
  await services.properties.view(to);
  const quota = await quotaOf(services, caller, to);
  const command: CommandOf<'PLACE_HOLD'> = {
    type: 'PLACE_HOLD',
    holdId: uuidv7(),
    stay,
    rooms,
    ...(maxTotal !== undefined && { maxTotal }),
    ...(quota && { quota }),
  };
  return countingRejections(services, () => send(services, caller, to, command, claim(key)));
}
