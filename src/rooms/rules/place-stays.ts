import type { Day } from '../../kernel/rules/dates.ts';
import { searchPacking } from './packing-search.ts';
import { RoomNights } from './room-nights.ts';
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
  /** Stays without a room for all nights, in the order of the lists. */
  unplaced: PackingStay[];
  /** Rooms that are left by night. */
  free: RoomNights;
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
  const free = new RoomNights(today, type.rooms.length);
  placer.takeStanding(free);
  for (const stay of admitted) free.take(stay);
  // Where placing later stays exceeds the effort, a free room on each night is enough.
  if (!known) for (const stay of later) if (free.tryTake(stay)) admitted.add(stay);
  return { roomOf: found.roomOf, unplaced: all.filter((stay) => !admitted.has(stay)), free };
}

type Found = { admitted: readonly PackingStay[]; roomOf: Map<PackingStay, PlanRoom> };

class Placer {
  readonly #type: RoomsOfType;
  readonly #suits: Suits;
  readonly #today: Day;
  readonly #maxLooks: number;
  /** Rooms with all current assignments fixed. */
  readonly #unmoved: readonly PackingRoom[];
  #effort: Effort = { looks: 0 };

  constructor(type: RoomsOfType, suits: Suits, today: Day, maxLooks: number) {
    this.#type = type;
    this.#suits = suits;
    this.#today = today;
    this.#maxLooks = maxLooks;
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
      const roomOf = this.#pack(admitted);
      if (roomOf) return { admitted, roomOf };
      misfits.add(this.#firstMisfit(admitted));
    }
    return undefined;
  }

  /** Places stays without moving any; `undefined` when one is left out that must not be. */
  asItFits(wanted: readonly PackingStay[], mayMiss: (stay: PackingStay) => boolean): Found | undefined {
    const admitted = this.#admit(wanted);
    const stays = byFirstNight(unsure(this.#unmoved, admitted.slice(this.#type.settled.length)));
    const packing = new Packing(this.#unmoved, stays, tight, this.#suits);
    packing.run({ looks: this.#maxLooks });
    const missed = new Set(stays.filter((_, index) => packing.roomOf[index] === NOWHERE));
    if (![...missed].every(mayMiss)) return undefined;
    const roomOf = new Map(this.#where(stays, packing.roomOf, this.#unmoved));
    this.#addSettled(roomOf);
    return { admitted: admitted.filter((stay) => !missed.has(stay)), roomOf };
  }

  takeStanding(free: RoomNights): void {
    for (const { taken } of this.#type.rooms) for (const nights of taken) free.take(nights);
  }

  /** Stays for which a room is free on every night, beside those before them. */
  #admit(wanted: readonly PackingStay[]): PackingStay[] {
    const free = new RoomNights(this.#today, this.#type.rooms.length);
    this.takeStanding(free);
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
  #pack(stays: readonly PackingStay[]): Map<PackingStay, PlanRoom> | undefined {
    const roomOf = this.#packInto(this.#unmoved, stays.slice(this.#type.settled.length));
    if (roomOf) this.#addSettled(roomOf);
    return roomOf ?? (this.#type.settled.length > 0 ? this.#packInto(this.#type.rooms, stays) : undefined);
  }

  #packInto(rooms: readonly PackingRoom[], stays: readonly PackingStay[]): Map<PackingStay, PlanRoom> | undefined {
    const inOrder = byFirstNight(unsure(rooms, stays));
    for (const fit of [roomy, tight]) {
      if (this.#effort.looks <= 0) return undefined;
      const packing = new Packing(rooms, inOrder, fit, this.#suits);
      if (packing.run(this.#effort)) return new Map(this.#where(inOrder, packing.roomOf, rooms));
    }
    const search = { looks: Math.min(MAX_SEARCHED, this.#effort.looks) };
    const before = search.looks;
    const found = searchPacking(rooms, inOrder, search);
    this.#effort.looks -= before - search.looks;
    return found && new Map(this.#where(inOrder, found, rooms));
  }

  *#where(stays: readonly PackingStay[], found: Int32Array, rooms: readonly PackingRoom[]) {
    for (const [index, stay] of stays.entries())
      if (found[index] !== NOWHERE && stay.due) yield [stay, rooms[found[index]!]!.room] as const;
  }

  #addSettled(roomOf: Map<PackingStay, PlanRoom>): void {
    const rooms = new Map(this.#type.rooms.map(({ room }) => [room.roomNumber, room]));
    for (const stay of this.#type.settled) roomOf.set(stay, rooms.get(stay.stay.roomNumber!)!);
  }
}

/** Stable: stays that begin on the same night keep their order of priority. */
function byFirstNight(stays: readonly PackingStay[]): PackingStay[] {
  return [...stays].sort((a, b) => a.from - b.from);
}

/**
 * Drops stays that are certain to find a room later: once no taken nights follow, any free room will do, and one is
 * free on each night. So most properties only place the arrivals.
 */
function unsure(rooms: readonly PackingRoom[], stays: readonly PackingStay[]): readonly PackingStay[] {
  let last = -Infinity;
  for (const { taken } of rooms) last = Math.max(last, taken.at(-1)?.from ?? -Infinity);
  for (const { due, from } of stays) if (due) last = Math.max(last, from);
  return stays.filter(({ due, from }) => due || from < last);
}
