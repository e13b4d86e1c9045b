import {
  blockKey,
  blockOf,
  type Group,
  type GroupBlock,
  nearestBlock,
  remainingOf,
} from '../../../src/groups/rules/group.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError, orError } from '../../../src/kernel/rules/domain-error.ts';
import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { daysOf, type Stay } from '../../../src/rates/rules/stay.ts';
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';

type Deciding = Pick<State, 'groups' | 'slabs' | 'property'>;

/**
 * Group rates of a stay by night: of its blocks, and on shoulder nights that of the nearest block
 * (docs/reference/groups.md#shoulder-nights). Nights that the reservation already has from the group (`current`) need
 * no further room.
 * @throws DomainError GROUP_NOT_FOUND, OUTSIDE_GROUP_BLOCK, ROOM_NOT_AVAILABLE with the first night
 */
export function groupRates(draft: Deciding, groupId: GroupId, stay: Stay, current?: Stay): Minor[] {
  const rates = ratesOfNights(draft, groupId, stay, current);
  const group = draft.groups.get(groupId)!;
  const isFine = daysOf(stay).some((day) => blockOf(group, stay.roomType, day));
  if (isFine || daysOf(stay).every((day) => hasNight(stay, current, day))) return rates;
  const date = formatDay(stay.checkIn);
  throw new DomainError('OUTSIDE_GROUP_BLOCK', 'No night of the stay is in a block of the group.', { date });
}

/** The same for the rest of a stay, which may have only shoulder nights. @throws DomainError as `groupRates` */
export function checkGroupNights(draft: Deciding, groupId: GroupId, rest: Nights): void {
  ratesOfNights(draft, groupId, rest);
}

type Nights = Pick<Stay, 'roomType' | 'checkIn' | 'checkOut'>;

function ratesOfNights(draft: Deciding, groupId: GroupId, stay: Nights, current?: Nights): Minor[] {
  const group = draft.groups.get(groupId);
  if (!group || (group.deletedAt !== undefined && !current))
    throw new DomainError('GROUP_NOT_FOUND', 'The property has no such group, or it is over.');
  return daysOf(stay).map((day) => {
    const has = hasNight(stay, current, day);
    const night = nightOf(group, stay.roomType, day) ?? (has ? bookedShoulder(group, stay.roomType, day) : undefined);
    if (!night || (group.released && !has)) {
      const date = formatDay(day);
      throw new DomainError('OUTSIDE_GROUP_BLOCK', `The group has no ${stay.roomType} rooms on ${date}.`, { date });
    }
    if (!has) checkNight(draft, night, stay.roomType, day);
    return night.rate;
  });
}

const hasNight = ({ roomType }: Nights, current: Nights | undefined, day: Day): boolean =>
  current?.roomType === roomType && day >= current.checkIn && day < current.checkOut;

/** Where the room of a night comes from, and what it costs. */
type GroupNight = { rate: Minor; block?: GroupBlock };

function nightOf(group: Group, roomType: string, day: Day): GroupNight | undefined {
  const block = blockOf(group, roomType, day);
  if (block) return { rate: block.rate, block };
  const nearest = nearestBlock(group, roomType, day);
  return nearest && { rate: nearest.rate };
}

/** A shoulder night that is booked stays so, whatever the group has agreed on since. */
function bookedShoulder({ blocks }: Group, roomType: string, day: Day): GroupNight | undefined {
  const booked = blocks[blockKey(roomType, day)];
  return booked && { rate: booked.rate };
}

/** @throws DomainError ROOM_NOT_AVAILABLE */
function checkNight(draft: Deciding, { block }: GroupNight, roomType: string, day: Day): void {
  const free = draft.slabs.get(roomType)!.free(day, draft.property!.metadata.policies.overbookingLimit);
  const date = formatDay(day);
  // A night that is oversold after a cut sells nothing, blocked for a group or not (I1).
  if (block && (block.rooms <= block.pickedUp || free < 0))
    throw new DomainError('ROOM_NOT_AVAILABLE', `The ${roomType} block of ${date} is used up.`, { date });
  if (!block && free < 1)
    throw new DomainError('ROOM_NOT_AVAILABLE', `No ${roomType} room is left for the night of ${date}.`, { date });
}

/** Whether the group still has a room for each night: in a block, or free on a shoulder night. */
export function hasGroupNights(draft: Draft, groupId: GroupId, stay: Nights): boolean {
  if (!draft.slab(stay.roomType)) return false;
  return !(orError(() => ratesOfNights(draft, groupId, stay)) instanceof DomainError);
}

/** Whether the room of a night comes out of a block, and not out of general sale. */
export function isBlockNight(draft: Pick<State, 'groups'>, groupId: GroupId | undefined, { roomType }: Nights) {
  const group = groupId === undefined ? undefined : draft.groups.get(groupId);
  return (day: Day): boolean => group !== undefined && blockOf(group, roomType, day) !== undefined;
}

/**
 * Whether the group or general sale has a room for each night of a stay whose guest gets another type of room than
 * booked.
 */
export function canMoveGuest(draft: Draft, groupId: GroupId, stay: Nights): boolean {
  const group = draft.groups.get(groupId);
  const { overbookingLimit } = draft.property!.metadata.policies;
  const slab = draft.slab(stay.roomType)!;
  return daysOf(stay).every((day) => {
    const block = group && blockOf(group, stay.roomType, day);
    return slab.free(day, overbookingLimit) >= (block && remainingOf(group, block) > 0 ? 0 : 1);
  });
}

/**
 * Takes the nights of a stay out of the blocks, or puts them back; after the cut-off day they return to general sale.
 * Nights without a block are noted only: their rooms come out of general sale. So does the room of a guest who gets
 * another type than booked where its block is used up: the block then has a room more.
 * @param rate of a night without a block, for a stay that no block is near to
 */
export function pickUp(
  draft: Draft,
  groupId: GroupId,
  stay: Nights,
  rooms: 1 | -1,
  rate: (day: Day) => Minor = () => 0,
): void {
  const group = draft.groups.get(groupId);
  if (!group) return;
  const blocks = { ...group.blocks };
  const touched: string[] = [];
  for (const day of daysOf(stay)) {
    const key = blockKey(stay.roomType, day);
    const before = blocks[key];
    const block = before && !before.isShoulder ? before : undefined;
    const next = block ? withPickup(block, rooms) : shoulderNight(group, stay, day, rooms, rate);
    if (next) blocks[key] = next;
    else if (before) delete blocks[key];
    else continue;
    touched.push(key);
    if (block && draft.slab(stay.roomType)?.has(day))
      draft.add(stay.roomType, day, 'group', remainingOf(group, next!) - remainingOf(group, block));
  }
  draft.putGroup({ ...group, blocks }, touched);
}

/** A block with one guest more or less, never fewer than none: earlier releases did not count guests who moved. */
function withPickup(block: GroupBlock, more: 1 | -1): GroupBlock {
  const pickedUp = Math.max(0, block.pickedUp + more);
  return { ...block, pickedUp, rooms: Math.max(block.rooms, pickedUp) };
}

/** A shoulder night with one room more or less: it has as many rooms as are picked up. `undefined` without any. */
function shoulderNight(
  group: Group,
  { roomType }: Nights,
  day: Day,
  more: 1 | -1,
  rateOf: (day: Day) => Minor,
): GroupBlock | undefined {
  const before = group.blocks[blockKey(roomType, day)];
  const rooms = (before?.rooms ?? 0) + more;
  if (rooms <= 0) return undefined;
  const rate = nearestBlock(group, roomType, day)?.rate ?? before?.rate ?? rateOf(day);
  return { roomType, day, rooms, rate, pickedUp: (before?.pickedUp ?? 0) + more, isShoulder: true };
}
