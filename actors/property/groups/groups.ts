import {
  blockKey,
  type Group,
  type GroupBlock,
  isGroupOver,
  remainingOf,
  type ShoulderNights,
} from '../../../src/groups/rules/group.ts';
import { guestKeys } from '../../../src/guests/rules/guest-keys.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { sum } from '../../../src/kernel/rules/figures.ts';
import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import { definedMembers, sameValue } from '../../../src/kernel/rules/members.ts';
import { outside } from '../../../src/kernel/rules/sale-window.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { saleWindow } from '../state.ts';

/** Block nights of all groups of a property: a bound for its memory. */
const MAX_BLOCKS = 20_000;

type Wanted = CommandOf<'CREATE_GROUP'> | CommandOf<'CHANGE_GROUP'>;

/** Blocks rooms for a group: they leave general sale, all of them or none (docs/reference/groups.md#groups). */
export function decideCreateGroup(
  draft: Draft,
  command: CommandOf<'CREATE_GROUP'>,
  context: DecisionContext,
): Decision<'CREATE_GROUP'> {
  const empty = { groupId: command.groupId, released: false, blocks: {}, createdAt: context.now };
  const group = put(draft, command, empty);
  const after = { ...shown(group), blocks: command.blocks };
  return { result: group, entity: group.groupId, facts: { setup: [{ kind: 'group', id: group.groupId, after }] } };
}

/**
 * Replaces a group (docs/reference/groups.md#change): blocks take more rooms, return some, or move to other nights and
 * types, all or none. Booked nights keep their rate. A later cut-off day blocks the rest of a released group again.
 * @throws DomainError GROUP_NOT_FOUND, ROOM_NOT_AVAILABLE, INVALID_STATE below what is picked up, UNKNOWN_ROOM_TYPE,
 * VALIDATION_FAILED
 */
export function decideChangeGroup(draft: Draft, command: CommandOf<'CHANGE_GROUP'>): Decision<'CHANGE_GROUP'> {
  const before = existingGroup(draft, command.groupId);
  const next = put(draft, command, before);
  const changed = changedMembers(before, next);
  const id = next.groupId;
  return { result: next, entity: id, facts: { setup: [{ kind: 'group', id, ...changed }] } };
}

/** Returns what is not picked up; its reservations stay. @throws DomainError GROUP_NOT_FOUND */
export function decideDeleteGroup(
  draft: Draft,
  { groupId }: CommandOf<'DELETE_GROUP'>,
  { now }: DecisionContext,
): Decision<'DELETE_GROUP'> {
  const before = existingGroup(draft, groupId);
  releaseRooms(draft, before);
  const { contact: _, ...group } = before;
  draft.putGroup({ ...group, released: true, deletedAt: now }, []);
  const fact = { ...shown(before), blocks: Object.values(before.blocks).map(blockWish) };
  return {
    result: null,
    entity: groupId,
    facts: { setup: [{ kind: 'group', id: groupId, before: fact, after: null }] },
  };
}

/** At the roll after the cut-off day, unbooked rooms return to sale. Groups that are over are dropped from memory. */
export function releaseGroups(draft: Draft): void {
  for (const group of draft.groups.values()) {
    if (isGroupOver(group, draft.today)) {
      endGroup(draft, group);
      continue;
    }
    if (group.released || group.cutoff >= draft.today) continue;
    releaseRooms(draft, group);
    draft.putGroup({ ...group, released: true }, []);
  }
}

/** Nobody is written to any more: the contact goes. Nothing is left to be picked up. */
function endGroup(draft: Draft, { contact, ...group }: Group): void {
  if (contact || !group.released) draft.putGroup({ ...group, released: true }, []);
  draft.forgetGroup(group.groupId);
}

/** A guest who is erased is the contact of no group. */
export function eraseContact(draft: Draft, { guest }: Pick<Reservation, 'guest'>): void {
  const keys = guestKeys(guest);
  const isGuest = ({ contact }: Group): boolean => contact !== undefined && sameValue(guestKeys(contact), keys);
  for (const { contact: _, ...group } of [...draft.groups.values()].filter(isGuest)) draft.putGroup(group, []);
}

/** @throws DomainError GROUP_NOT_FOUND, also for a deleted one */
function existingGroup(draft: Pick<Draft, 'groups'>, groupId: GroupId): Group {
  const group = draft.groups.get(groupId);
  if (group && group.deletedAt === undefined) return group;
  throw new DomainError('GROUP_NOT_FOUND', 'The property has no such group, or it is over.');
}

function releaseRooms(draft: Draft, group: Group): void {
  for (const block of Object.values(group.blocks)) move(draft, block, -remainingOf(group, block));
}

/** Moves rooms into a block, or out of it, where the night is in the window. */
function move(draft: Draft, { roomType, day }: Pick<GroupBlock, 'roomType' | 'day'>, rooms: number): void {
  if (rooms !== 0 && draft.slab(roomType)?.has(day)) draft.add(roomType, day, 'group', rooms);
}

type Before = Pick<Group, 'groupId' | 'released' | 'blocks' | 'createdAt'> & Partial<Group>;

/** Checks everything about the wanted group, then moves rooms and stores it. */
function put(draft: Draft, wanted: Wanted, before: Before): Group {
  const { groupId, createdAt } = before;
  const { name, cutoff, agreed = {}, shoulderNights, contact } = wanted;
  checkCount(draft, wanted, before);
  checkDays(draft, wanted, before);
  const released = cutoff < draft.today;
  const blocks = { ...blocksNotNamed(draft, wanted, before), ...wantedBlocks(draft, wanted, before, released) };
  const group: Group = {
    groupId,
    name,
    cutoff,
    released,
    agreed,
    blocks,
    createdAt,
    ...(hasShoulder(shoulderNights) && { shoulderNights }),
    ...(contact && { contact }),
  };
  const touched = [...new Set([...Object.keys(before.blocks), ...Object.keys(blocks)])].filter(
    (key) => !sameValue(before.blocks[key], blocks[key]) || before.released !== released,
  );
  for (const key of touched) {
    const [had, has] = [before.blocks[key], blocks[key]];
    move(draft, (had ?? has)!, (has ? remainingOf(group, has) : 0) - (had ? remainingOf(before, had) : 0));
  }
  draft.putGroup(group, touched);
  return group;
}

const hasShoulder = ({ before, after }: ShoulderNights = { before: 0, after: 0 }): boolean => before + after > 0;

function checkCount(draft: Draft, { groupId, blocks }: Wanted, before: Before): void {
  const others = [...draft.groups.values()].filter((group) => group.groupId !== groupId);
  const most =
    sum(others, (group) => Object.keys(group.blocks).length) + Object.keys(before.blocks).length + blocks.length;
  if (most > MAX_BLOCKS)
    throw new DomainError('VALIDATION_FAILED', 'The property would have too many blocks for groups.', {
      errors: [
        { pointer: '/blocks', code: 'TOO_MANY', detail: `a property has ${MAX_BLOCKS} of all groups at most` },
      ],
    });
}

/**
 * Days that a group already has stay valid when they pass, and when the horizon becomes shorter.
 * @throws DomainError VALIDATION_FAILED with every other day that is past or beyond the horizon
 */
function checkDays(draft: Draft, { cutoff, blocks }: Wanted, before: Before): void {
  const window = saleWindow(draft);
  const ofCutoff = { pointer: '/cutoffDate' };
  const errors =
    cutoff === before.cutoff ? [] : outside(window, cutoff, -Infinity, { start: ofCutoff, end: ofCutoff });
  blocks.forEach((block, index) => {
    const had = before.blocks[blockKey(block.roomType, block.day)];
    if (had && (sameValue(blockWish(had), blockWish(block)) || block.day > window.lastNight)) return;
    const of = { pointer: `/blocks/${index}/date` };
    errors.push(...outside(window, block.day, block.day, { start: of, end: of }));
  });
  if (errors.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The blocks are outside of what can be sold.', { errors });
}

type Blocks = Record<string, GroupBlock>;

/**
 * Blocks that the request does not name and that stay: nights that have passed, and booked shoulder nights.
 * @throws DomainError INVALID_STATE where another block would be left out though guests have picked it up
 */
function blocksNotNamed({ today }: Draft, wanted: Wanted, before: Before): Blocks {
  const named = new Set(wanted.blocks.map(({ roomType, day }) => blockKey(roomType, day)));
  const others: Blocks = {};
  for (const [key, block] of Object.entries(before.blocks)) {
    if (named.has(key)) continue;
    if (block.day < today || block.isShoulder) others[key] = block;
    else checkPickedUp(block, 0);
  }
  return others;
}

/** @throws DomainError ROOM_NOT_AVAILABLE, INVALID_STATE below what is picked up, UNKNOWN_ROOM_TYPE */
function wantedBlocks(draft: Draft, wanted: Wanted, before: Before, released: boolean): Blocks {
  const { policies } = draft.property!.metadata;
  const blocks: Blocks = {};
  for (const block of wanted.blocks) {
    const { roomType, day, rooms } = block;
    const key = blockKey(roomType, day);
    const had = before.blocks[key];
    const slab = draft.slab(roomType);
    if (!slab) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
    if (had) checkPickedUp(had, rooms);
    const next = { ...blockWish(block), pickedUp: had?.pickedUp ?? 0 };
    const more = remainingOf({ released }, next) - (had ? remainingOf(before, had) : 0);
    const date = formatDay(day);
    if (more > 0 && slab.has(day) && slab.free(day, policies.overbookingLimit) < more)
      throw new DomainError('ROOM_NOT_AVAILABLE', `Not so many ${roomType} rooms are free on ${date}.`, {
        date,
        extra: { roomType },
      });
    blocks[key] = next;
  }
  return blocks;
}

/** @throws DomainError INVALID_STATE */
function checkPickedUp({ roomType, day, pickedUp }: GroupBlock, rooms: number): void {
  if (rooms >= pickedUp) return;
  const date = formatDay(day);
  const detail = `${pickedUp} ${roomType} rooms of ${date} are picked up; the block cannot be cut below that.`;
  throw new DomainError('INVALID_STATE', detail, { date, extra: { roomType, pickedUp } });
}

/** A block as a request has it. */
function blockWish({ roomType, day, rooms, rate }: Omit<GroupBlock, 'pickedUp'>): Omit<GroupBlock, 'pickedUp'> {
  return { roomType, day, rooms, rate };
}

type Fact = Record<string, unknown>;

/** The group for the journal, which holds no personal data in plain text. */
function shown({ name, cutoff, agreed, shoulderNights, contact }: Partial<Group>): Fact {
  return definedMembers({ name, cutoff, ...agreed, shoulderNights, ...(contact && { hasContact: true }) });
}

/** Members that differ, before and after; of the blocks those that do. */
function changedMembers(before: Group, next: Group): { before: Fact; after: Fact } {
  const facts = [before, next].map((group): Fact => ({ ...shown(group), released: group.released })) as [Fact, Fact];
  const [old, now] = facts;
  const names = [...new Set(facts.flatMap(Object.keys))].filter((name) => !sameValue(old[name], now[name]));
  const keys = [...new Set([before, next].flatMap(({ blocks }) => Object.keys(blocks)))].filter(
    (key) => !sameValue(before.blocks[key], next.blocks[key]),
  );
  const only = (of: Fact, { blocks }: Group): Fact => ({
    ...Object.fromEntries(names.map((name) => [name, of[name] ?? null])),
    ...(keys.length > 0 && { blocks: keys.flatMap((key) => (blocks[key] ? [blockWish(blocks[key])] : [])) }),
  });
  return { before: only(old, before), after: only(now, next) };
}
