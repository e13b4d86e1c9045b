import type { Day } from '../../kernel/rules/dates.ts';
import { type Effort, NOWHERE, type PackingRoom, type PackingStay } from './room-packing.ts';

/** Largest number of stays for a search: its depth is the number of stays. */
const MAX_STAYS = 400;

/** Effort of one room: determining what it still offers, and whether that was tried. */
const A_ROOM = 25;

/** More nights than any stay has. */
const MORE_THAN_NIGHTS = 10_000;

/**
 * Finds rooms for all stays, ordered by first night, by search. Rooms that are free and have the same future taken
 * nights are equivalent, and a failed combination is not tried again. Finds a solution wherever there is one, within
 * `effort`; there is no fast algorithm in general (interval colouring with some colours fixed).
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
  /** A number for each list of future taken nights, by room and by how many are past. */
  readonly #offers: number[][];
  readonly #failed = new Set<string>();

  constructor(rooms: readonly PackingRoom[], stays: readonly PackingStay[], effort: Effort) {
    this.#rooms = rooms;
    this.#stays = stays;
    this.#effort = effort;
    this.roomOf = new Int32Array(stays.length).fill(NOWHERE);
    this.#freeFrom = new Float64Array(rooms.length).fill(-Infinity);
    const known = new Map<string, number>();
    this.#offers = rooms.map(({ taken }) =>
      Array.from({ length: taken.length + 1 }, (_, over) => {
        const rest = taken.slice(over).map(({ from, to }) => `${from}-${to}`);
        const offer = rest.join();
        return known.get(offer) ?? known.set(offer, known.size).get(offer)!;
      }),
    );
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

  /** Rooms that are free for the stay: its own first, then those with the shortest gap after it. */
  #inOrder({ stay, from, to }: PackingStay): number[] {
    const order: { room: number; gap: number }[] = [];
    for (const [room, { room: candidate, taken }] of this.#rooms.entries()) {
      if (this.#freeFrom[room]! > from) continue;
      const next = taken.find((nights) => nights.to > from);
      const until = next ? next.from : Infinity;
      if (until < to) continue;
      order.push({ room, gap: candidate.roomNumber === stay.roomNumber ? -1 : until - to });
    }
    return order.sort((a, b) => (a.gap === b.gap ? a.room - b.room : a.gap - b.gap)).map(({ room }) => room);
  }
}
