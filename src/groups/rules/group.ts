import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { GroupId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { BookingTerms, PlanGuarantee } from '../../rates/rules/plan-terms.ts';

/** Rooms of one type on one night that are blocked for a group, at its own rate. */
export type GroupBlock = {
  roomType: string;
  day: Day;
  rooms: number;
  rate: Minor;
  pickedUp: number;
  /**
   * A night outside of the blocks on which guests of the group stay: its rooms came out of general sale when they were
   * booked, and go back there.
   */
  isShoulder?: true;
};

/** What a group has agreed on with the property (docs/reference/groups.md#terms). */
export type GroupTerms = PlanGuarantee & { terms?: Omit<BookingTerms, 'ofPlan'> };

/** Nights before the first and after the last block that bookings of the group may have at its rate. */
export type ShoulderNights = { before: number; after: number };

/** Most shoulder nights on either side. */
export const MAX_SHOULDER_NIGHTS = 7;

/** Who speaks for the group; guests without an e-mail address are written to here. */
export type GroupContact = { firstName: string; lastName: string; email: string };

/**
 * A group with its blocks (docs/reference/groups.md#groups): unsold rooms return to sale at the end of the cut-off day.
 */
export type Group = {
  groupId: GroupId;
  name: string;
  cutoff: Day;
  /** The cut-off has passed, or the group was deleted: nothing is blocked, and nothing can be picked up. */
  released: boolean;
  /** Terms and guarantee of its own, for all of its bookings; absent members follow the property. */
  agreed?: GroupTerms;
  shoulderNights?: ShoulderNights;
  contact?: GroupContact;
  /** Blocks, and shoulder nights that are booked. */
  blocks: Readonly<Record<string, GroupBlock>>;
  createdAt: Instant;
  /** Its reservations may still be changed within their nights, so it stays in memory until they are over. */
  deletedAt?: Instant;
};

/** Whether all nights of a group have passed. */
export function isGroupOver({ blocks }: Pick<Group, 'blocks'>, today: Day): boolean {
  return Object.values(blocks).every(({ day }) => day < today);
}

/** Key of a block within its group. */
export const blockKey = (roomType: string, day: Day): string => `${day} ${roomType}`;

/** Night and room type of a key. */
export function blockPlace(key: string): Pick<GroupBlock, 'day' | 'roomType'> {
  const end = key.indexOf(' ');
  return { day: Number(key.slice(0, end)), roomType: key.slice(end + 1) };
}

/** Rooms that a block still takes off general sale. */
export const remainingOf = ({ released }: Pick<Group, 'released'>, { rooms, pickedUp }: GroupBlock): number =>
  released ? 0 : rooms - pickedUp;

/** The block of a night; a booked shoulder night is none. */
export function blockOf({ blocks }: Pick<Group, 'blocks'>, roomType: string, day: Day): GroupBlock | undefined {
  const block = blocks[blockKey(roomType, day)];
  return block?.isShoulder ? undefined : block;
}

/** The nearest block of a shoulder night, the earlier of two; `undefined` where the night is too far from every block. */
export function nearestBlock(
  group: Pick<Group, 'blocks' | 'shoulderNights'>,
  roomType: string,
  day: Day,
): GroupBlock | undefined {
  const { before, after } = group.shoulderNights ?? { before: 0, after: 0 };
  for (let distance = 1; distance <= Math.max(before, after); distance++) {
    const earlier = distance <= after ? blockOf(group, roomType, day - distance) : undefined;
    const later = distance <= before ? blockOf(group, roomType, day + distance) : undefined;
    if (earlier ?? later) return earlier ?? later;
  }
  return undefined;
}

/** Room nights of a group. */
export function pickupOf(group: Pick<Group, 'blocks' | 'released'>): {
  rooms: number;
  pickedUp: number;
  remaining: number;
  shoulder: number;
} {
  const all = Object.values(group.blocks);
  const blocks = all.filter(({ isShoulder }) => !isShoulder);
  return {
    rooms: sum(blocks, ({ rooms }) => rooms),
    pickedUp: sum(blocks, ({ pickedUp }) => pickedUp),
    remaining: sum(blocks, (block) => remainingOf(group, block)),
    shoulder: sum(all, ({ isShoulder, pickedUp }) => (isShoulder ? pickedUp : 0)),
  };
}
