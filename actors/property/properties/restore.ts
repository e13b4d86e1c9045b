import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { rollTo } from '../passing-time.ts';
import { withKnownDoors } from '../rooms/connecting-doors.ts';
import { alignTasks } from '../rooms/housekeeping.ts';
import { decidePutRooms, decidePutRoomType } from './setup.ts';
type Setup = NonNullable<Facts['setup']>;

/**
 * Restores a deleted property on the current business date. Its journal row contains the whole property again, since
 * earlier entries are obsolete after the deletion.
 * @throws DomainError INVALID_STATE where it was not deleted
 */
export function decideRestoreProperty(draft: Draft, context: DecisionContext): Decision<'RESTORE_PROPERTY'> {
  if (draft.property) throw notRemoved();
  if (!draft.removed) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  const property = { ...draft.removed, updatedAt: context.now };
  draft.property = property;
  draft.removed = undefined;
  draft.propertyPut = true;
  rollTo(draft, context);
  alignTasks(draft, context);
  for (const [roomType, slab] of draft.slabs)
    for (let day = slab.first; slab.has(day); day++) draft.show(roomType, day);
  draft.showBooks();
  const setup: Setup = [
    { kind: 'property', id: property.propertyId, after: property },
    ...[...draft.roomTypes.values()].map((type) => ({ kind: 'roomType' as const, id: type.roomType, after: type })),
    ...[...draft.rooms.values()].map((room) => ({ kind: 'room' as const, id: room.roomNumber, after: room })),
  ];
  return { result: property, entity: property.propertyId, facts: { setup, businessDate: draft.today } };
}

/**
 * Restores a room type with its count and its rooms. Its nights were deleted with it, so they are those of a new type:
 * without rates, restrictions or blocks.
 * @throws DomainError INVALID_STATE where it was not deleted, ROOM_TYPE_NOT_FOUND
 */
export function decideRestoreRoomType(
  draft: Draft,
  { roomType: code, removed }: CommandOf<'RESTORE_ROOM_TYPE'>,
  context: DecisionContext,
): Decision<'RESTORE_ROOM_TYPE'> {
  if (draft.roomTypes.has(code)) throw notRemoved();
  if (!removed) throw new DomainError('ROOM_TYPE_NOT_FOUND', 'The property has no such room type.');
  const { roomType } = removed;
  const { facts } = decidePutRoomType(draft, { type: 'PUT_ROOM_TYPE', roomType, mode: 'create' });
  // Another room may have the number by now.
  const rooms = withKnownDoors(
    draft,
    removed.rooms.filter(({ roomNumber }) => !draft.rooms.has(roomNumber)),
  );
  const put = decidePutRooms(draft, { type: 'PUT_ROOMS', rooms, mode: 'create' }, context);
  return { result: roomType, entity: code, facts: { setup: [...facts.setup!, ...put.facts.setup!] } };
}

/**
 * @throws DomainError INVALID_STATE where it was not deleted, ROOM_NOT_FOUND, UNKNOWN_ROOM_TYPE where its type is
 * gone
 */
export function decideRestoreRoom(
  draft: Draft,
  { roomNumber, removed }: CommandOf<'RESTORE_ROOM'>,
  context: DecisionContext,
): Decision<'RESTORE_ROOM'> {
  if (draft.rooms.has(roomNumber)) throw notRemoved();
  if (!removed) throw new DomainError('ROOM_NOT_FOUND', 'The property has no such room.');
  const rooms = withKnownDoors(draft, [removed]);
  const { result, ...put } = decidePutRooms(draft, { type: 'PUT_ROOMS', rooms, mode: 'create' }, context);
  return { ...put, result: result[0]! };
}

const notRemoved = (): DomainError => new DomainError('INVALID_STATE', 'It was not deleted.');
