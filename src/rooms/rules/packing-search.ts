import type { Day } from '../../kernel/rules/dates.ts';
import { type Effort, needsOf, NOWHERE, type PackingRoom, type PackingStay, usesOf } from './room-packing.ts';

/** Largest number of stays for a search: its depth is the number of stays. */
const MAX_STAYS = 400;

/** Effort of one room: determining what it still offers, and whether that was tried. */
const A_ROOM = 25;

/** More nights than any stay has. */
const MORE_THAN_NIGHTS = 10_000;

/**
 * Finds rooms for all stays, ordered by first night, by search. Rooms that are free, have the same future taken
 * nights and meet the same needs are equivalent, and a failed combination is not tried again. Finds a solution wherever
 * there is one, within `effort`; there is no fast algorithm in general (interval colouring with some colours fixed).
 */
export function searchPacking(
  rooms: readonly PackingRoom[],
  stays: readonly PackingStay[],
  effort: Effort,
): Int32Array | undefined {
  if (stays.length > MAX_STAYS) return undefined;
  const search = new PackingSearch(rooms, stays, effort);
  return search.from(0) ? search.roomOf : undefined;
}

class PackingSearch {
  readonly roomOf: Int32Array;
  readonly #rooms: readonly PackingRoom[];
  readonly #stays: readonly PackingStay[];
  readonly #effort: Effort;
  /** End of the last stay placed in each room. */
  readonly #freeFrom: Float64Array;
  /** A number for each list of future taken nights and met needs, by room and by how many are past. */
  readonly #offers: number[][];
  /** Uses of each room for others: those with fewest are tried first. */
  readonly #spared: number[] = [];
  readonly #failed = new Set<string>();

  constructor(rooms: readonly PackingRoom[], stays: readonly PackingStay[], effort: Effort) {
    this.#rooms = rooms;
    this.#stays = stays;
    this.#effort = effort;
    this.roomOf = new Int32Array(stays.length).fill(NOWHERE);
    this.#freeFrom = new Float64Array(rooms.length).fill(-Infinity);
    const known = new Map<string, number>();
    const needs = needsOf(stays);
    this.#offers = rooms.map(({ room, taken }) => {
      const met = needs.map(({ fits }) => (fits(room) ? '1' : '0')).join('');
      this.#spared.push(usesOf(room, needs));
      return Array.from({ length: taken.length + 1 }, (_, over) => {
        const rest = taken.slice(over).map(({ from, to }) => `${from}-${to}`);
        const offer = `${met} ${rest.join()}`;
        return known.get(offer) ?? known.set(offer, known.size).get(offer)!;
      });
    });
  }

  /** Whether the stays from this one on find rooms beside those before them. */
  from(index: number): boolean {
    const wanted = this.#stays[index];
    if (!wanted) return true;
    this.#effort.looks -= A_ROOM * this.#rooms.length;
    if (this.#effort.looks <= 0) return false;
    const kinds = Float64Array.from(this.#rooms, (_, room) => this.#kindOf(room, wanted.from));
    const state = `${index} ${kinds.toSorted().join(' ')}`;
    if (this.#failed.has(state)) return false;
    const attempted = new Set<number>();
    for (const room of this.#inOrder(wanted)) {
      if (attempted.has(kinds[room]!)) continue;
      attempted.add(kinds[room]!);
      const before = this.#freeFrom[room]!;
      this.#freeFrom[room] = wanted.to;
      this.roomOf[index] = room;
      if (this.from(index + 1)) return true;
      this.#freeFrom[room] = before;
    }
    this.#failed.add(state);
    return false;
  }

  /** Equivalence class of a room from a day on; rooms of one class are interchangeable. */
  #kindOf(room: number, day: Day): number {
    const { taken } = this.#rooms[room]!;
    let over = 0;
    while (over < taken.length && taken[over]!.to <= day) over++;
    return this.#offers[room]![over]! * MORE_THAN_NIGHTS + Math.max(0, this.#freeFrom[room]! - day);
  }

  /** Rooms that are free for the stay: its own first, then those that others need least, with the shortest gap. */
  #inOrder({ stay, from, to, needs }: PackingStay): number[] {
    const order: { room: number; spared: number; gap: number }[] = [];
    for (const [room, { room: candidate, taken }] of this.#rooms.entries()) {
      if (this.#freeFrom[room]! > from || needs?.fits(candidate) === false) continue;
      const next = taken.find((nights) => nights.to > from);
      const until = next ? next.from : Infinity;
      if (until < to) continue;
      const isOwn = candidate.roomNumber === stay.roomNumber;
      order.push({ room, spared: isOwn ? -1 : this.#spared[room]!, gap: until - to });
    }
    const byGap = (a: number, b: number): number => (a === b ? 0 : a - b);
    return order
      .sort((a, b) => a.spared - b.spared || byGap(a.gap, b.gap) || a.room - b.room)
      .map(({ room }) => room);
  }
}
