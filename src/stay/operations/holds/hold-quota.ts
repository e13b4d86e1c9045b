import type { Services } from '../../../kernel/operations/services.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import { HOLD_BOUNDS, type HeldUnpaid, type HoldQuota } from '../../rules/hold-bounds.ts';

const NOTHING: HeldUnpaid = { holds: 0, roomNights: 0 };

/**
 * Limits on unpaid holds for a client, and its unpaid holds in other properties of the tenant; `undefined` where
 * nothing is limited. Two properties that decide for one client at the same moment do not see each other's holds, so a
 * client may exceed its limit by the requests in progress.
 * @param ofThem false when the request is known to hold no further rooms
 */
export async function quotaOf(
  { sales, holdLimits: limits }: Pick<Services, 'sales' | 'holdLimits'>,
  { subject }: Caller,
  to: Address,
  ofThem = true,
): Promise<HoldQuota | undefined> {
  if (limits.holds === 0 && limits.roomNights === 0) return undefined;
  return { elsewhere: ofThem ? await sales.heldUnpaid(to, subject) : NOTHING, limits };
}

/** Counts rejections by the limits on unpaid rooms in the metrics. @throws what `work` throws */
export async function countingRejections<T>(
  { metricEvents }: Pick<Services, 'metricEvents'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refused = error instanceof DomainError ? error.details.extra?.['bound'] : undefined;
    const bound = HOLD_BOUNDS.find((one) => one === refused);
    if (bound) metricEvents.emit('holdRefused', bound);
    throw error;
  }
}
