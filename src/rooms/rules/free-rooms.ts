import type { Day } from '../../kernel/rules/dates.ts';
import { RoomNights } from './room-nights.ts';
import type { RoomNeeds, PackingRoom } from './room-packing.ts';
import type { NightRange } from './room-plan.ts';

type Wanted = NightRange & { needs?: RoomNeeds };
type RoomsWithNeeds = { fits: boolean[]; nights: RoomNights };

/**
 * Free rooms of a type by night, and of those that meet each need: a stay takes one of the rooms that meet its need,
 * and so one of every set of rooms that has all of these.
 */
export class FreeRooms {
  readonly #first: Day;
  readonly #rooms: readonly PackingRoom[];
  readonly #all: RoomNights;
  readonly #byNeed = new Map<string, RoomsWithNeeds>();
  readonly #taken: Wanted[] = [];

  /** All rooms but for their taken nights. */
  constructor(first: Day, rooms: readonly PackingRoom[]) {
    this.#first = first;
    this.#rooms = rooms;
    this.#all = new RoomNights(first, rooms.length);
    for (const { taken } of rooms) for (const nights of taken) this.#all.take(nights);
  }

  /** First of the nights without a free room that the stay can have. */
  firstFull(stay: Wanted): Day | undefined {
    return this.#of(stay)?.nights.firstFull(stay) ?? this.#all.firstFull(stay);
  }

  /** First of the nights without a free room, whatever the stay needs. */
  firstSoldOut(stay: NightRange): Day | undefined {
    return this.#all.firstFull(stay);
  }

  take(stay: Wanted): void {
    const rooms = this.#of(stay);
    this.#all.take(stay);
    for (const other of this.#byNeed.values()) if (rooms && isWithin(rooms, other)) other.nights.take(stay);
    this.#taken.push(stay);
  }

  /** Takes a room on all of the nights, if one is free on each. */
  tryTake(stay: Wanted): boolean {
    const rooms = this.#of(stay);
    if (this.#all.firstFull(stay) !== undefined) return false;
    for (const other of this.#byNeed.values())
      if (rooms && isWithin(rooms, other) && other.nights.firstFull(stay) !== undefined) return false;
    this.take(stay);
    return true;
  }

  #of({ needs }: Wanted): RoomsWithNeeds | undefined {
    if (!needs) return undefined;
    let of = this.#byNeed.get(needs.key);
    if (of) return of;
    const fits = this.#rooms.map(({ room }) => needs.fits(room));
    of = { fits, nights: new RoomNights(this.#first, fits.filter(Boolean).length) };
    for (const [index, { taken }] of this.#rooms.entries())
      if (fits[index]) for (const nights of taken) of.nights.take(nights);
    this.#byNeed.set(needs.key, of);
    for (const stay of this.#taken) {
      const rooms = this.#of(stay);
      if (rooms && isWithin(rooms, of)) of.nights.take(stay);
    }
    return of;
  }
}

const isWithin = ({ fits }: RoomsWithNeeds, other: RoomsWithNeeds): boolean =>
  fits.every((fit, room) => !fit || other.fits[room]);
