import { stepsUp } from '../../guests/rules/loyalty.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { RoomExchange } from './exchange-rooms.ts';
import { type StayPlacement, placeStays } from './place-stays.ts';
import type { PackingStay, Suits } from './room-packing.ts';
import type { PlanRoom, PlanStay, RoomPlan } from './room-plan.ts';
import { type Floors, floorsOf, requiredOf, suitability } from './room-wishes.ts';
import { byRight, roomsByType, type RoomsOfType } from './rooms-of-type.ts';
import { unmetWishes, type UnmetWish } from './unmet-wishes.ts';

/** A room for a stay: a first one, another one, or one of a better type. */
export type RoomAssignment = {
  reservationId: ReservationId;
  roomNumber: string;
  roomType: string;
  upgraded: boolean;
  previousRoomNumber?: string;
  /** Wishes that the room does not meet, and why; absent where it meets all. */
  unmetWishes?: UnmetWish[];
};

/**
 * A stay without a room, or with one that it cannot keep, for which no room that meets its required wishes is free on
 * all its nights. NO_ACCESSIBLE_ROOM: each night has a room, but none that is accessible on all of them.
 */
type Unassigned = { reservationId: ReservationId; reason: UnassignedReason };
export type UnassignedReason = 'NO_ROOM_LEFT' | 'NO_ACCESSIBLE_ROOM';

/** To be carried out as a whole: two stays may exchange rooms. */
export type RoomAssignments = { assignments: RoomAssignment[]; unassigned: Unassigned[] };

type AssignmentRules = {
  /** The business date. */
  today: Day;
  /** Types that a stay can be upgraded to and that its guests fit into, the nearest first. */
  betterTypes: (stay: PlanStay) => readonly string[];
};

/** Arrivals without a room up to a last day, by default tomorrow. */
export function arrivalsDue(plan: Pick<RoomPlan, 'stays'>, today: Day, last = today + 1): PlanStay[] {
  const due: PlanStay[] = [];
  for (const stay of plan.stays)
    if (stay.roomNumber === undefined && stay.status === 'CONFIRMED' && stay.checkIn <= last)
      if (stay.checkOut > today) due.push(stay);
  return due;
}

/**
 * Assigns rooms to arrivals (docs/concepts/rooms.md#assignment): by loyalty, then by length of stay. Each gets one room
 * for all of its nights, such that all known stays can still get a room of their type, if there is any solution that
 * moves neither a guest in house nor a stay whose room was assigned by hand. Other stays that have not arrived move
 * only when a stay would otherwise be left without a room, and are then among the assignments. A stay without a room of
 * its type gets one of a better type, as far up as its loyalty allows, unless a stay of that type would then have none.
 * Required wishes say which rooms a stay can have; of the arrangements that give as many stays a room, others decide.
 */
export function assignRooms(plan: RoomPlan, arrivals: readonly PlanStay[], rules: AssignmentRules): RoomAssignments {
  return new Assigning(plan, arrivals, rules).result();
}

/** Why a stay finds no room beside those that have one. */
export function reasonWithout(
  { stay, from, to }: PackingStay,
  { free }: Pick<StayPlacement, 'free'>,
): UnassignedReason {
  const needsAccess = requiredOf(stay).some(({ kind }) => kind === 'ACCESSIBLE');
  return needsAccess && free.firstSoldOut({ from, to }) === undefined ? 'NO_ACCESSIBLE_ROOM' : 'NO_ROOM_LEFT';
}

class Assigning {
  readonly #plan: RoomPlan;
  readonly #floors: Floors;
  readonly #rules: AssignmentRules;
  readonly #types: Map<string, RoomsOfType>;
  readonly #suits: Suits;
  readonly #due = new Map<string, PackingStay[]>();
  /** Stays of other types that get a room of this one. */
  readonly #guests = new Map<string, PackingStay[]>();
  readonly #placements = new Map<string, StayPlacement>();

  constructor(plan: RoomPlan, arrivals: readonly PlanStay[], rules: AssignmentRules) {
    this.#rules = rules;
    this.#plan = plan;
    this.#types = roomsByType(plan, rules.today);
    const floors = floorsOf(plan.rooms.values());
    this.#floors = floors;
    this.#suits = (stay, room) => suitability(room, stay, floors);
    const ids = new Set(arrivals.map(({ reservationId }) => reservationId));
    for (const [roomType, { settled, displaced, waiting }] of this.#types) {
      const due = [...displaced, ...waiting.filter(({ stay }) => ids.has(stay.reservationId))];
      for (const stay of due) stay.due = true;
      // Settled stays may have to move for later ones, as long as they can.
      if (due.length + settled.length > 0) this.#due.set(roomType, due.sort(byRight));
    }
  }

  result(): RoomAssignments {
    const all = [...this.#due.values()].flat();
    for (const [roomType, due] of this.#due) {
      const { roomOf } = this.#placement(roomType);
      this.#due.set(
        roomType,
        due.filter((stay) => roomOf.has(stay)),
      );
    }
    const placed = new Set([...this.#due.values()].flat());
    this.#upgrade(all.filter((stay) => !placed.has(stay)));
    const exchange = this.#exchange();
    const given = new Map<PackingStay, PlanRoom>();
    for (const { roomOf } of this.#placements.values())
      for (const stay of roomOf.keys()) given.set(stay, exchange.roomOf(stay)!);
    const changed = [...given].filter(([{ stay }, room]) => stay.roomNumber !== room.roomNumber);
    const without = all.filter((stay) => !given.has(stay)).sort(byRight);
    return {
      assignments: changed
        .sort(([a], [b]) => byRight(a, b))
        .map(([stay, room]) => {
          const unmet = this.#unmet(stay, room, exchange);
          return { ...assignmentOf(stay.stay, room), ...(unmet.length > 0 && { unmetWishes: unmet }) };
        }),
      unassigned: without.map((one) => ({
        reservationId: one.stay.reservationId,
        reason: reasonWithout(one, this.#placement(one.stay.roomType)),
      })),
    };
  }

  /** Rooms after exchanges that meet more wishes. */
  #exchange(): RoomExchange {
    const types = [...this.#placements].map(([roomType, placed]) => ({
      ...placed,
      rooms: this.#types.get(roomType)!.rooms,
    }));
    const exchange = new RoomExchange(this.#plan, types, this.#floors, this.#rules.today);
    exchange.run();
    return exchange;
  }

  #unmet(stay: PackingStay, room: PlanRoom, exchange: RoomExchange): UnmetWish[] {
    const before = { plan: this.#plan, today: this.#rules.today, floors: this.#floors };
    const partners = exchange.partnersOf(stay).map(({ stay: one, room: now }) => ({
      stay: one,
      roomType: now?.roomType ?? one.roomType,
      // A room that it leaves in this assignment is none for its partners.
      ...(one.roomNumber !== undefined && one.roomNumber === now?.roomNumber && { roomNumber: one.roomNumber }),
    }));
    return unmetWishes(stay.stay, room, before, { isConnected: exchange.isConnected(stay), partners });
  }

  /**
   * Upgrades in the order of priority. A free room on each night does not guarantee one room for all nights where some
   * were assigned by hand: a stay that finds none tries the next type.
   */
  #upgrade(without: PackingStay[]): void {
    const ladders = new Map(without.map((one) => [one, this.#ladder(one.stay)]));
    for (let left = without.sort(byRight); left.length > 0;) {
      const next = Map.groupBy(left, (one) => this.#nextType(one, ladders.get(one)!));
      next.delete(undefined);
      left = [...next].flatMap(([roomType, guests]) => this.#invite(roomType!, guests)).sort(byRight);
    }
  }

  #ladder(stay: PlanStay): string[] {
    return this.#rules.betterTypes(stay).slice(0, stepsUp(stay.tier));
  }

  /** The next better type with a free room on each night; takes one of them for the stay. */
  #nextType(stay: PackingStay, ladder: string[]): string | undefined {
    for (let type = ladder.shift(); type !== undefined; type = ladder.shift())
      if (this.#types.has(type) && this.#placement(type).free.tryTake(stay)) return type;
    return undefined;
  }

  /** Places further stays in rooms of a type; returns those that find none. */
  #invite(roomType: string, more: readonly PackingStay[]): PackingStay[] {
    const guests = [...(this.#guests.get(roomType) ?? []), ...more].sort(byRight);
    this.#guests.set(roomType, guests);
    this.#placements.delete(roomType);
    const { roomOf } = this.#placement(roomType);
    this.#guests.set(
      roomType,
      guests.filter((guest) => roomOf.has(guest)),
    );
    return guests.filter((guest) => !roomOf.has(guest));
  }

  #placement(roomType: string): StayPlacement {
    let placement = this.#placements.get(roomType);
    if (placement) return placement;
    const type = this.#types.get(roomType)!;
    const due = this.#due.get(roomType) ?? [];
    const later = type.waiting.filter((stay) => !stay.due);
    const guests = this.#guests.get(roomType) ?? [];
    placement = placeStays(type, { due, later, guests }, this.#suits, this.#rules.today);
    this.#placements.set(roomType, placement);
    return placement;
  }
}

function assignmentOf(stay: PlanStay, { roomNumber, roomType }: PlanRoom): RoomAssignment {
  const { reservationId, roomNumber: previousRoomNumber } = stay;
  const upgraded = roomType !== stay.roomType;
  return {
    reservationId,
    roomNumber,
    roomType,
    upgraded,
    ...(previousRoomNumber !== undefined && { previousRoomNumber }),
  };
}
