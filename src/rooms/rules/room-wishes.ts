import type { Guest } from '../../guests/rules/guest.ts';
import type { RoomStatus } from '../../properties/rules/property.ts';
import type { PlanRoom, RoomWishes } from './room-plan.ts';

/** Floors of a property, the lowest and the highest with rooms. */
type Floors = { lowest: number; highest: number };

export function floorsOf(rooms: Iterable<PlanRoom>): Floors {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const { floor } of rooms) [lowest, highest] = [Math.min(lowest, floor), Math.max(highest, floor)];
  return { lowest, highest };
}

/** A ready room needs no housekeeping before the guest arrives. */
const READINESS: Record<RoomStatus, number> = {
  INSPECTED: 4,
  CLEAN: 3,
  AVAILABLE: 2,
  DIRTY: 1,
  OCCUPIED: 0,
  OUT_OF_ORDER: 0,
};

/** Weights far enough apart that a feature outweighs any floor, and a floor any readiness. */
const FEATURE = 1_000;
const FLOOR = 10;

/** How well a room suits a guest; only decides between rooms that fit equally well. */
export function suitability(room: PlanRoom, wishes: RoomWishes | undefined, floors: Floors): number {
  const features = wishes?.features?.filter((feature) => room.features.includes(feature)).length ?? 0;
  const floor = wishes?.floor ? nearness(room.floor, wishes.floor, floors) : 0;
  return FEATURE * features + FLOOR * floor + READINESS[room.status];
}

/** From 0 to 99 by how near a floor is to the requested end of the property, or to its middle. */
function nearness(floor: number, wanted: NonNullable<RoomWishes['floor']>, { lowest, highest }: Floors): number {
  if (highest <= lowest) return 0;
  const height = (floor - lowest) / (highest - lowest);
  const apart = { LOW: height, HIGH: 1 - height, MIDDLE: Math.abs(height - 0.5) }[wanted];
  return Math.floor(99 * (1 - apart));
}

/**
 * Preferences of a guest that a room can meet, in the values of docs/reference/reservations.md#values; ANY requires
 * nothing.
 */
export function wishesOf(preferences: NonNullable<Guest['preferences']>): RoomWishes {
  const { floorPreference: floor, bedType, smokingPreference } = preferences;
  const features = [bedType ?? 'ANY', smokingPreference ?? 'ANY'].filter((word) => word !== 'ANY');
  return { ...(isFloor(floor) && { floor }), features };
}

function isFloor(word: string | undefined): word is NonNullable<RoomWishes['floor']> {
  return word === 'LOW' || word === 'MIDDLE' || word === 'HIGH';
}
