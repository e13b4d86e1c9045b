import { LOYALTY_TIERS, type Guest } from '../../guests/rules/guest.ts';
import type { RoomStatus } from '../../properties/rules/property.ts';
import type { PlanRoom, PlanStay } from './room-plan.ts';

/** What a stay may wish of its room (docs/reference/bookings.md#room-wishes). */
export const ROOM_WISH_KINDS = [
  'FLOOR',
  'BED_TYPE',
  'SMOKING',
  'FEATURE',
  'ACCESSIBLE',
  'CONNECTING',
  'ROOM',
] as const;
type RoomWishKind = (typeof ROOM_WISH_KINDS)[number];

export type RoomWish = {
  kind: RoomWishKind;
  /** Absent for ACCESSIBLE and CONNECTING. */
  value?: string;
  /** 1 to 100: an arrangement is better the more weight it meets. */
  weight: number;
  /** The stay gets no room that does not meet it; never of CONNECTING, which is about two stays. */
  required?: true;
};

export const BED_TYPES = ['KING', 'QUEEN', 'DOUBLE', 'TWIN', 'SINGLE'] as const;

/** Weights of the preferences of a profile: below {@link DEFAULT_WEIGHT}, a bed above any floor. */
const PROFILE_WEIGHTS = { FLOOR: 4, BED_TYPE: 6, SMOKING: 6 } as const;
export const DEFAULT_WEIGHT = 10;

/** Floors of a property, the lowest and the highest with rooms. */
export type Floors = { lowest: number; highest: number };

export function floorsOf(rooms: Iterable<Pick<PlanRoom, 'floor'>>): Floors {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const { floor } of rooms) [lowest, highest] = [Math.min(lowest, floor), Math.max(highest, floor)];
  return { lowest, highest };
}

/** Ends of a property, each a third of its height; the middle is the third between. */
export const FLOOR_WORDS = ['LOW', 'MIDDLE', 'HIGH'] as const;
type FloorWord = (typeof FLOOR_WORDS)[number];
const isFloorWord = (word: string | undefined): word is FloorWord => FLOOR_WORDS.includes(word as FloorWord);

/** Whether a room meets a wish; CONNECTING depends on the room of another stay, and no room meets it alone. */
export function meetsWish(
  room: PlanRoom,
  { kind, value = '' }: Pick<RoomWish, 'kind' | 'value'>,
  floors: Floors,
): boolean {
  switch (kind) {
    case 'FLOOR': {
      return isFloorWord(value) ? nearness(room.floor, value, floors) >= NEAR[value] : room.floor === Number(value);
    }
    case 'SMOKING': {
      return room.features.includes('SMOKING') === (value === 'SMOKING');
    }
    case 'BED_TYPE':
    case 'FEATURE': {
      return room.features.includes(value);
    }
    case 'ACCESSIBLE': {
      return room.accessible === true;
    }
    case 'ROOM': {
      return room.roomNumber === value;
    }
    case 'CONNECTING': {
      return false;
    }
  }
}

/** Nearness from which a room is in the wanted third. */
const NEAR = { LOW: 66, HIGH: 66, MIDDLE: 82 } as const;

/** From 0 to 99 by how near a floor is to the wanted end of the property, or to its middle. */
function nearness(floor: number, wanted: FloorWord, { lowest, highest }: Floors): number {
  if (highest <= lowest) return 99;
  const height = (floor - lowest) / (highest - lowest);
  const apart = { LOW: height, HIGH: 1 - height, MIDDLE: Math.abs(height - 0.5) }[wanted];
  return Math.floor(99 * (1 - apart));
}

/** Required wishes, which a room must meet. */
export const requiredOf = ({ wishes = [] }: Pick<PlanStay, 'wishes'>): readonly RoomWish[] =>
  wishes.filter(({ required }) => required);

/** Whether a room meets all required wishes of a stay. */
export function fitsStay(room: PlanRoom, stay: Pick<PlanStay, 'wishes'>, floors: Floors): boolean {
  return stay.wishes?.every((wish) => !wish.required || meetsWish(room, wish, floors)) ?? true;
}

export const wishes = ({ wishes: all = [] }: Pick<PlanStay, 'wishes'>, kind: RoomWishKind): boolean =>
  all.some((wish) => wish.kind === kind);

/** A unit of weight, which outweighs everything below it. */
export const A_WEIGHT = 1_000;
/** An accessible room is kept for those who need one, as long as that costs no wish. */
const ACCESSIBLE_TO_OTHERS = 500;
/** Nearness of a floor decides between floors that meet the wish, and between those that do not. */
const A_FLOOR = 5;

/**
 * How well a room meets the wishes of a stay, without CONNECTING. Equal weights of two stays are decided by their
 * loyalty.
 */
export function wishScore(room: PlanRoom, stay: Pick<PlanStay, 'wishes' | 'tier'>, floors: Floors): number {
  let score = room.accessible && !wishes(stay, 'ACCESSIBLE') ? -ACCESSIBLE_TO_OTHERS : 0;
  for (const wish of stay.wishes ?? []) {
    if (meetsWish(room, wish, floors)) score += A_WEIGHT * wish.weight + LOYALTY_TIERS.indexOf(stay.tier);
    if (wish.kind === 'FLOOR' && isFloorWord(wish.value)) score += A_FLOOR * nearness(room.floor, wish.value, floors);
  }
  return score;
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
const MORE_THAN_READINESS = 10;

/** How well a room suits a stay: by wishes, then by readiness; only decides between rooms that fit equally well. */
export function suitability(room: PlanRoom, stay: Pick<PlanStay, 'wishes' | 'tier'>, floors: Floors): number {
  return MORE_THAN_READINESS * wishScore(room, stay, floors) + READINESS[room.status];
}

/**
 * Wishes of a stay: its own, and those preferences of the guest's profile of whose kind it has none
 * (docs/reference/reservations.md#values). ANY wishes nothing.
 */
export function wishesOf(own: readonly RoomWish[] = [], preferences: Guest['preferences'] = {}): RoomWish[] {
  const { floorPreference, bedType, smokingPreference } = preferences;
  const profile = { FLOOR: floorPreference, BED_TYPE: bedType, SMOKING: smokingPreference };
  const more = (['FLOOR', 'BED_TYPE', 'SMOKING'] as const).flatMap((kind): RoomWish[] => {
    const value = profile[kind];
    const says = value !== undefined && value !== 'ANY' && (kind !== 'FLOOR' || isFloorWord(value));
    return says && !wishes({ wishes: own }, kind) ? [{ kind, value, weight: PROFILE_WEIGHTS[kind] }] : [];
  });
  return [...own, ...more];
}
