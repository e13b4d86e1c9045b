import { blockKey, isGroupOver, type Group, type GroupBlock } from '../../../src/groups/rules/group.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { outside } from '../../../src/kernel/rules/sale-window.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { saleWindow, type State } from '../state.ts';

/** Block nights of all groups of a property: a bound for its memory. */
const MAX_BLOCKS = 20_000;

/** Blocks rooms for a group: they leave general sale, all of them or none (docs/reference/reservations.md#groups). */
export function decideCreateGroup(
  draft: Draft,
  command: CommandOf<'CREATE_GROUP'>,
  context: DecisionContext,
): Decision<'CREATE_GROUP'> {
  const { groupId, name, cutoff, agreed = {} } = command;
  const { policies } = draft.property!.metadata;
  const blocks: Record<string, GroupBlock> = {};
  const blocked = [...draft.groups.values()].reduce((sum, group) => sum + Object.keys(group.blocks).length, 0);
  if (blocked + command.blocks.length > MAX_BLOCKS)
    throw new DomainError('VALIDATION_FAILED', `A property keeps at most ${MAX_BLOCKS} blocks for groups at a time.`);
  checkDays(draft, command);
  for (const block of command.blocks) {
    const { roomType, day, rooms } = block;
    const slab = draft.slab(roomType);
    const date = formatDay(day);
    if (!slab) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
    if (slab.free(day, policies.overbookingLimit) < rooms)
      throw new DomainError('ROOM_NOT_AVAILABLE', `Not so many ${roomType} rooms are free on ${date}.`, { date });
    blocks[blockKey(roomType, day)] = { ...block, pickedUp: 0 };
  }
  const group: Group = { groupId, name, cutoff, released: false, agreed, blocks, createdAt: context.now };
  for (const { roomType, day, rooms } of command.blocks) draft.add(roomType, day, 'group', rooms);
  draft.putGroup(group, Object.keys(blocks));
  const after = { name, cutoff, ...agreed, blocks: command.blocks };
  return { result: group, entity: groupId, facts: { setup: [{ kind: 'group', id: groupId, after }] } };
}

/** @throws DomainError VALIDATION_FAILED with every day that is past or beyond the horizon */
function checkDays(draft: Draft, { cutoff, blocks }: CommandOf<'CREATE_GROUP'>): void {
  const window = saleWindow(draft);
  const ofCutoff = { pointer: '/cutoffDate' };
  const errors = outside(window, cutoff, -Infinity, { start: ofCutoff, end: ofCutoff });
  blocks.forEach(({ day }, index) => {
    const of = { pointer: `/blocks/${index}/date` };
    errors.push(...outside(window, day, day, { start: of, end: of }));
  });
  if (errors.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The blocks are outside of what can be sold.', { errors });
}

/**
 * Block rates of a stay by night. Nights that the reservation already has from the group (`current`) need no further
 * room.
 * @throws DomainError GROUP_NOT_FOUND, OUTSIDE_GROUP_BLOCK, ROOM_NOT_AVAILABLE with the first night
 */
export function groupRates(
  draft: Pick<State, 'groups' | 'slabs' | 'property'>,
  groupId: GroupId,
  stay: Stay,
  current?: Stay,
): Minor[] {
  const group = draft.groups.get(groupId);
  if (!group) throw new DomainError('GROUP_NOT_FOUND', 'The property has no such group.');
  const { overbookingLimit } = draft.property!.metadata.policies;
  const slab = draft.slabs.get(stay.roomType)!;
  const rates: Minor[] = [];
  for (let day = stay.checkIn; day < stay.checkOut; day++) {
    const date = formatDay(day);
    const block = group.blocks[blockKey(stay.roomType, day)];
    const has = current?.roomType === stay.roomType && day >= current.checkIn && day < current.checkOut;
    if (!block || (group.released && !has))
      throw new DomainError('OUTSIDE_GROUP_BLOCK', `The group has no ${stay.roomType} rooms on ${date}.`, { date });
    // A night that is oversold after a cut sells nothing, blocked for a group or not (I1).
    if (!has && (isUsedUp(block) || slab.free(day, overbookingLimit) < 0))
      throw new DomainError('ROOM_NOT_AVAILABLE', `The ${stay.roomType} block of ${date} is used up.`, { date });
    rates.push(block.rate);
  }
  return rates;
}

const isUsedUp = (block: GroupBlock): boolean => block.rooms <= block.pickedUp;

/** Whether the blocks of a group have a room on each night, as long as the blocks exist. */
export function hasBlocks(draft: Draft, groupId: GroupId, { roomType, checkIn, checkOut }: Stay): boolean {
  const group = draft.groups.get(groupId);
  const slab = draft.slab(roomType);
  if (!group || !slab || group.released) return false;
  const { overbookingLimit } = draft.property!.metadata.policies;
  for (let day = checkIn; day < checkOut; day++) {
    const block = group.blocks[blockKey(roomType, day)];
    if (!block || isUsedUp(block) || slab.free(day, overbookingLimit) < 0) return false;
  }
  return true;
}

/**
 * Takes the nights of a stay out of the blocks, or puts them back. After the cut-off day they return to general sale.
 */
export function pickUp(draft: Draft, groupId: GroupId, stay: Stay, rooms: 1 | -1): void {
  const group = draft.groups.get(groupId);
  if (!group) return;
  const blocks = { ...group.blocks };
  const touched: string[] = [];
  const slab = draft.slab(stay.roomType);
  for (let day = stay.checkIn; day < stay.checkOut; day++) {
    const key = blockKey(stay.roomType, day);
    const block = blocks[key];
    if (!block) continue;
    blocks[key] = { ...block, pickedUp: block.pickedUp + rooms };
    touched.push(key);
    if (!group.released && slab?.has(day)) draft.add(stay.roomType, day, 'group', -rooms);
  }
  draft.putGroup({ ...group, blocks }, touched);
}

/** At the roll after the cut-off day, unbooked rooms return to sale. Groups that are over are dropped from memory. */
export function releaseGroups(draft: Draft): void {
  for (const group of draft.groups.values()) {
    if (isGroupOver(group, draft.today)) {
      draft.forgetGroup(group.groupId);
      continue;
    }
    if (group.released || group.cutoff >= draft.today) continue;
    for (const { roomType, day, rooms, pickedUp } of Object.values(group.blocks))
      if (draft.slab(roomType)?.has(day)) draft.add(roomType, day, 'group', pickedUp - rooms);
    draft.putGroup({ ...group, released: true }, []);
  }
}
