import fc from 'fast-check';

import { LOYALTY_TIERS } from '../guests/rules/guest.ts';
import type { Day } from '../kernel/rules/dates.ts';
import { isClosedIn, type PlanRoom, type PlanStay } from '../rooms/rules/room-plan.ts';
import { fitsStay, type Floors, floorsOf, type RoomWish, ROOM_WISH_KINDS } from '../rooms/rules/room-wishes.ts';

/** The business date of all properties here. */
export const TODAY: Day = 20_000;

export const room = (roomNumber: string, more: Partial<PlanRoom> = {}): PlanRoom => ({
  roomNumber,
  roomType: 'STD',
  floor: 1,
  status: 'AVAILABLE',
  features: [],
  ...more,
});

/** A stay by its nights from today on; before today with a negative `from`. */
export const stay = (
  reservationId: string,
  from: number,
  nights: number,
  more: Partial<PlanStay> = {},
): PlanStay => ({
  reservationId,
  roomType: 'STD',
  checkIn: TODAY + from,
  checkOut: TODAY + from + nights,
  status: 'CONFIRMED',
  tier: 'NONE',
  ...more,
});

export type RoomProperty = { rooms: PlanRoom[]; stays: PlanStay[] };

const rooms = (roomType: string, first: number, most: number): fc.Arbitrary<PlanRoom[]> =>
  fc
    .array(fc.constantFrom('AVAILABLE', 'OCCUPIED', 'DIRTY', 'CLEAN', 'INSPECTED', 'CLEAN', 'OUT_OF_ORDER'), {
      minLength: 1,
      maxLength: most,
    })
    .map((all) => all.map((status, index) => room(String(first + index), { roomType, status })));

const wish = fc.record({
  from: fc.integer({ min: -3, max: 8 }),
  nights: fc.integer({ min: 1, max: 6 }),
  roomType: fc.constantFrom('STD', 'STD', 'DLX'),
  tier: fc.constantFrom(...LOYALTY_TIERS),
  /** Which room it has, if it can have it. */
  inRoom: fc.integer({ min: -4, max: 5 }),
  fixed: fc.boolean(),
});

/** Small properties with stays of every kind, in which nobody has a room that somebody else has too. */
export const smallProperty: fc.Arbitrary<RoomProperty> = fc
  .record({
    std: rooms('STD', 101, 4),
    dlx: rooms('DLX', 201, 2),
    wishes: fc.array(wish, { minLength: 4, maxLength: 12, size: 'max' }),
  })
  .map(({ std, dlx, wishes }) => {
    const property: RoomProperty = { rooms: [...std, ...dlx], stays: [] };
    for (const [index, { from, nights, inRoom, ...rest }] of wishes.entries()) {
      const id = `r${String.fromCharCode(97 + ((index * 7) % 26))}${index}`;
      const waiting = stay(id, from, nights, { roomType: rest.roomType, tier: rest.tier });
      const roomNumber = property.rooms[inRoom]?.roomNumber;
      const isIn = from <= 0 && roomNumber !== undefined;
      const placed: PlanStay = {
        ...waiting,
        roomNumber,
        status: isIn ? 'CHECKED_IN' : 'CONFIRMED',
        fixed: rest.fixed,
      };
      const alone = property.stays.every((other) => other.roomNumber !== roomNumber || apart(other, placed));
      const has = roomNumber !== undefined && alone;
      property.stays.push(has ? placed : { ...waiting, checkIn: Math.max(waiting.checkIn, TODAY) });
    }
    property.stays = property.stays.filter(({ checkIn, checkOut }) => checkIn < checkOut);
    return property;
  });

const piece = fc.record({
  gap: fc.constantFrom(0, 0, 0, 1),
  nights: fc.integer({ min: 1, max: 5 }),
  tier: fc.constantFrom(...LOYALTY_TIERS),
  /** Given by hand, given, or yet to be given. */
  has: fc.constantFrom('FIXED', 'ROOM', 'NOTHING', 'NOTHING'),
});

/** Properties of one type, almost full, for whose stays there is a way to give each one room for all nights. */
export const packedProperty: fc.Arbitrary<RoomProperty> = fc
  .array(fc.tuple(fc.integer({ min: -2, max: 1 }), fc.array(piece, { minLength: 1, maxLength: 4, size: 'max' })), {
    minLength: 2,
    maxLength: 4,
    size: 'max',
  })
  .map((packing) => {
    const property: RoomProperty = { rooms: [], stays: [] };
    for (const [index, [first, pieces]] of packing.entries()) {
      const roomNumber = String(101 + index);
      property.rooms.push(room(roomNumber));
      let from = first;
      for (const { gap, nights, tier, has } of pieces) {
        const id = `r${String.fromCharCode(97 + ((property.stays.length * 7) % 26))}${property.stays.length}`;
        from += gap;
        const one = stay(id, from, nights, { tier });
        const isIn = from <= 0 && from + nights >= 1;
        if (isIn) property.stays.push({ ...one, roomNumber, status: 'CHECKED_IN' });
        else if (has === 'NOTHING' && from >= 0) property.stays.push(one);
        else if (from > 0) property.stays.push({ ...one, roomNumber, fixed: has === 'FIXED' });
        from += nights;
      }
    }
    return property;
  });

const wishOf = fc
  .record({
    kind: fc.constantFrom(...ROOM_WISH_KINDS),
    word: fc.nat({ max: 2 }),
    weight: fc.constantFrom(1, 5, 10, 50),
    required: fc.constantFrom(false, false, true),
  })
  .map(({ kind, word, weight, required }): RoomWish => {
    const values: Partial<Record<RoomWish['kind'], string[]>> = {
      FLOOR: ['LOW', 'HIGH', '2'],
      BED_TYPE: ['KING', 'TWIN', 'KING'],
      SMOKING: ['SMOKING', 'NON_SMOKING', 'NON_SMOKING'],
      FEATURE: ['VIEW', 'BATH', 'VIEW'],
      ROOM: ['101', '102', '201'],
    };
    const value = values[kind]?.[word];
    const isRequired = required && kind !== 'CONNECTING';
    return { kind, ...(value && { value }), weight, ...(isRequired && { required: true as const }) };
  });

const equipment = fc.record({
  accessible: fc.constantFrom(false, false, true),
  features: fc.subarray(['KING', 'TWIN', 'SMOKING', 'VIEW', 'BATH']),
  floor: fc.integer({ min: 1, max: 3 }),
  /** Whether a door leads to the room before. */
  door: fc.boolean(),
  closed: fc.constantFrom(undefined, undefined, undefined, { from: TODAY + 2, to: TODAY + 4 }),
});

/**
 * Small properties whose rooms differ, are closed for a while, or have doors, and whose stays have wishes and belong to
 * three bookings. No stay has a room, but guests in house and those whose room was assigned by hand.
 */
export const wishingProperty: fc.Arbitrary<RoomProperty> = fc
  .record({
    property: smallProperty,
    equipments: fc.array(equipment, { minLength: 6, maxLength: 6 }),
    wished: fc.array(fc.array(wishOf, { maxLength: 3 }), { minLength: 12, maxLength: 12 }),
  })
  .map(({ property: { rooms, stays }, equipments, wished }) => {
    const equipped = rooms.map((one, index): PlanRoom => {
      const { accessible, features, floor, closed, door } = equipments[index]!;
      const before = door ? rooms[index - 1] : undefined;
      const after = equipments[index + 1]?.door ? rooms[index + 1] : undefined;
      const connectsTo = [before, after].flatMap((other) => (other ? [other.roomNumber] : []));
      return {
        ...one,
        features,
        floor,
        ...(accessible && { accessible }),
        ...(connectsTo.length > 0 && { connectsTo }),
        ...(closed && one.status !== 'OUT_OF_ORDER' && { closed: [closed] }),
      };
    });
    return {
      rooms: equipped,
      stays: stays.map((one, index) => {
        const stands = one.status === 'CHECKED_IN' || one.fixed === true;
        const kinds = new Set<string>();
        const wishes = wished[index]!.filter(({ kind }) => !kinds.has(kind) && kinds.add(kind));
        const checkIn = stands ? one.checkIn : Math.max(one.checkIn, TODAY);
        const asking = { ...one, checkIn, wishes, parties: [`party ${index % 3}`] };
        return stands ? asking : { ...asking, roomNumber: undefined };
      }),
    };
  });

/** The same rooms and stays in another order. */
export function inAnotherOrder({ rooms, stays }: RoomProperty, order: fc.Stream<number>): RoomProperty {
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((value) => ({ value, at: order.next().value as number }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  return { rooms: shuffled(rooms), stays: shuffled(stays) };
}

/**
 * By trying everything: whether `wanted` find rooms of the type among `standing`, who stay where they are. Knows
 * nothing of how assignments are made.
 */
export function canPlaceAll(
  all: readonly PlanRoom[],
  standing: readonly PlanStay[],
  wanted: readonly PlanStay[],
  floors: Floors = floorsOf(all),
): boolean {
  const [first, ...others] = wanted;
  if (!first) return true;
  return all.some((room) => {
    const { roomNumber } = room;
    const nights = { from: Math.max(first.checkIn, TODAY), to: first.checkOut };
    if (isClosedIn(room, nights) || !fitsStay(room, first, floors)) return false;
    if (!standing.every((one) => one.roomNumber !== roomNumber || apart(one, first))) return false;
    return canPlaceAll(all, [...standing, { ...first, roomNumber }], others, floors);
  });
}

/** From today on, a guest who should have left being there tonight. */
function apart(one: PlanStay, other: PlanStay): boolean {
  const until = (stay: PlanStay): Day =>
    stay.status === 'CHECKED_IN' && stay.checkOut < TODAY ? TODAY + 1 : stay.checkOut;
  const from = (stay: PlanStay): Day => Math.max(stay.checkIn, TODAY);
  return until(one) <= from(other) || until(other) <= from(one);
}

/** Rooms and nights from today on that more than one stay has. */
export function doubled(stays: readonly PlanStay[]): string[] {
  const found: string[] = [];
  for (const [index, one] of stays.entries())
    for (const other of stays.slice(index + 1))
      if (one.roomNumber !== undefined && one.roomNumber === other.roomNumber && !apart(one, other))
        found.push(`${one.roomNumber}: ${one.reservationId} ${other.reservationId}`);
  return found;
}

/**
 * Nights of stays that fit into three rooms beside the taken nights of each, but only just: filling the gaps one after
 * the other finds no way, neither the shortest first nor the longest, nor does changing places.
 */
export const KNOT: { taken: [number, number][][]; stays: [number, number][] } = {
  taken: [
    [],
    [
      [1, 4],
      [11, 12],
    ],
    [
      [8, 9],
      [9, 15],
    ],
  ],
  stays: [
    [0, 6],
    [1, 3],
    [4, 7],
    [4, 5],
    [5, 11],
    [6, 11],
    [11, 15],
    [15, 17],
  ],
};
