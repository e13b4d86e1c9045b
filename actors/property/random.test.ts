import fc from 'fast-check';
import t from 'tap';
import type { Command } from '../../src/domain/commands.ts';
import { Refusal } from '../../src/domain/refusal.ts';
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
import { plain, Scene } from '../testing/scene.ts';

/** What a run may do next, drawn as numbers; which booking or hold is meant depends on what there is by then. */
const moves = fc.array(
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
type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never;

/** The bookings of a run: what a database would hold. */
class Run {
  readonly scene = Scene.house({ policies: { horizonNights: 12 } });
  readonly reservations = new Map<string, Reservation>();

  commandOf({ what, which, from, nights, rooms, type }: Move): Command | undefined {
    const { today, holds } = this.scene.state;
    const of = { roomType: type, checkIn: today + from, checkOut: today + from + nights };
    const paying = [...holds.values()].filter(({ booking }) => booking);
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
          property: property({ policies: { horizonNights: 12, overbookingLimit: rooms } }),
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
      for (let day = slab.first; slab.has(day); day++) free.set(`${type} ${day}`, slab.free(day, limit));
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
      if ((status === 'CONFIRMED' || status === 'PENDING') && !holds.has(id)) count(stay, 0, 1);
    for (const hold of holds.values()) if (hold.kind !== 'LATE') count(hold, 1, hold.rooms);
    return cells;
  }
}

const TAKING = new Set(['BOOK', 'START_BOOKING', 'MODIFY']);

void t.test('whatever happens, no sale takes a cell that was not free (I1)', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new Run();
      for (const move of played) {
        const before = run.free();
        const command = run.play(move);
        if (!command) continue;
        if (TAKING.has(command.type) || (command.type === 'SET_INVENTORY' && command.totalRooms === undefined))
          for (const [key, free] of run.free()) if (free < 0 && free < before.get(key)!) return false;
      }
      return true;
    }),
    { numRuns: 150 },
  );
});

void t.test('counters of every cell are what reservations and holds add up to', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new Run();
      for (const move of played) run.play(move);
      const { slabs, unfinished } = run.scene.state;
      for (const [key, [booked, held]] of run.recount()) {
        const [type, day] = key.split(' ');
        const slab = slabs.get(type!)!;
        if (slab.count(Number(day), 'booked') !== booked || slab.count(Number(day), 'held') !== held) return false;
      }
      return (
        [...run.reservations.values()].filter(({ status }) => status === 'CONFIRMED' || status === 'PENDING')
          .length === unfinished
      );
    }),
    { numRuns: 150 },
  );
});

void t.test('one batch of many commands ends in the state of as many batches of one', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new Run();
      for (const move of played) run.play(move);
      const commands = played
        .filter(({ what }) => ['book', 'start', 'inventory', 'count', 'rates'].includes(what))
        .map((move) => run.commandOf(move)!);
      const { state, now } = run.scene;
      const twin = new Scene({ ...state, holds: new Map(state.holds), usedQuotes: new Map(state.usedQuotes) }, now);
      twin.batch(...commands.map((command) => envelope(command)));
      for (const command of commands) run.scene.batch(envelope(command));
      return JSON.stringify(plain(twin.state)) === JSON.stringify(plain(run.scene.state));
    }),
    { numRuns: 60 },
  );
});

void t.test('every refusal of a random run has a code of the table and leaves the state alone', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new Run();
      for (const move of played) {
        const before = JSON.stringify(plain(run.scene.state));
        const { seq } = run.scene.state;
        if (run.play(move) || run.scene.state.seq !== seq) continue;
        const [verdict] = run.scene.last.verdicts;
        if (verdict!.kind === 'refused' && !(verdict!.refusal instanceof Refusal)) return false;
        if (JSON.stringify(plain(run.scene.state)) !== before) return false;
      }
      return true;
    }),
    { numRuns: 60 },
  );
});
