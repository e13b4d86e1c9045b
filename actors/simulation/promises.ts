import type { Command, CommandOf } from '../../src/kernel/rules/commands.ts';
import { DAY, group, id, plainRoom, promotion } from '../../src/testing/property-world.ts';
import type { Promises } from './model.ts';

/** Few units and one blocked room, so that the last one is requested often. */
export const PROMISES: Promises = {
  units: 4,
  unitsADay: 2,
  block: { roomType: 'STD', from: DAY + 5, to: DAY + 8, rooms: 1 },
};

/** The group with the block; every property has one under this id. */
export const GROUP_ID = id(77);

/** Discount of the promotion, and the group's price of a night. */
export const PERCENT_OFF = 10;
export const GROUP_RATE = 8_000;

/** The code of a property's promotion: codes are unique within a tenant. */
export function promoCodeOf(propertyId: string): string {
  return propertyId.toUpperCase();
}

/** Rooms that maintenances close; the types have more. */
export const ROOM_TYPE_OF: Readonly<Record<string, string>> = { '101': 'STD', '102': 'STD', '201': 'DLX' };

/** The group with so many rooms on each night. */
export function groupWithRooms(rooms: number): Omit<CommandOf<'CHANGE_GROUP'>, 'type'> {
  const { roomType, from, to } = PROMISES.block;
  const days = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  const blocks = days.map((day) => ({ roomType, day, rooms, rate: GROUP_RATE }));
  return { groupId: GROUP_ID, name: 'Wedding', cutoff: DAY + 20, blocks };
}

/** The commands that create these promises and rooms. */
export function promising(propertyId: string): Command[] {
  const { units, unitsADay, block } = PROMISES;
  const inventory = { totalRooms: units, maxPerDay: unitsADay };
  const rooms = Object.entries(ROOM_TYPE_OF).map(([roomNumber, roomType]) => plainRoom(roomNumber, { roomType }));
  return [
    { type: 'PUT_ROOMS', rooms, mode: 'create' },
    promotion({
      promoCode: promoCodeOf(propertyId),
      inventory,
      discount: { type: 'PERCENTAGE', value: PERCENT_OFF },
    }),
    group(1, groupWithRooms(block.rooms)),
  ];
}
