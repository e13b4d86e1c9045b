import fc from 'fast-check';
import type { Command } from '../../src/domain/commands.ts';
import type { Reservation } from '../../src/domain/reservation.ts';
import {
  baseRates,
  book,
  cancel,
  envelope,
  modify,
  paid,
  property,
  roomType,
  startBooking,
} from '../../src/testing/property-world.ts';
import { Scene } from './scene.ts';

/** What a run may do next, drawn as numbers; which booking or hold is meant depends on what there is by then. */
export const moves = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...([
        'book',
        'start',
        'confirm',
        'abandon',
        'cancel',
        'modify',
        'inventory',
        'count',
        'limit',
        'expire',
        'tick',
        'rates',
      ] as const),
    ),
    which: fc.nat(50),
    from: fc.integer({ min: 0, max: 6 }),
    nights: fc.integer({ min: 1, max: 4 }),
    rooms: fc.integer({ min: 0, max: 4 }),
    type: fc.constantFrom('STD', 'DLX'),
    minutes: fc.nat(20),
  }),
  { maxLength: 60 },
);
export type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never;

/** The bookings of a run: what a database would hold. */
export class Run {
  readonly scene: Scene;
  readonly reservations = new Map<string, Reservation>();

  constructor(scene = Scene.house({ policies: { horizonNights: 12 } })) {
    this.scene = scene;
  }

  commandOf({ what, which, from, nights, rooms, type }: Move): Command | undefined {
    const { today, holds } = this.scene.state;
    const of = { roomType: type, checkIn: today + from, checkOut: today + from + nights };
    const paying = [...holds].map(([, hold]) => hold).filter(({ booking }) => booking);
    const hold = paying[which % Math.max(1, paying.length)];
    const reservation = [...this.reservations.values()][which % Math.max(1, this.reservations.size)];
    switch (what) {
      case 'book':
        return book({ stay: of });
      case 'start':
        return startBooking({ stay: of });
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
        return reservation && cancel(reservation.id);
      case 'modify':
        return reservation && modify(reservation.id, of);
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
            policies: { horizonNights: 12, overbookingLimit: rooms },
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

  /** Free rooms of every cell, negative by a shortfall. */
  free(): Map<string, number> {
    const limit = this.scene.state.property!.metadata.policies.overbookingLimit;
    const free = new Map<string, number>();
    for (const [type, slab] of this.scene.state.slabs)
      for (let day = slab.first; slab.has(day); day++) {
        // Added up here and not asked for: the sum itself is under test.
        const used = slab.count(day, 'booked') + slab.count(day, 'held') + slab.blocked(day);
        free.set(`${type} ${day}`, slab.total(day) + (slab.overbooking(day) ?? limit) - used);
      }
    return free;
  }

  /** Runs a move as a batch of its own and returns its command when it was accepted. */
  play(move: Move): Command | undefined {
    this.scene.pass(move.minutes * (move.what === 'tick' ? 3_600_000 : 60_000));
    const command = this.commandOf(move);
    if (!command) return undefined;
    const [verdict] = this.scene.batch(envelope(command)).verdicts;
    for (const reservation of this.scene.last.draft.reservations.put())
      this.reservations.set(reservation.id, reservation);
    if (verdict!.kind === 'fault') throw verdict!.error;
    return verdict!.kind === 'accepted' ? command : undefined;
  }

  /** Booked and held rooms of the window, counted anew from reservations and holds. */
  recount(): Map<string, [number, number]> {
    const { holds, today } = this.scene.state;
    const cells = new Map([...this.free().keys()].map((key): [string, [number, number]] => [key, [0, 0]]));
    const count = (stay: { roomType: string; checkIn: number; checkOut: number }, counter: 0 | 1, rooms: number) => {
      for (let day = Math.max(today, stay.checkIn); day < stay.checkOut; day++)
        cells.get(`${stay.roomType} ${day}`)![counter] += rooms;
    };
    for (const { id, status, stay } of this.reservations.values())
      if ((status === 'CONFIRMED' || status === 'PENDING') && !holds.get(id)) count(stay, 0, 1);
    for (const [, hold] of holds) if (hold.kind !== 'LATE') count(hold, 1, hold.rooms);
    return cells;
  }
}
