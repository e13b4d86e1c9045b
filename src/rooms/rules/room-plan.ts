import type { LoyaltyTier } from '../../guests/rules/guest.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Room } from '../../properties/rules/property.ts';
import type { RoomWish } from './room-wishes.ts';
import { StaysById } from './stays-by-id.ts';

/** Nights from `from` until the morning of `to`. */
export type NightRange = { from: Day; to: Day };

/** Whether two ranges have a night in common. */
export function shareNights(a: NightRange, b: NightRange): boolean {
  return Math.max(a.from, b.from) < Math.min(a.to, b.to);
}

/** Members of a {@link Room} that the plan needs, with the nights on which it is out of order. */
export type PlanRoom = Readonly<
  Pick<Room, 'roomNumber' | 'roomType' | 'floor' | 'status' | 'features' | 'accessible' | 'connectsTo'>
> & {
  readonly closed?: readonly NightRange[];
};

const ALWAYS: readonly NightRange[] = [{ from: -Infinity, to: Infinity }];

/** Nights on which a room is out of order; all of them where only its state says so. */
export function closedNightsOf({ closed, status }: PlanRoom): readonly NightRange[] {
  return closed ?? (status === 'OUT_OF_ORDER' ? ALWAYS : []);
}

/** Whether a room is out of order on one of these nights. */
export function isClosedIn(room: PlanRoom, nights: NightRange): boolean {
  return closedNightsOf(room).some((closed) => shareNights(closed, nights));
}

/** A stay that needs a room: check-in night inclusive, check-out day exclusive. */
export type PlanStay = {
  readonly reservationId: ReservationId;
  readonly roomType: string;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly status: 'CONFIRMED' | 'CHECKED_IN';
  readonly tier: LoyaltyTier;
  readonly roomNumber?: string;
  /** Assigned by hand: no rearrangement moves it. */
  readonly fixed?: boolean;
  /** Of the reservation, then of the guest's profile. */
  readonly wishes?: readonly RoomWish[];
  /** Its booking and its group, whose stays may wish connecting rooms. */
  readonly parties?: readonly string[];
};

const NO_STAYS: readonly PlanStay[] = [];

/**
 * Assignment of reservations to rooms and nights. A plan is immutable: `with` makes a new one that shares unchanged
 * parts, so that a batch in progress can have its own while readers use theirs.
 */
export class RoomPlan {
  readonly rooms: ReadonlyMap<string, PlanRoom>;
  readonly #stays: StaysById;
  /** Stays of each occupied room, by check-in. */
  readonly #inRoom: ReadonlyMap<string, readonly PlanStay[]>;

  private constructor(
    rooms: ReadonlyMap<string, PlanRoom>,
    stays: StaysById,
    inRoom: ReadonlyMap<string, readonly PlanStay[]>,
  ) {
    this.rooms = rooms;
    this.#stays = stays;
    this.#inRoom = inRoom;
  }

  static of(rooms: Iterable<PlanRoom>, stays: Iterable<PlanStay>): RoomPlan {
    return new RoomPlan(new Map(), StaysById.EMPTY, new Map()).withRooms(rooms).with([...stays]);
  }

  get size(): number {
    return this.#stays.size;
  }

  stay(reservationId: ReservationId): PlanStay | undefined {
    return this.#stays.get(reservationId);
  }

  /** All stays, in no particular order. */
  get stays(): Iterable<PlanStay> {
    return this.#stays;
  }

  /** Stays that have this room, by check-in. */
  inRoom(roomNumber: string): readonly PlanStay[] {
    return this.#inRoom.get(roomNumber) ?? NO_STAYS;
  }

  /** The plan without the stays `gone`, and with `put`, which replace those of the same reservation. */
  with(put: readonly PlanStay[], removed: readonly string[] = []): RoomPlan {
    const stays = this.#stays.with(put, removed);
    const changed = new Set([...removed, ...put.map(({ reservationId }) => reservationId)]);
    const touched = new Set<string | undefined>(put.map(({ roomNumber }) => roomNumber));
    for (const id of changed) touched.add(this.#stays.get(id)?.roomNumber);
    touched.delete(undefined);
    if (touched.size === 0) return new RoomPlan(this.rooms, stays, this.#inRoom);
    const inRoom = new Map(this.#inRoom);
    const listOf = new Map<string | undefined, PlanStay[]>();
    for (const room of touched)
      listOf.set(
        room,
        this.inRoom(room!).filter(({ reservationId }) => !changed.has(reservationId)),
      );
    for (const stay of new Set(put))
      if (stays.get(stay.reservationId) === stay) listOf.get(stay.roomNumber)?.push(stay);
    for (const [room, list] of listOf)
      if (list.length > 0) inRoom.set(room!, list.sort(byCheckIn));
      else inRoom.delete(room!);
    return new RoomPlan(this.rooms, stays, inRoom);
  }

  /** An empty plan with these rooms. */
  withRooms(rooms: Iterable<PlanRoom>): RoomPlan {
    const byNumber = new Map([...rooms].sort(byFloorAndNumber).map((room) => [room.roomNumber, room]));
    return new RoomPlan(byNumber, this.#stays, this.#inRoom);
  }
}

function byCheckIn(a: PlanStay, b: PlanStay): number {
  return a.checkIn - b.checkIn || (a.reservationId < b.reservationId ? -1 : 1);
}

function byFloorAndNumber(a: PlanRoom, b: PlanRoom): number {
  return a.floor - b.floor || (a.roomNumber < b.roomNumber ? -1 : 1);
}
