import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Room } from '../../../src/properties/rules/property.ts';
import type { Draft } from '../draft.ts';

/** A room with doors to these others, and with none where there are none. */
function withDoors(room: Room, doors: ReadonlySet<string>): Room {
  const { connectsTo: _, ...rest } = room;
  return { ...rest, ...(doors.size > 0 && { connectsTo: [...doors].sort() }) };
}

/**
 * Rooms that are to be stored with their doors on both sides (docs/reference/set-up.md#rooms): a stored room says which
 * rooms it connects to, and of two that are stored together one is enough.
 * @returns those rooms, and others whose doors change with them
 * @throws DomainError VALIDATION_FAILED for a room that connects to itself or to one that the property does not have
 */
export function connectedBothWays(draft: Draft, put: readonly Room[]): { rooms: Room[]; others: Room[] } {
  const doors = new Map(put.map((room) => [room.roomNumber, new Set(room.connectsTo)]));
  for (const { roomNumber, connectsTo = [] } of put)
    for (const [index, other] of connectsTo.entries()) {
      if (other === roomNumber) throw wrong(index, 'ITSELF', 'is the room itself');
      if (!doors.has(other) && !draft.rooms.has(other)) throw wrong(index, 'UNKNOWN', 'is no room of the property');
      doors.get(other)?.add(roomNumber);
    }
  const others = [...draft.rooms.values()].filter(({ roomNumber }) => !doors.has(roomNumber));
  return {
    rooms: put.map((room) => withDoors(room, doors.get(room.roomNumber)!)),
    others: others.flatMap((room) => {
      const before = new Set(room.connectsTo);
      const after = new Set(before);
      for (const [number, named] of doors)
        if (named.has(room.roomNumber)) after.add(number);
        else after.delete(number);
      return before.size === after.size && before.isSubsetOf(after) ? [] : [withDoors(room, after)];
    }),
  };
}

/** Rooms that lose their door to one that is removed. */
export function withoutDoorTo(draft: Draft, roomNumber: string): Room[] {
  return [...draft.rooms.values()]
    .filter(({ connectsTo }) => connectsTo?.includes(roomNumber))
    .map((room) => withDoors(room, new Set(room.connectsTo!.filter((other) => other !== roomNumber))));
}

/** Removed rooms that come back, with the doors to those that are there: others may be gone since. */
export function withKnownDoors(draft: Draft, removed: readonly Room[]): Room[] {
  const back = new Set(removed.map(({ roomNumber }) => roomNumber));
  const isKnown = (other: string): boolean => back.has(other) || draft.rooms.has(other);
  return removed.map((room) => withDoors(room, new Set(room.connectsTo?.filter(isKnown))));
}

function wrong(index: number, code: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'A connecting room is wrong.', {
    errors: [{ pointer: `/connectsTo/${index}`, code, detail }],
  });
}
