import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { HOLD_BOUNDS, type HeldUnpaid, type HoldQuota } from '../rules/hold-bounds.ts';

const NOTHING: HeldUnpaid = { holds: 0, roomNights: 0 };

/**
 * What a client may hold unpaid, and holds in other properties of its tenant; `undefined` where nothing is limited. Two
 * properties that decide for one client in the same moment do not know of each other: then it gets more by what is under
 * way there.
 * @param ofThem false where it is known that nothing more is held
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

/** Counts what the bounds of unpaid rooms refuse. @throws what `work` throws */
export async function countingRejections<T>(
  { measured }: Pick<Services, 'measured'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refused = error instanceof DomainError ? error.details.extra?.['bound'] : undefined;
    const bound = HOLD_BOUNDS.find((one) => one === refused);
    if (bound) measured.emit('holdRefused', bound);
    throw error;
  }
}
