import type { CommandOf } from '../../src/kernel/rules/commands.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { CellFact } from '../../src/kernel/rules/journal.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { HOLD_GUARD_MS } from '../../src/stay/rules/hold.ts';
import { type BedCommand, BedModel } from './bed-model.ts';
import { ROOM_TYPE_OF } from './promises.ts';
import { type TaskCommand, TaskModel } from './task-model.ts';

type Nights = { roomType: string; checkIn: Day; checkOut: Day };
/** A unit of the promotion, or the block of the group, of a booking. */
type Claims = {
  promoCode?: string;
  groupId?: string;
  /** Nights that do not count for the promotion: they were added later, without a unit. */
  undiscounted?: ReadonlySet<Day>;
};
type Held = Nights &
  Claims & {
    kind: 'paying' | 'pending' | 'late';
    expiresAt: number;
    reservationId: string;
    /** Hold of the first room of the booking, with which it ends. */
    first?: string;
  };
type Booked = Nights & Claims & { status: 'PENDING' | 'CONFIRMED' | 'CANCELLED' };

/** Commands of clients, and those of the property itself. */
export type PlayedCommand = TaskCommand | BedCommand | BookedCommand;
type BookedCommand = CommandOf<
  | 'BOOK'
  | 'BOOK_ROOMS'
  | 'START_BOOKING'
  | 'START_ROOMS'
  | 'CONFIRM_BOOKING'
  | 'ABANDON_BOOKING'
  | 'CANCEL'
  | 'REINSTATE'
  | 'MODIFY'
  | 'CHANGE_GROUP'
  | 'SET_INVENTORY'
  | 'OPEN_MAINTENANCE'
  | 'END_MAINTENANCE'
  | 'SET_BASE_RATES'
  | 'EXPIRE'
  | 'TICK'
>;

/** What the property promises besides rooms. */
export type Promises = {
  units: number;
  unitsADay: number;
  block: { roomType: string; from: Day; to: Day; rooms: number };
};

const PENDING_MS = 900_000;
const PAYING_MS = 120_000;

/** A naive hotel: lists of holds and bookings, counted anew for every question. */
export class Model {
  readonly #totals = new Map<string, number>();
  readonly #rates = new Map<string, Minor>();
  readonly #rooms: Record<string, number>;
  readonly #promises: Promises;
  readonly #prices: Record<string, Minor>;
  /** Rooms of the block, as the last change has it. */
  #blockRooms: number;
  readonly #maintenances = new Map<string, CommandOf<'OPEN_MAINTENANCE'>['maintenance']>();
  readonly tasks = new TaskModel();
  readonly holds = new Map<string, Held>();
  readonly bookings = new Map<string, Booked>();
  readonly beds = new BedModel(this.bookings);

  /** @param rooms of each type  @param prices of each type, every night  @param promises of the property */
  constructor(rooms: Record<string, number>, prices: Record<string, Minor>, promises: Promises) {
    this.#rooms = rooms;
    this.#prices = prices;
    this.#promises = promises;
    this.#blockRooms = promises.block.rooms;
  }

  cell(roomType: string, day: Day): { total: number; booked: number; held: number } {
    const over = (stay: Nights): boolean => stay.roomType === roomType && stay.checkIn <= day && day < stay.checkOut;
    const held = [...this.holds.values()].filter((hold) => hold.kind !== 'late' && over(hold)).length;
    const booked = [...this.bookings].filter(
      ([id, stay]) => stay.status !== 'CANCELLED' && !this.holds.has(id) && over(stay),
    ).length;
    return { total: this.#totals.get(`${roomType} ${day}`) ?? this.#rooms[roomType] ?? 0, booked, held };
  }

  rate(roomType: string, day: Day): Minor {
    return this.#rates.get(`${roomType} ${day}`) ?? this.#prices[roomType] ?? 0;
  }

  /** Loads cells that were changed externally in the database. */
  reload(cells: readonly CellFact[]): void {
    for (const [roomType, day, , , , , , rate] of cells) this.#rates.set(`${roomType} ${day}`, rate!);
  }

  /** The error that the command would get now; undefined when it would be accepted. */
  rejection(command: PlayedCommand, at: number): string | undefined {
    switch (command.type) {
      case 'BOOK':
      case 'START_BOOKING':
        return this.#errorOf({ ...command.booking, ...nightsOf(command.booking.stay) });
      case 'BOOK_ROOMS':
      case 'START_ROOMS':
        return this.#errorOfAll(command.rooms);
      case 'CONFIRM_BOOKING': {
        const hold = this.holds.get(command.holdId);
        const open = hold?.kind === 'paying' && at <= hold.expiresAt - HOLD_GUARD_MS;
        return open ? undefined : 'HOLD_EXPIRED';
      }
      case 'ABANDON_BOOKING':
        return this.holds.has(command.holdId) ? undefined : 'HOLD_NOT_FOUND';
      case 'CANCEL':
        return this.#isOpen(command.reservationId) ? undefined : 'INVALID_STATE';
      case 'REINSTATE': {
        const own = this.bookings.get(command.reservationId);
        if (own?.status !== 'CANCELLED') return 'INVALID_STATE';
        const fault = this.#errorOf({ ...nightsOf(own), groupId: this.#claimsLeft(own).groupId });
        return fault ?? this.beds.missing(command.reservationId, own);
      }
      case 'MODIFY': {
        if (!this.#isOpen(command.reservationId)) return 'INVALID_STATE';
        const own = this.bookings.get(command.reservationId)!;
        const nights = { checkIn: command.stay.checkIn!, checkOut: command.stay.checkOut! };
        return this.#errorOf({ ...own, ...nights }, own) ?? this.beds.missing(command.reservationId, nights);
      }
      case 'CHANGE_GROUP':
        return this.#blockFault(command.blocks);
      case 'OPEN_MAINTENANCE':
        return this.#isMaintained(command.maintenance) ? 'MAINTENANCE_OVERLAPS' : undefined;
      case 'END_MAINTENANCE':
        return this.#maintenances.has(command.maintenanceId) ? undefined : 'MAINTENANCE_NOT_FOUND';
      case 'SET_ROOM_STATUS':
      case 'START_HOUSEKEEPING_TASK':
      case 'COMPLETE_HOUSEKEEPING_TASK':
      case 'INSPECT_HOUSEKEEPING_TASK':
        return this.tasks.rejection(command);
      case 'POST_CHARGE':
      case 'VOID_POSTING':
        return this.beds.rejection(command);
      case 'SET_INVENTORY':
      case 'SET_BASE_RATES':
      case 'EXPIRE':
      case 'TICK':
        return undefined;
    }
  }

  /** Applies an accepted command. */
  apply(command: PlayedCommand, at: number, result?: unknown): void {
    switch (command.type) {
      case 'BOOK':
        this.#book(command, at);
        return;
      case 'BOOK_ROOMS':
        for (const room of command.rooms) this.#book(room, at);
        return;
      case 'START_BOOKING':
        this.#start(command, at);
        return;
      case 'START_ROOMS':
        for (const room of command.rooms) this.#start(room, at, command.rooms[0]!.holdId);
        return;
      case 'CONFIRM_BOOKING':
        for (const { reservationId, promoCode, groupId, ...hold } of this.#end(command.holdId))
          this.bookings.set(reservationId, { ...nightsOf(hold), promoCode, groupId, status: 'CONFIRMED' });
        return;
      case 'ABANDON_BOOKING':
        this.#end(command.holdId);
        return;
      case 'CANCEL':
        this.#cancel(command.reservationId);
        return;
      case 'REINSTATE':
        this.#reinstate(command.reservationId, at, (result as { reservation: Booked }).reservation.status);
        return;
      case 'MODIFY':
        this.#modify(command, (result as { reservation: Booked }).reservation.status);
        return;
      case 'CHANGE_GROUP':
        this.#blockRooms = command.blocks[0]!.rooms;
        return;
      case 'SET_INVENTORY':
        for (let day = command.start; day <= command.end; day++)
          this.#totals.set(`${command.roomType} ${day}`, command.totalRooms!);
        return;
      case 'OPEN_MAINTENANCE':
        this.#maintenances.set(command.maintenance.maintenanceId, command.maintenance);
        return;
      case 'END_MAINTENANCE':
        this.#maintenances.delete(command.maintenanceId);
        return;
      case 'SET_ROOM_STATUS':
      case 'START_HOUSEKEEPING_TASK':
      case 'COMPLETE_HOUSEKEEPING_TASK':
      case 'INSPECT_HOUSEKEEPING_TASK':
        this.tasks.apply(command);
        return;
      case 'POST_CHARGE':
      case 'VOID_POSTING':
        this.beds.apply(command);
        return;
      case 'SET_BASE_RATES':
        for (let day = command.start; day <= command.end; day++)
          this.#rates.set(`${command.roomType} ${day}`, command.rates[0]!.rate);
        return;
      case 'EXPIRE':
        for (const [id, hold] of this.holds) {
          if (hold.kind === 'late' || hold.expiresAt + HOLD_GUARD_MS > at) continue;
          if (hold.first !== undefined && hold.first !== id) this.holds.delete(id);
          else if (hold.kind === 'paying') hold.kind = 'late';
          else this.#cancel(id);
        }
        return;
      // A roll only changes days before every stay.
      case 'TICK':
    }
  }

  /** Releases the hold of a failed payment. */
  release(reservationId: string, seq: number): string[] {
    const found = [...this.holds].find(([, hold]) => hold.reservationId === reservationId && hold.kind !== 'pending');
    if (!found) return [`I5: a hold that is not there was given up at ${seq}`];
    this.#end(found[0]);
    return [];
  }

  #book(
    { booking: { reservationId, stay, promoCode, groupId } }: Pick<CommandOf<'BOOK'>, 'booking'>,
    at: number,
  ): void {
    this.bookings.set(reservationId, { ...nightsOf(stay), promoCode, groupId, status: 'PENDING' });
    const held = { ...nightsOf(stay), kind: 'pending' as const, reservationId };
    this.holds.set(reservationId, { ...held, expiresAt: at + PENDING_MS });
  }

  #start(
    { holdId, booking }: Pick<CommandOf<'START_BOOKING'>, 'holdId' | 'booking'>,
    at: number,
    first?: string,
  ): void {
    const { reservationId, stay, promoCode, groupId } = booking;
    const held = { ...nightsOf(stay), promoCode, groupId, kind: 'paying' as const, reservationId };
    this.holds.set(holdId, { ...held, expiresAt: at + PAYING_MS, ...(first !== undefined && { first }) });
  }

  /** Takes the holds of a paid booking away. @returns what they held */
  #end(holdId: string): Held[] {
    const own = [...this.holds].filter(([id, { first }]) => id === holdId || first === holdId);
    for (const [id] of own) this.holds.delete(id);
    return own.map(([, hold]) => hold);
  }

  /** The error of the first room that cannot be had when those before it are taken. */
  #errorOfAll(rooms: readonly { booking: CommandOf<'BOOK'>['booking'] }[]): string | undefined {
    const taken: string[] = [];
    try {
      for (const { booking } of rooms) {
        const error = this.#errorOf({ ...booking, ...nightsOf(booking.stay) });
        if (error !== undefined) return error;
        const holdId = `room ${taken.length}`;
        this.#start({ holdId, booking }, 0);
        taken.push(holdId);
      }
      return undefined;
    } finally {
      for (const id of taken) this.holds.delete(id);
    }
  }

  #isMaintained(wanted: CommandOf<'OPEN_MAINTENANCE'>['maintenance']): boolean {
    return [...this.#maintenances.values()].some(
      (one) => one.roomNumber === wanted.roomNumber && areAtOnce(one, wanted),
    );
  }

  #modify({ reservationId, stay: of }: CommandOf<'MODIFY'>, status: Booked['status']): void {
    const { checkIn, checkOut } = of as { checkIn: Day; checkOut: Day };
    const own = this.bookings.get(reservationId)!;
    const claims = this.#claimsAfter(own, checkIn, checkOut);
    for (const list of [this.bookings, this.holds]) {
      const stay = list.get(reservationId);
      if (stay) Object.assign(stay, { checkIn, checkOut }, list === this.bookings ? claims : {});
    }
    // What was paid before may be enough for the changed stay.
    if (own.status === 'PENDING' && status === 'CONFIRMED') this.holds.delete(reservationId);
    if (this.#isOpen(reservationId)) own.status = status;
  }

  #cancel(reservationId: string): void {
    this.holds.delete(reservationId);
    this.bookings.get(reservationId)!.status = 'CANCELLED';
  }

  /** The reservation has its rooms again, booked or held until it is paid. */
  #reinstate(reservationId: string, at: number, status: Booked['status']): void {
    const own = this.bookings.get(reservationId)!;
    Object.assign(own, { promoCode: undefined, groupId: undefined, ...this.#claimsLeft(own), status });
    if (status !== 'PENDING') return;
    const held = { ...nightsOf(own), kind: 'pending' as const, reservationId };
    this.holds.set(reservationId, { ...held, expiresAt: at + PENDING_MS });
  }

  /** Which of a returned unit and block can be taken again. */
  #claimsLeft(own: Booked): Pick<Claims, 'promoCode' | 'groupId'> {
    const { roomType, promoCode, groupId, undiscounted } = own;
    const nights = Array.from({ length: own.checkOut - own.checkIn }, (_, night) => own.checkIn + night);
    const reduced = nights.filter((day) => !undiscounted?.has(day));
    const hasBlock = (day: Day): boolean => this.#stored(roomType, day) > 0 && this.#free(roomType, day) >= 0;
    return {
      promoCode: promoCode !== undefined && this.#isUnitLeft(reduced) ? promoCode : undefined,
      groupId: groupId !== undefined && nights.every(hasBlock) ? groupId : undefined,
    };
  }

  #isOpen(reservationId: string): boolean {
    const status = this.bookings.get(reservationId)?.status;
    return status === 'PENDING' || status === 'CONFIRMED';
  }

  /** The error for a stay; `own` is what the reservation already has. */
  #errorOf(stay: Nights & Claims, own?: Booked): string | undefined {
    const nights = Array.from({ length: stay.checkOut - stay.checkIn }, (_, night) => stay.checkIn + night);
    const mine = (day: Day): boolean => own !== undefined && own.checkIn <= day && day < own.checkOut;
    if (stay.groupId !== undefined) {
      for (const day of nights) {
        if (this.#block(stay.roomType, day) === 0) return 'OUTSIDE_GROUP_BLOCK';
        if (!mine(day) && (this.#stored(stay.roomType, day) < 1 || this.#free(stay.roomType, day) < 0))
          return 'ROOM_NOT_AVAILABLE';
      }
      return undefined;
    }
    // A change continues without a discount where no unit is left.
    if (stay.promoCode !== undefined && !own && !this.#isUnitLeft(nights)) return 'PROMO_EXHAUSTED';
    // A reservation keeps the nights it has, even when rooms were taken away.
    return nights.every((day) => mine(day) || this.#free(stay.roomType, day) > 0) ? undefined : 'ROOM_NOT_AVAILABLE';
  }

  #isUnitLeft(nights: readonly Day[], own?: Booked): boolean {
    const units = this.#living(({ promoCode }) => promoCode !== undefined).filter((one) => one !== own);
    const { units: most, unitsADay } = this.#promises;
    const has = (day: Day, { checkIn, checkOut, undiscounted }: Nights & Claims): boolean =>
      checkIn <= day && day < checkOut && !undiscounted?.has(day);
    const taken = (day: Day): number => units.filter((unit) => has(day, unit)).length;
    return units.length < most && nights.every((day) => taken(day) < unitsADay);
  }

  /** The promotion stays with its nights; new ones get it while there is a unit for the whole stay. */
  #claimsAfter(own: Booked, checkIn: Day, checkOut: Day): Pick<Claims, 'promoCode' | 'undiscounted'> {
    if (own.promoCode === undefined) return {};
    const nights = Array.from({ length: checkOut - checkIn }, (_, night) => checkIn + night);
    const isOwn = (day: Day): boolean => own.checkIn <= day && day < own.checkOut;
    const isLeft = this.#isUnitLeft(nights, own);
    const without = nights.filter((day) => (isOwn(day) ? own.undiscounted?.has(day) : !isLeft));
    if (without.length === nights.length) return { promoCode: undefined, undiscounted: undefined };
    return { promoCode: own.promoCode, undiscounted: new Set(without) };
  }

  #free(roomType: string, day: Day): number {
    const { total, booked, held } = this.cell(roomType, day);
    return total - booked - held - this.blocked(roomType, day);
  }

  /** Rooms of the group, and rooms out of order. */
  blocked(roomType: string, day: Day): number {
    const closed = [...this.#maintenances.values()].filter(
      ({ roomNumber, kind, firstNight, lastNight }) =>
        kind === 'OUT_OF_ORDER' && ROOM_TYPE_OF[roomNumber] === roomType && firstNight <= day && day <= lastNight!,
    );
    return this.#stored(roomType, day) + closed.length;
  }

  #block(roomType: string, day: Day): number {
    const { block } = this.#promises;
    return block.roomType === roomType && block.from <= day && day <= block.to ? this.#blockRooms : 0;
  }

  /** A block is not cut below what is taken, and takes only what is free. */
  #blockFault(blocks: CommandOf<'CHANGE_GROUP'>['blocks']): string | undefined {
    for (const { roomType, day, rooms } of blocks) {
      const before = this.#block(roomType, day);
      if (rooms < before - this.#stored(roomType, day)) return 'INVALID_STATE';
      if (rooms > before && this.#free(roomType, day) < rooms - before) return 'ROOM_NOT_AVAILABLE';
    }
    return undefined;
  }

  /** Rooms of the block that the group has not taken. */
  #stored(roomType: string, day: Day): number {
    const taken = this.#living(({ groupId, ...stay }) => groupId !== undefined && stay.roomType === roomType).filter(
      ({ checkIn, checkOut }) => checkIn <= day && day < checkOut,
    );
    return this.#block(roomType, day) - taken.length;
  }

  #living(of: (one: Nights & Claims) => boolean): (Nights & Claims)[] {
    const booked = [...this.bookings.values()].filter(({ status }) => status !== 'CANCELLED');
    const paying = [...this.holds.values()].filter(({ kind }) => kind === 'paying');
    return [...booked, ...paying].filter(of);
  }
}

function areAtOnce(a: { firstNight: Day; lastNight?: Day }, b: { firstNight: Day; lastNight?: Day }): boolean {
  return a.firstNight <= b.lastNight! && b.firstNight <= a.lastNight!;
}

function nightsOf({ roomType, checkIn, checkOut }: Nights): Nights {
  return { roomType, checkIn, checkOut };
}
