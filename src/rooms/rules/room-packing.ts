import type { Day } from '../../kernel/rules/dates.ts';
import { type NightRange, type PlanRoom, type PlanStay, shareNights } from './room-plan.ts';

/** A room with its fixed nights, in order, without overlap. */
export type PackingRoom = { room: PlanRoom; taken: readonly NightRange[] };

/** Rooms that meet all required wishes of a stay; the same wishes have the same key. */
export type RoomNeeds = { key: string; fits: (room: PlanRoom) => boolean };

/** A stay that needs one room for all of its nights from today on. */
export type PackingStay = NightRange & {
  stay: PlanStay;
  /** Whether it needs a room now; a later one only must keep at least one possible room. */
  due: boolean;
  /** Priority: the highest chooses first. */
  right: number;
  /** Absent where any room of the type will do. */
  needs?: RoomNeeds;
};

export const fitsIn = ({ needs }: Pick<PackingStay, 'needs'>, room: PlanRoom): boolean => needs?.fits(room) ?? true;

/** Distinct needs of stays. */
export function needsOf(stays: Iterable<Pick<PackingStay, 'needs'>>): RoomNeeds[] {
  const all = new Map<string, RoomNeeds>();
  for (const { needs } of stays) if (needs) all.set(needs.key, needs);
  return [...all.values()];
}

/** How many of the needs a room meets, and the accessible rooms' own: rooms that meet most are left for last. */
export const usesOf = (room: PlanRoom, needs: readonly RoomNeeds[]): number =>
  needs.filter(({ fits }) => fits(room)).length + (room.accessible ? 1 : 0);

/** Rates the gap that a stay leaves before the next taken night; the lowest value is best. */
export type PackingFit = (gap: number) => number;

/** No gap, else the longest: the rest can still be sold. */
export const roomy: PackingFit = (gap) => (gap === 0 ? 0 : 1 + 1 / gap);

/** The shortest gap: rooms with long free periods stay free for long stays. */
export const tight: PackingFit = (gap) => Math.min(gap, FOREVER);
const FOREVER = 1_000_000;

/** How well a room suits a stay, among equal fits. */
export type Suits = (stay: PlanStay, room: PlanRoom) => number;

/** Room checks, of some 5 ns each, that a search may still take. */
export type Effort = { looks: number };

export const NOWHERE = -1;

/** Outweighs every gap: rooms that few can use are taken last. */
const SPARED = 2_000_000;

/** Effort of checking whether two rooms can exchange stays. */
const A_CHANGE = 100;

/**
 * Places stays, ordered by first night, in rooms one after the other. Where no room is taken after the first night of a
 * stay, all free ones are equivalent, and a place is found whenever each night has a free room (interval colouring).
 * Otherwise `fit` chooses; a stay that finds only rooms with too short a gap exchanges the latest stays of two rooms.
 */
export class Packing {
  /** Index of the room of each stay. */
  readonly roomOf: Int32Array;
  readonly #rooms: readonly PackingRoom[];
  readonly #stays: readonly PackingStay[];
  readonly #fit: PackingFit;
  readonly #suits: Suits;
  /** Index of the first taken nights of each room that are not past. */
  readonly #next: Int32Array;
  /** Indexes of stays in each room. */
  readonly #in: number[][];
  /** Uses of each room for others; none where rooms are not spared. */
  readonly #spared: Int32Array;

  constructor(
    rooms: readonly PackingRoom[],
    stays: readonly PackingStay[],
    fit: PackingFit,
    suits: Suits,
    isSparing = false,
  ) {
    this.#rooms = rooms;
    this.#stays = stays;
    this.#fit = fit;
    this.#suits = suits;
    const needs = isSparing ? needsOf(stays) : [];
    this.#spared = Int32Array.from(rooms, ({ room }) => (isSparing ? usesOf(room, needs) : 0));
    this.roomOf = new Int32Array(stays.length).fill(NOWHERE);
    this.#next = new Int32Array(rooms.length);
    this.#in = rooms.map(() => []);
  }

  /** Whether every stay got a room. */
  run(effort: Effort): boolean {
    let all = true;
    for (let stay = 0; stay < this.#stays.length; stay++) {
      effort.looks -= this.#rooms.length;
      let room = this.#best(stay);
      if (room === NOWHERE && effort.looks > 0) room = this.#exchange(stay, effort);
      if (room === NOWHERE) all = false;
      else this.#put(stay, room);
    }
    return all;
  }

  #put(stay: number, room: number): void {
    this.roomOf[stay] = room;
    this.#in[room]!.push(stay);
  }

  /** First day from `day` on that the room is taken; `day` itself when it is taken then. */
  #freeUntil(room: number, day: Day): Day {
    const last = this.#in[room]!.at(-1);
    return last !== undefined && this.#stays[last]!.to > day ? day : this.#notTakenUntil(room, day);
  }

  #notTakenUntil(room: number, day: Day): Day {
    const { taken } = this.#rooms[room]!;
    let next = this.#next[room]!;
    while (next < taken.length && taken[next]!.to <= day) next++;
    this.#next[room] = next;
    return next < taken.length ? Math.max(day, taken[next]!.from) : Infinity;
  }

  #best(index: number): number {
    const { stay, from, to, due, needs } = this.#stays[index]!;
    let best = NOWHERE;
    let bestFit = Infinity;
    let bestSuits = -Infinity;
    for (let room = 0; room < this.#rooms.length; room++) {
      const until = this.#freeUntil(room, from);
      if (until < to) continue;
      const candidate = this.#rooms[room]!.room;
      if (needs && !needs.fits(candidate)) continue;
      // Its own room before any other, so that no more stays move than necessary.
      const fit =
        candidate.roomNumber === stay.roomNumber ? -1 : this.#fit(until - to) + SPARED * this.#spared[room]!;
      if (fit > bestFit || (fit === bestFit && !due)) continue;
      const suits = due ? this.#suits(stay, candidate) : 0;
      if (fit === bestFit && suits <= bestSuits) continue;
      [best, bestFit, bestSuits] = [room, fit, suits];
    }
    return best;
  }

  /**
   * Exchanges stays between a room that would do but has one of the movable stays tonight, and a room that is free
   * tonight but will not do: from some night on, the stays of each have to fit into the other.
   */
  #exchange(index: number, effort: Effort): number {
    const { from, to, needs } = this.#stays[index]!;
    const free: number[] = [];
    for (let room = 0; room < this.#rooms.length; room++) if (this.#freeUntil(room, from) > from) free.push(room);
    for (let room = 0; room < this.#rooms.length; room++) {
      if (this.#notTakenUntil(room, from) < to || needs?.fits(this.#rooms[room]!.room) === false) continue;
      for (const other of free) {
        effort.looks -= A_CHANGE;
        if (this.#changePlaces(room, other)) return room;
        if (effort.looks <= 0) return NOWHERE;
      }
    }
    return NOWHERE;
  }

  #changePlaces(one: number, other: number): boolean {
    const ours = this.#in[one]!;
    const theirs = this.#in[other]!;
    let left = ours.length - 1;
    let right = theirs.length;
    // Back to a morning on which no stay continues in either room.
    let cut = this.#stays[ours[left]!]!.from;
    const staysOn = (before: number | undefined): boolean => before !== undefined && this.#stays[before]!.to > cut;
    for (;;) {
      let earlier: number;
      if (staysOn(theirs[right - 1])) earlier = theirs[--right]!;
      else if (staysOn(ours[left - 1])) earlier = ours[--left]!;
      else break;
      cut = Math.min(cut, this.#stays[earlier]!.from);
    }
    const leaving = ours.slice(left);
    const coming = theirs.slice(right);
    if (!leaving.every((stay) => this.#canTake(other, stay))) return false;
    if (!coming.every((stay) => this.#canTake(one, stay))) return false;
    ours.length = left;
    theirs.length = right;
    for (const stay of coming) this.#put(stay, one);
    for (const stay of leaving) this.#put(stay, other);
    return true;
  }

  #canTake(room: number, index: number): boolean {
    const stay = this.#stays[index]!;
    const { room: candidate, taken } = this.#rooms[room]!;
    return fitsIn(stay, candidate) && !taken.some((nights) => shareNights(nights, stay));
  }
}
