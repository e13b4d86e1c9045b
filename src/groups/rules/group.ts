import type { Day } from '../../kernel/rules/dates.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { BookingTerms, PlanGuarantee } from '../../rates/rules/plan-terms.ts';

/** Rooms of one type on one night that are blocked for a group, at its own rate. */
export type GroupBlock = { roomType: string; day: Day; rooms: number; rate: Minor; pickedUp: number };

/** What a group has agreed on with the property (docs/reference/reservations.md#groups). */
export type GroupTerms = PlanGuarantee & { terms?: Omit<BookingTerms, 'ofPlan'> };

/**
 * A group with its blocks (docs/reference/reservations.md#groups): unsold rooms return to sale at the end of the
 * cut-off day.
 */
export type Group = {
  groupId: GroupId;
  name: string;
  cutoff: Day;
  /** The cut-off has passed: nothing is blocked, and nothing can be picked up. */
  released: boolean;
  /** Terms and guarantee of its own, for all of its bookings; absent members follow the property. */
  agreed?: GroupTerms;
  blocks: Readonly<Record<string, GroupBlock>>;
  createdAt: Instant;
};

/** Whether all nights of a group have passed. */
export function isGroupOver({ blocks }: Group, today: Day): boolean {
  return Object.values(blocks).every(({ day }) => day < today);
}

/** Key of a block within its group. */
export const blockKey = (roomType: string, day: Day): string => `${day} ${roomType}`;
