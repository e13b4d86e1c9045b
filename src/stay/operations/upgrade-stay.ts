import { addressOf } from '../../kernel/operations/reservation-address.ts';
import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { UpgradeBody } from '../contracts/upgrade.ts';

/**
 * Moves what is left of a stay to a better room type for a surcharge (docs/reference/agreed-prices.md#upgrade).
 * @throws DomainError RESERVATION_NOT_FOUND, STALE_VERSION, INVALID_STATE, UNKNOWN_ROOM_TYPE, WRONG_ROOM_TYPE,
 * OCCUPANCY_EXCEEDED, ROOM_NOT_AVAILABLE, NO_ROOM_READY, ROOM_TAKEN
 */
export async function upgradeStay(
  services: Services,
  caller: Caller,
  id: string,
  { amount, amountPerNight, ...wanted }: UpgradeBody,
  { key, ifVersion, dryRun }: { key?: ClientKey; ifVersion?: number; dryRun?: boolean },
): Promise<Reply<CommandResults['UPGRADE']>> {
  const to = await addressOf(services, caller, id);
  const price = amountPerNight === undefined ? { amount: amount! } : { amountPerNight };
  const said = { reservationId: id, ...wanted, ...price, by: caller.subject, ifVersion, dryRun };
  return send(services, caller, to, { type: 'UPGRADE', ...said }, dryRun ? undefined : claim(key));
}
