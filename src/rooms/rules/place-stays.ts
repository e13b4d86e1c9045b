import type { Day } from '../../kernel/rules/dates.ts';
import { FreeRooms } from './free-rooms.ts';
import { searchPacking } from './packing-search.ts';
import {
  type Effort,
  NOWHERE,
  Packing,
  type PackingRoom,
  type PackingStay,
  roomy,
  type Suits,
  tight,
} from './room-packing.ts';
import type { PlanRoom } from './room-plan.ts';
import type { RoomsOfType } from './rooms-of-type.ts';

/** Room checks that finding the omitted stays may take: some 20 ms. */
const MAX_LOOKS = 5_000_000;

/** Part of them for a single search for a rearrangement. */
const MAX_SEARCHED = 2_000_000;

/** Stays of one type that need a room; each list is in order of priority. */
type WantedPlace = {
  /** Need a room now. */
  due: readonly PackingStay[];
  /** Of the type, needing a room later: they should find one, but no due stay is left out for them. */
  later: readonly PackingStay[];
  /** Of another type: get a room here if no stay of the type is left out for it. */
  guests: readonly PackingStay[];
};

export type StayPlacement = {
  /** Rooms of the placed stays: settled ones, which may have moved, due ones and guests. */
  roomOf: ReadonlyMap<PackingStay, PlanRoom>;
  /** Rooms that are left for later stays, one for each, as far as these were placed. */
  laterIn: ReadonlyMap<PackingStay, PlanRoom>;
  /** Stays without a room for all nights, in the order of the lists. */
  unplaced: PackingStay[];
  /** Rooms that are left by night. */
  free: FreeRooms;
};

/**
 * Places as many stays as possible in rooms of one type, in the order settled, due, later, guests: a stay is left out
 * only when it cannot have one room for all of its nights beside all placed before it, however the movable ones are
 * moved. No stay moves when all find a room without that. Exact where only guests in house block rooms; otherwise
 * within a limited effort, after which the omitted later stays may be more than necessary.
 */
export function placeStays(
  type: RoomsOfType,
  wanted: WantedPlace,
  suits: Suits,
  today: Day,
  maxLooks = MAX_LOOKS,
): StayPlacement {
  const { settled } = type;
  const { due, later, guests } = wanted;
  const placer = new Placer(type, suits, today, maxLooks);
  const all = [...settled, ...due, ...later, ...guests];
  const known = placer.inOrder(all) ?? placer.asItFits(all, (stay) => !stay.due);
  const found = known ?? placer.inOrder([...settled, ...due]) ?? placer.asItFits([...settled, ...due], () => true)!;
  const admitted = new Set(found.admitted);
  const free = new FreeRooms(today, type.rooms);
  for (const stay of admitted) free.take(stay);
  // Where placing later stays exceeds the effort, a free room on each night is enough.
  if (!known) for (const stay of later) if (free.tryTake(stay)) admitted.add(stay);
  const { roomOf, laterIn } = found;
  return { roomOf, laterIn, unplaced: all.filter((stay) => !admitted.has(stay)), free };
}

type Rooms = { roomOf: Map<PackingStay, PlanRoom>; laterIn: Map<PackingStay, PlanRoom> };
type Found = Rooms & { admitted: readonly PackingStay[] };

class Placer {
  readonly #type: RoomsOfType;
  readonly #suits: Suits;
  readonly #today: Day;
  readonly #maxLooks: number;
  /** Whether some rooms are kept for stays that need them. */
  readonly #spares: boolean;
  /** Rooms with all current assignments fixed. */
  readonly #unmoved: readonly PackingRoom[];
  #effort: Effort = { looks: 0 };

  constructor(type: RoomsOfType, suits: Suits, today: Day, maxLooks: number) {
    this.#type = type;
    this.#suits = suits;
    this.#today = today;
    const { rooms, settled, displaced, waiting } = type;
    this.#spares =
      rooms.some(({ room }) => room.accessible) || [settled, displaced, waiting].flat().some(({ needs }) => needs);
    // Each packing is attempted twice then.
    this.#maxLooks = this.#spares ? 2 * maxLooks : maxLooks;
    const settledIn = Map.groupBy(type.settled, ({ stay }) => stay.roomNumber!);
    this.#unmoved = type.rooms.map(({ room, taken }) => {
      const more = settledIn.get(room.roomNumber) ?? [];
      return { room, taken: [...taken, ...more].sort((a, b) => a.from - b.from) };
    });
  }

  /** `undefined` when it exceeds the effort. */
  inOrder(wanted: readonly PackingStay[]): Found | undefined {
    this.#effort = { looks: this.#maxLooks };
    const misfits = new Set<PackingStay>();
    while (this.#effort.looks > 0) {
      const admitted = this.#admit(wanted.filter((stay) => !misfits.has(stay)));
      const rooms = this.#pack(admitted);
      if (rooms) return { admitted, ...rooms };
      misfits.add(this.#firstMisfit(admitted));
    }
    return undefined;
  }

  /** Places stays without moving any; `undefined` when one is left out that must not be. */
  asItFits(wanted: readonly PackingStay[], mayMiss: (stay: PackingStay) => boolean): Found | undefined {
    const admitted = this.#admit(wanted);
    const stays = byFirstNight(unsure(this.#unmoved, admitted.slice(this.#type.settled.length)));
    const packing = new Packing(this.#unmoved, stays, tight, this.#suits, true);
    packing.run({ looks: this.#maxLooks });
    const missed = new Set(stays.filter((_, index) => packing.roomOf[index] === NOWHERE));
    if (![...missed].every(mayMiss)) return undefined;
    const rooms = this.#where(stays, packing.roomOf, this.#unmoved);
    this.#addSettled(rooms);
    return { admitted: admitted.filter((stay) => !missed.has(stay)), ...rooms };
  }

  /** Stays for which a room is free on every night, beside those before them. */
  #admit(wanted: readonly PackingStay[]): PackingStay[] {
    const free = new FreeRooms(this.#today, this.#type.rooms);
    return wanted.filter((stay) => free.tryTake(stay));
  }

  /** Binary search: all stays before it find rooms together. */
  #firstMisfit(admitted: readonly PackingStay[]): PackingStay {
    let low = this.#type.settled.length;
    let high = admitted.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pack(admitted.slice(0, middle + 1))) low = middle + 1;
      else high = middle;
    }
    return admitted[low]!;
  }

  /** Rooms for all of them; the settled ones are first. */
  #pack(stays: readonly PackingStay[]): Rooms | undefined {
    const rooms = this.#packInto(this.#unmoved, stays.slice(this.#type.settled.length));
    if (rooms) this.#addSettled(rooms);
    return rooms ?? (this.#type.settled.length > 0 ? this.#packInto(this.#type.rooms, stays) : undefined);
  }

  #packInto(rooms: readonly PackingRoom[], stays: readonly PackingStay[]): Rooms | undefined {
    const inOrder = byFirstNight(unsure(rooms, stays));
    // Rooms that few can use are spared, unless that leaves a stay without one.
    for (const isSparing of this.#spares ? [true, false] : [false])
      for (const fit of [roomy, tight]) {
        if (this.#effort.looks <= 0) return undefined;
        const packing = new Packing(rooms, inOrder, fit, this.#suits, isSparing);
        if (packing.run(this.#effort)) return this.#where(inOrder, packing.roomOf, rooms);
      }
    const search = { looks: Math.min(MAX_SEARCHED, this.#effort.looks) };
    const before = search.looks;
    const found = searchPacking(rooms, inOrder, search);
    this.#effort.looks -= before - search.looks;
    return found && this.#where(inOrder, found, rooms);
  }

  #where(stays: readonly PackingStay[], found: Int32Array, rooms: readonly PackingRoom[]): Rooms {
    const where: Rooms = { roomOf: new Map(), laterIn: new Map() };
    for (const [index, stay] of stays.entries())
      if (found[index] !== NOWHERE) (stay.due ? where.roomOf : where.laterIn).set(stay, rooms[found[index]!]!.room);
    return where;
  }

  #addSettled({ roomOf }: Rooms): void {
    const rooms = new Map(this.#type.rooms.map(({ room }) => [room.roomNumber, room]));
    for (const stay of this.#type.settled) roomOf.set(stay, rooms.get(stay.stay.roomNumber!)!);
  }
}

/** Stable: stays that begin on the same night keep their order of priority. */
function byFirstNight(stays: readonly PackingStay[]): PackingStay[] {
  return [...stays].sort((a, b) => a.from - b.from);
}

/**
 * Drops stays that are certain to find a room later: once no taken nights follow, and no stay that not every room will
 * do for, any free room will do, and one is free on each night. So most properties only place the arrivals.
 */
function unsure(rooms: readonly PackingRoom[], stays: readonly PackingStay[]): readonly PackingStay[] {
  let last = -Infinity;
  for (const { taken } of rooms) last = Math.max(last, taken.at(-1)?.from ?? -Infinity);
  for (const { due, needs, from } of stays) if (due || needs) last = Math.max(last, from);
  return stays.filter(({ due, needs, from }) => due || needs || from < last);
}
