import { derivedId } from '../../../actors/property/derived-id.ts';
import type { Group, GroupBlock, ShoulderNights } from '../../groups/rules/group.ts';
import type { Command, CommandOf } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { InquiryId, MaintenanceId, WaitlistId } from '../../kernel/rules/ids.ts';
import type { Room } from '../../properties/rules/property.ts';
import type { RoomWish } from '../../rooms/rules/room-wishes.ts';
import type { Hold } from '../../stay/rules/hold.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import {
  bedCommand,
  BEDS,
  baseRates,
  bookCommand,
  cancelCommand,
  changedGroup,
  checkInCommand,
  checkOutCommand,
  group,
  promotion,
  restrict,
  plainRoom,
  envelope,
  modifyCommand,
  outOfHold,
  paid,
  placeHoldCommand,
  plan,
  property,
  roomType,
  startBookingCommand,
  stayWish,
  voidCommand,
} from '../property-world.ts';
import {
  type Ask,
  type Desk,
  type Held,
  isAsk,
  isDesk,
  isHeld,
  isSale,
  type Move,
  type Sale,
  setSignals,
} from './random-moves.ts';
import { Scene } from './scene.ts';

const OPEN: ReadonlySet<Reservation['status']> = new Set(['CONFIRMED', 'PENDING', 'CHECKED_IN']);
const NEEDS_ACCESS: RoomWish[] = [{ kind: 'ACCESSIBLE', weight: 10, required: true }];

/** Bookings of a run, as a database would store them. */
export class RandomRun {
  readonly scene: Scene;
  readonly reservations = new Map<string, Reservation>();
  #played = 0;

  constructor(scene = Scene.property({ policies: { horizonNights: 12, stayOverServiceNights: 2 } })) {
    this.scene = scene;
  }

  commandOf(move: Move): Command | undefined {
    const { what, which, from, nights, rooms, type } = move;
    if (isSale(what)) return this.#sale(what, move);
    if (isHeld(what)) return this.#held(what, move);
    if (isAsk(what)) return this.#asked(what, move);
    if (isDesk(what)) return this.#desk(what, move);
    const { today, holds } = this.scene.state;
    const of = { roomType: type, checkIn: today + from, checkOut: today + from + nights };
    const paying = [...holds].map(([, hold]) => hold).filter(({ booking }) => booking);
    const hold = paying[which % Math.max(1, paying.length)];
    const reservation = this.#reservation(which);
    switch (what) {
      case 'book':
        return bookCommand({ stay: of, ...(which % 4 === 0 && { roomWishes: NEEDS_ACCESS }) });
      case 'start':
        return startBookingCommand({ stay: of });
      case 'confirm':
        return hold && { type: 'CONFIRM_BOOKING', holdId: hold.id, payment: paid(hold.booking!.attempt) };
      case 'abandon':
        return (
          hold && {
            type: 'ABANDON_BOOKING',
            holdId: hold.id,
            payment: { ...hold.booking!.attempt, status: 'FAILED' },
          }
        );
      case 'cancel':
        return reservation && cancelCommand(reservation.id);
      case 'modify':
        return reservation && modifyCommand(reservation.id, of, { extraStock: { BED: BEDS } });
      case 'inventory':
        return {
          type: 'SET_INVENTORY',
          roomType: type,
          start: of.checkIn,
          end: of.checkOut,
          blockedRooms: rooms,
          totalRooms: which % 2 ? rooms : undefined,
        };
      case 'count':
        return { type: 'PUT_ROOM_TYPE', roomType: roomType(type, rooms), mode: 'replace' };
      case 'limit':
        return {
          type: 'UPDATE_PROPERTY',
          property: property({
            propertyId: this.scene.state.address.propertyId,
            policies: {
              horizonNights: 12,
              overbookingLimit: rooms,
              stayOverServiceNights: nights % 3,
              roomReadyWhen: which % 2 ? 'CLEAN' : 'INSPECTED',
            },
          }),
        };
      case 'expire':
        return { type: 'EXPIRE' };
      case 'tick':
        return { type: 'TICK' };
      case 'rates':
        return baseRates(type, 5_000 + which, today, today + 12);
    }
  }

  /** Restrictions and promises of a sale. */
  #sale(what: Sale, { which, from, nights, rooms, type }: Move): Command | undefined {
    const { today } = this.scene.state;
    const of = { roomType: type, checkIn: today + from, checkOut: today + from + nights };
    switch (what) {
      case 'restrict':
        return restrict(
          { closedToArrival: which % 3 === 0, minStayThrough: which % 2 ? rooms : null, maxStayArrival: nights + 1 },
          { roomType: type, start: of.checkIn, end: of.checkOut, rateCode: which % 5 ? 'BAR' : undefined },
        );
      case 'promote':
        return promotion({
          promoCode: this.#code(which),
          validity: { start: today, end: today + from },
          inventory: { totalRooms: which % 3 ? rooms : undefined, maxPerDay: nights },
        });
      case 'promoBook':
        return bookCommand({ stay: of, promoCode: this.#code(which) });
      case 'promoStart':
        return startBookingCommand({ stay: of, promoCode: this.#code(which) });
      case 'group':
        return group(rooms + 1, this.#groupWish({ which, from, nights, rooms, type }));
      case 'groupBook': {
        const one = this.#group(which);
        return one && (which % 2 ? bookCommand : startBookingCommand)({ stay: of, groupId: one.groupId });
      }
      case 'groupChange': {
        const one = this.#group(which);
        if (!one) return undefined;
        const { groupId } = one;
        if (which % 7 === 0) return { type: 'DELETE_GROUP', groupId };
        return changedGroup(groupId, this.#groupWish({ which, from, nights, rooms, type }));
      }
      case 'plan': {
        const code = which % 3 ? 'WEB' : 'BAR';
        const before = this.scene.state.plans.get(code);
        const strategyRules = { bidPercentPerRoom: rooms, bidPriceBy: 'PROGRAM' as const };
        const changed = { code, strategy: which % 2 ? ('DYNAMIC' as const) : ('LASTMINUTE' as const), strategyRules };
        const parent = code === 'WEB' && rooms > 2 ? { parentCode: 'BAR', adjustmentAmount: -nights } : {};
        return {
          type: 'PUT_RATE_PLAN',
          plan: plan({ ...changed, ...parent, ...(before && { id: before.id }) }),
          mode: before ? 'replace' : 'create',
        };
      }
      case 'noPlan': {
        const web = this.scene.state.plans.get('WEB');
        return web && { type: 'REMOVE_RATE_PLAN', planId: web.id };
      }
      case 'signals':
        return setSignals(type, which, { first: of.checkIn, nights, rooms });
      case 'event': {
        const known = which % 2 ? this.#event(which) : undefined;
        const eventId = known ?? this.#newId('event');
        const at = { firstNight: of.checkIn, lastNight: of.checkOut };
        const event = { eventId, name: `Fair ${which}`, ...at, effect: 'HIGH' as const };
        return { type: 'PUT_CALENDAR_EVENT', event, mode: known ? 'replace' : 'create' };
      }
      case 'noEvent':
        return { type: 'REMOVE_CALENDAR_EVENT', eventId: this.#event(which) ?? '' };
      case 'drop':
        return which % 2
          ? { type: 'REMOVE_ROOM_TYPE', roomType: type }
          : { type: 'PUT_ROOM_TYPE', roomType: roomType(type, rooms), mode: 'put' };
    }
  }

  /** An id of this property alone: ids of one tenant are unique. */
  #newId(kind: string): string {
    return derivedId(this.scene.state.address.propertyId, kind, String(this.#played));
  }

  #event(which: number): string | undefined {
    const ids = [...this.scene.state.calendarEvents.keys()];
    return ids[which % Math.max(1, ids.length)];
  }

  /** A room, of which some are accessible and have a door to another one. */
  #room({ which, type }: Move): Room {
    const roomNumber = `${type}${which % 5}`;
    const others = [...this.scene.state.rooms.keys()].filter((other) => other !== roomNumber);
    const next = others[which % Math.max(1, others.length)];
    return plainRoom(roomNumber, {
      roomType: type,
      ...(which % 3 === 0 && { accessible: true }),
      ...(which % 2 === 0 && { connectsTo: next === undefined ? [] : [next] }),
    });
  }

  /** Rooms and their guests. */
  #desk(what: Desk, move: Move): Command | undefined {
    const { which, rooms, type } = move;
    const reservation = this.#reservation(which);
    switch (what) {
      case 'rooms':
        return { type: 'PUT_ROOMS', rooms: [this.#room(move)], mode: 'put' };
      case 'status':
        return {
          type: 'SET_ROOM_STATUS',
          roomNumber: `${type}${which % 5}`,
          status: (['CLEAN', 'DIRTY', 'OUT_OF_ORDER'] as const)[which % 3]!,
        };
      case 'maintain':
        return {
          type: 'OPEN_MAINTENANCE',
          maintenance: this.#maintenance(this.#newId('maintenance'), move),
        };
      case 'maintained': {
        const { maintenances } = this.scene.state;
        const one = [...maintenances.values()][which % Math.max(1, maintenances.size)];
        if (!one) return undefined;
        const { maintenanceId } = one;
        return which % 3
          ? { type: 'CHANGE_MAINTENANCE', maintenance: this.#maintenance(maintenanceId, move) }
          : { type: 'END_MAINTENANCE', maintenanceId };
      }
      case 'task':
        return this.#task(move);
      case 'assign':
        return reservation && { type: 'ASSIGN_ROOM', reservationId: reservation.id, roomNumber: `${type}${rooms}` };
      case 'assignAll': {
        const assignments = [which, which + 1, which + 2].flatMap((n) => {
          const one = this.#reservation(n);
          const { roomNumber: previousRoomNumber } = one ?? {};
          return one ? [{ reservationId: one.id, roomNumber: `${type}${n % 5}`, previousRoomNumber }] : [];
        });
        return { type: 'ASSIGN_ROOMS', assignments };
      }
      case 'bed':
        return reservation && bedCommand(reservation.id, { quantity: 1 + (which % 2), stock: BEDS });
      case 'noBed': {
        const { charges = [] } = reservation ?? {};
        const { id } = charges[rooms % Math.max(1, charges.length)] ?? {};
        return reservation && id !== undefined ? voidCommand(reservation.id, id) : undefined;
      }
      case 'checkOut':
        return reservation && checkOutCommand(reservation.id, { forced: true, at: this.scene.now });
      case 'checkIn':
        return (
          reservation && checkInCommand(reservation.id, { tier: which % 2 ? 'PLATINUM' : 'NONE', at: this.scene.now })
        );
    }
  }

  /** What an attendant does with a task, in any state. */
  #task({ which, nights }: Move): Command | undefined {
    const tasks = [...this.scene.state.housekeeping.keys()];
    const taskId = tasks[which % Math.max(1, tasks.length)];
    if (taskId === undefined) return undefined;
    switch (nights) {
      case 1:
        return { type: 'START_HOUSEKEEPING_TASK', taskId };
      case 2:
        return { type: 'COMPLETE_HOUSEKEEPING_TASK', taskId };
      case 3:
        return { type: 'INSPECT_HOUSEKEEPING_TASK', taskId, passed: which % 3 > 0 };
      default:
        return { type: 'CHANGE_HOUSEKEEPING_TASK', taskId, attendant: which % 2 ? 'Ana' : null };
    }
  }

  #maintenance(
    maintenanceId: MaintenanceId,
    { which, from, nights, type }: Move,
  ): CommandOf<'OPEN_MAINTENANCE'>['maintenance'] {
    const firstNight = this.scene.state.today + from;
    return {
      maintenanceId,
      roomNumber: `${type}${which % 5}`,
      kind: which % 4 ? 'OUT_OF_ORDER' : 'OUT_OF_SERVICE',
      firstNight,
      ...(which % 7 !== 0 && { lastNight: firstNight + nights }),
      reason: 'a leak',
    };
  }

  /** Clients' moves on their holds. */
  #held(what: Held, { which, from, nights, rooms, type }: Move): Command | undefined {
    const hold = this.#hold(which);
    const { today } = this.scene.state;
    switch (what) {
      case 'hold':
        return placeHoldCommand(rooms + 1, {
          roomType: type,
          checkIn: today + from,
          checkOut: today + from + nights,
        });
      case 'useHold':
        return hold && bookCommand(outOfHold(hold));
      case 'startHold':
        return hold && startBookingCommand(outOfHold(hold));
      case 'extendHold':
        return hold && { type: 'EXTEND_HOLD', holdId: hold.id };
      case 'releaseHold':
        return hold && { type: 'RELEASE_HOLD', holdId: hold.id };
      case 'wait': {
        const stay = stayWish({ roomType: type, checkIn: today + from, checkOut: today + from + nights });
        const waitlistId = this.#newId('wait') as WaitlistId;
        const guest = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };
        const more = which % 3 ? {} : { expiresAt: this.scene.now + rooms * 3_600_000, maxTotal: 30_000 };
        return { type: 'JOIN_WAITLIST', entry: { waitlistId, stay, guest, ...more } };
      }
      case 'offer':
        return { type: 'OFFER_WAITLIST' };
      case 'leave': {
        const { waitlist } = this.scene.state;
        const waitlistId = [...waitlist.keys()][which % Math.max(1, waitlist.size)];
        return waitlistId && { type: 'LEAVE_WAITLIST', waitlistId };
      }
    }
  }

  /** Inquiries, and bookings out of them. */
  #asked(what: Ask, { which, from, nights, type }: Move): Command | undefined {
    const { today, inquiries } = this.scene.state;
    const inquiry = [...inquiries.values()][which % Math.max(1, inquiries.size)];
    const asked = inquiry && {
      stay: inquiry.stay,
      inquiryId: inquiry.inquiryId,
      quote: inquiry.quote,
      promoCode: inquiry.quote.promoCode,
    };
    switch (what) {
      case 'ask': {
        const stay = stayWish({ roomType: type, checkIn: today + from, checkOut: today + from + nights });
        const inquiryId = this.#newId('ask') as InquiryId;
        const guest = { firstName: 'Grace', lastName: 'Hopper' };
        const promoCode = which % 3 ? {} : { promoCode: this.#code(which) };
        return { type: 'KEEP_INQUIRY', inquiry: { inquiryId, stay, guest }, ...promoCode };
      }
      case 'bookAsked':
        return asked && bookCommand(asked);
      case 'startAsked':
        return asked && startBookingCommand(asked);
      case 'closeAsked':
        return asked && { type: 'CLOSE_INQUIRY', inquiryId: asked.inquiryId };
    }
  }

  #group(which: number): Group | undefined {
    const groups = [...this.scene.state.groups.values()];
    return groups[which % Math.max(1, groups.length)];
  }

  #groupWish({ which, from, nights, rooms, type }: Omit<Move, 'what' | 'minutes'>): Pick<Group, 'cutoff'> & {
    shoulderNights: ShoulderNights;
    blocks: Omit<GroupBlock, 'pickedUp'>[];
  } {
    const { today } = this.scene.state;
    const days = [0, 1, 2, 3].map((n) => today + from + n);
    const blocks = days.map((day) => ({ roomType: type, day, rooms: rooms + 1, rate: 7_000 }));
    return { cutoff: today + nights, shoulderNights: { before: which % 3, after: which % 2 }, blocks };
  }

  /** A client's hold, possibly an expired one. */
  #hold(which: number): Hold | undefined {
    const holds = [...this.scene.state.holds].map(([, hold]) => hold).filter(({ terms }) => terms);
    return holds[which % Math.max(1, holds.length)];
  }

  #reservation(which: number): Reservation | undefined {
    return [...this.reservations.values()][which % Math.max(1, this.reservations.size)];
  }

  /** Codes are unique in a tenant, and other runs may share it. */
  #code(which: number): string {
    return `${this.scene.state.address.propertyId}-${which % 2}`.toUpperCase().slice(-20);
  }

  /** Free rooms of every cell, negative for a shortfall. */
  free(): Map<string, number> {
    const limit = this.scene.state.property!.metadata.policies.overbookingLimit;
    const free = new Map<string, number>();
    for (const [type, slab] of this.scene.state.slabs)
      for (let day = slab.first; slab.has(day); day++) {
        // Summed here: the stored sum is under test.
        const used = slab.count(day, 'booked') + slab.count(day, 'held') + slab.blocked(day);
        free.set(`${type} ${day}`, slab.total(day) + (slab.overbooking(day) ?? limit) - used);
      }
    return free;
  }

  /** Runs a move as a batch of its own and returns its command when it was accepted. */
  play(move: Move): Command | undefined {
    // Up to some days, in which groups end.
    this.#played += 1;
    this.scene.pass(move.minutes * (move.what === 'tick' ? 4 * 3_600_000 : 60_000));
    const command = this.commandOf(move);
    if (!command) return undefined;
    const [outcome] = this.scene.batch(envelope(command)).outcomes;
    for (const reservation of this.scene.last.draft.reservations.put())
      this.reservations.set(reservation.id, reservation);
    if (outcome!.kind === 'fault') throw outcome!.error;
    return outcome!.kind === 'accepted' ? command : undefined;
  }

  /** Booked and held rooms of the window, recounted from reservations and holds. */
  recount(): Map<string, [number, number]> {
    const { holds, today } = this.scene.state;
    const cells = new Map([...this.free().keys()].map((key): [string, [number, number]] => [key, [0, 0]]));
    const count = (stay: { roomType: string; checkIn: number; checkOut: number }, counter: 0 | 1, rooms: number) => {
      for (let day = Math.max(today, stay.checkIn); day < stay.checkOut; day++)
        cells.get(`${stay.roomType} ${day}`)![counter] += rooms;
    };
    for (const { id, status, stay } of this.reservations.values())
      if (OPEN.has(status) && !holds.get(id)) count(stay, 0, 1);
    for (const [, hold] of holds) if (hold.kind !== 'LATE' && hold.rooms > 0) count(hold, 1, hold.rooms);
    return cells;
  }

  /** Rooms blocked for groups in the window, recounted from their blocks and bookings. */
  recountGroups(): Map<string, number> {
    const { groups, today } = this.scene.state;
    const cells = new Map([...this.free().keys()].map((key) => [key, 0]));
    for (const { groupId, released, blocks } of groups.values())
      for (const { roomType: type, day, rooms } of Object.values(blocks)) {
        if (released || day < today) continue;
        const taken = this.#living(({ groupId: of }) => of === groupId).filter(
          ({ stay }) => stay.roomType === type && stay.checkIn <= day && day < stay.checkOut,
        ).length;
        const key = `${type} ${day}`;
        cells.set(key, cells.get(key)! + rooms - taken);
      }
    return cells;
  }

  /** Rooms out of order in the window, recounted from maintenances. */
  recountClosed(): Map<string, number> {
    const { maintenances, rooms } = this.scene.state;
    const cells = new Map([...this.free().keys()].map((key) => [key, 0]));
    for (const [key] of cells) {
      const [type, day] = key.split(' ');
      const closed = [...maintenances.values()].filter(
        ({ roomNumber, kind, firstNight, lastNight = Infinity }) =>
          kind === 'OUT_OF_ORDER' &&
          rooms.get(roomNumber)?.roomType === type &&
          firstNight <= Number(day) &&
          Number(day) <= lastNight,
      );
      cells.set(key, closed.length);
    }
    return cells;
  }

  /** Extra beds by night, recounted: each posting that stands has them until its stay ends. */
  recountBeds(): Map<Day, number> {
    const beds = new Map<Day, number>();
    for (const { charges = [], stay } of this.#living(() => true)) {
      const voided = new Set(charges.map(({ voids }) => voids));
      for (const { id, nightly, follows, voids } of charges) {
        if (!nightly || follows !== undefined || voids !== undefined || voided.has(id)) continue;
        for (let night = Math.max(nightly.from, stay.checkIn); night < stay.checkOut; night++)
          beds.set(night, (beds.get(night) ?? 0) + nightly.pieces);
      }
    }
    return beds;
  }

  /** Used units of a promotion, recounted. */
  recountUnits(promoCode: string): number {
    return this.#living((one) => one.promoCode === promoCode).length;
  }

  /** Reservations, and bookings in payment, that hold rooms. */
  #living(of: (one: Reservation) => boolean): Reservation[] {
    const paying = [...this.scene.state.holds].flatMap(([, { kind, booking: held }]) =>
      kind === 'PAYING' && held ? [held.reservation] : [],
    );
    return [...this.reservations.values()]
      .filter(({ status }) => OPEN.has(status))
      .concat(paying)
      .filter(of);
  }
}
