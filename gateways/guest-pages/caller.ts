import { hash } from 'node:crypto';

import type { Services } from '../../src/kernel/operations/services.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';

/**
 * A guest as a caller: the least role, and no user of the tenant. What a guest holds without paying counts against this
 * subject (docs/guide/booking-page.md#robots).
 * @param from the network address of a guest who searches, or the reference of one who has booked; not stored in clear
 */
export function guestCaller(
  { signed }: Pick<Services, 'signed'>,
  tenantId: TenantId,
  from: string,
  requestId: string,
): Caller {
  // Keyed, so that no table of addresses leads back to one.
  const name = hash('sha256', signed.sign('guest', '', `${tenantId} ${from}`), 'hex').slice(0, 16);
  return { tenantId, subject: `guest-${name}`, role: 'VIEWER', requestId };
}
