import type { Services } from '../../kernel/operations/services.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { MAX_PHOTOS } from '../../properties/rules/photo.ts';
import type { LimitName, TenantLimit } from '../rules/limits.ts';
import { theTenant } from './administer.ts';
import { MAX_INVITATIONS } from './invite-users.ts';

/** What a tenant uses at the moment of limits that are counted. */
export type UsedNow = (tenantId: TenantId) => { requests?: number; costly?: number };

/**
 * Limits of a tenant, with what it uses of those that are counted by the second: for operators.
 * @throws DomainError TENANT_NOT_FOUND
 */
export async function readTenantUse(
  services: Pick<Services, 'requestLimits' | 'holdLimits' | 'administration'>,
  usedNow: UsedNow,
  tenantId: TenantId,
): Promise<(TenantLimit & { used: number | null })[]> {
  await services.administration.read(tenantId, theTenant);
  const { requests, costly } = usedNow(tenantId);
  const used: Partial<Record<LimitName, number | undefined>> = {
    TENANT_REQUESTS_PER_SECOND: requests,
    COSTLY_REQUESTS_PER_SECOND: costly,
  };
  return readLimits(services).map((limit) => ({ ...limit, used: used[limit.name] ?? null }));
}

/** Limits of a tenant, its users and properties (docs/reference/api.md#limits). */
export function readLimits({
  requestLimits: { requests, sockets },
  holdLimits,
}: Pick<Services, 'requestLimits' | 'holdLimits'>): TenantLimit[] {
  const configured = (name: LimitName, limit: number): TenantLimit => {
    return { name, limit: limit === 0 ? null : limit, setBy: 'INSTALLATION' };
  };
  const fixed = (name: LimitName, limit: number): TenantLimit => ({ name, limit, setBy: 'SERVICE' });
  return [
    configured('TENANT_REQUESTS_PER_SECOND', requests.tenant),
    configured('USER_REQUESTS_PER_SECOND', requests.user),
    configured('ANONYMOUS_REQUESTS_PER_SECOND', requests.address),
    configured('COSTLY_REQUESTS_PER_SECOND', requests.costly),
    configured('TENANT_SOCKETS', sockets.tenant),
    configured('USER_SOCKETS', sockets.user),
    configured('USER_OPEN_HOLDS', holdLimits.holds),
    configured('USER_HELD_ROOM_NIGHTS', holdLimits.roomNights),
    fixed('PROPERTY_PHOTOS', MAX_PHOTOS),
    fixed('TENANT_INVITATIONS', MAX_INVITATIONS),
  ];
}
