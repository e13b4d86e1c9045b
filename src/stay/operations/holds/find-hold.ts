import type { ClientKey } from '../../../kernel/operations/send.ts';
import type { Services } from '../../../kernel/operations/services.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import type { HoldId, PropertyId } from '../../../kernel/rules/ids.ts';
import type { Hold } from '../../rules/hold.ts';

/**
 * Reads a client's hold (docs/reference/reservations.md#holds). An expired hold stays readable for at least an hour.
 * @throws DomainError HOLD_NOT_FOUND
 */
export async function getHold(
  services: Services,
  { tenantId }: Caller,
  id: HoldId,
): Promise<{ hold: Hold; propertyId: PropertyId; seq: number }> {
  const found = await services.sales.hold(tenantId, id);
  if (!found) throw notFound();
  return { hold: found.value, propertyId: found.propertyId, seq: found.seq };
}

/**
 * Finds the property of a client's hold. A hold that has ended is found by the key of the request that ended it, so
 * that a repeated request gets its answer.
 * @throws DomainError HOLD_NOT_FOUND
 */
export async function addressOfHold(
  services: Services,
  { tenantId, subject }: Caller,
  id: HoldId,
  key?: ClientKey,
): Promise<Address> {
  const propertyId = await services.sales.propertyOfHold(tenantId, id, key && { subject, key: key.key });
  if (propertyId === undefined) throw notFound();
  return { tenantId, propertyId };
}

const notFound = (): DomainError => new DomainError('HOLD_NOT_FOUND', 'The tenant has no such hold.');
