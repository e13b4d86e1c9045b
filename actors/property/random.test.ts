import fc from 'fast-check';
import t from 'tap';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { holdMoves, moves } from '../../src/testing/actors/random-moves.ts';
import { RandomRun } from '../../src/testing/actors/random-run.ts';
import { plain, Scene } from '../../src/testing/actors/scene.ts';
import { BEDS, envelope } from '../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../test/loop/nightly.ts';

const TAKING = new Set(['BOOK', 'START_BOOKING', 'MODIFY', 'PLACE_HOLD']);

void t.test('whatever happens, no sale takes a cell that was not free (I1)', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) {
        const before = run.free();
        const command = run.play(move);
        if (!command) continue;
        if (TAKING.has(command.type) || (command.type === 'SET_INVENTORY' && command.totalRooms === undefined))
          for (const [key, free] of run.free()) if (free < 0 && free < before.get(key)!) return false;
      }
      return true;
    }),
    { numRuns: inCiOrNightly(60, 600) },
  );
});

void t.test('counters of every cell are what reservations and holds add up to', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) run.play(move);
      const { slabs, unfinished } = run.scene.state;
      for (const [key, [booked, held]] of run.recount()) {
        const [type, day] = key.split(' ');
        const slab = slabs.get(type!)!;
        if (slab.count(Number(day), 'booked') !== booked || slab.count(Number(day), 'held') !== held) return false;
      }
      return (
        [...run.reservations.values()].filter(({ status }) => ['PENDING', 'CONFIRMED', 'CHECKED_IN'].includes(status))
          .length === unfinished
      );
    }),
    { numRuns: inCiOrNightly(60, 600) },
  );
});

void t.test('a room that goes from a hold to a booking and back is never free, and never two', async () => {
  fc.assert(
    fc.property(holdMoves, fc.boolean(), (played, paymentRequired) => {
      const run = new RandomRun(Scene.property({ policies: { horizonNights: 12, paymentRequired } }));
      for (const move of played) {
        const before = run.free();
        const command = run.play(move);
        const { slabs } = run.scene.state;
        for (const [key, [booked, held]] of run.recount()) {
          const [type, day] = key.split(' ');
          const slab = slabs.get(type!)!;
          if (slab.count(Number(day), 'booked') !== booked || slab.count(Number(day), 'held') !== held) return false;
        }
        const isMoved = command && 'booking' in command && command.booking.fromHold !== undefined;
        if (isMoved) for (const [key, free] of run.free()) if (free !== before.get(key)) return false;
      }
      return true;
    }),
    { numRuns: inCiOrNightly(60, 600) },
  );
});

void t.test('groups keep, and promotions have sold, what their bookings add up to', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) run.play(move);
      const { slabs, promotions } = run.scene.state;
      for (const [key, blocked] of run.recountGroups()) {
        const [type, day] = key.split(' ');
        if (slabs.get(type!)!.count(Number(day), 'group') !== blocked) return false;
      }
      return [...promotions.values()].every(({ promoCode, used, inventory }) => {
        const counted = run.recountUnits(promoCode);
        return used === counted && used <= (inventory.totalRooms ?? Infinity);
      });
    }),
    { numRuns: inCiOrNightly(60, 600) },
  );
});

void t.test('each night has the rooms out of order that maintenances say, and none of them has a guest', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) run.play(move);
      const { slabs, rooms } = run.scene.state;
      for (const [key, closed] of run.recountClosed()) {
        const [type, day] = key.split(' ');
        if (slabs.get(type!)!.count(Number(day), 'outOfOrder') !== closed) return false;
      }
      return [...rooms.values()].every(
        ({ status, reservationId }) => status !== 'OUT_OF_ORDER' || reservationId === undefined,
      );
    }),
    { numRuns: inCiOrNightly(60, 600) },
  );
});

void t.test('extra beds of a night are what folios say, and none is given beyond the stock', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) {
        const before = run.recountBeds();
        const command = run.play(move);
        const beds = run.recountBeds();
        const stored = new Map<number, number>();
        for (const { firstNight, lastNight, quantity } of run.scene.state.extraStays.values())
          for (let night = firstNight; night <= lastNight; night++)
            stored.set(night, (stored.get(night) ?? 0) + quantity);
        for (const night of new Set([...beds.keys(), ...stored.keys()]))
          if (beds.get(night) !== stored.get(night)) return false;
        if (command?.type !== 'POST_CHARGE' && command?.type !== 'MODIFY') continue;
        for (const [night, taken] of beds)
          if (taken > BEDS && taken > (before.get(night) ?? 0) && night >= run.scene.state.today) return false;
      }
      return true;
    }),
    { numRuns: inCiOrNightly(60, 600) },
  );
});

void t.test(
  'each dirty room has one task to do, a clean one none, and the others are as their rooms say',
  async () => {
    fc.assert(
      fc.property(moves, (played) => {
        const run = new RandomRun();
        for (const move of played) run.play(move);
        const { rooms, housekeeping } = run.scene.state;
        const tasks = Map.groupBy(housekeeping.values(), ({ roomNumber }) => roomNumber);
        for (const [roomNumber, own] of tasks) if (own.length > 1 || !rooms.has(roomNumber)) return false;
        return [...rooms.values()].every(({ roomNumber, status, reservationId }) => {
          const [task] = tasks.get(roomNumber) ?? [];
          const isToDo = task?.status === 'PENDING' || task?.status === 'IN_PROGRESS';
          if (status === 'DIRTY') return isToDo;
          if (['CLEAN', 'AVAILABLE', 'INSPECTED'].includes(status) && isToDo) return false;
          return task === undefined || isToDo || (status === 'CLEAN' && reservationId === undefined);
        });
      }),
      { numRuns: inCiOrNightly(60, 600) },
    );
  },
);

void t.test('one batch of many commands ends in the state of as many batches of one', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) run.play(move);
      const commands = played
        .filter(({ what }) =>
          [
            'book',
            'start',
            'inventory',
            'count',
            'rates',
            'restrict',
            'promote',
            'promoBook',
            'group',
            'hold',
          ].includes(what),
        )
        .map((move) => run.commandOf(move)!);
      const { state, now } = run.scene;
      const twin = new Scene({ ...state, holds: new Map(state.holds), usedQuotes: new Map(state.usedQuotes) }, now);
      twin.batch(...commands.map((command) => envelope(command)));
      for (const command of commands) run.scene.batch(envelope(command));
      // The journal says how it was committed, and so the heads of its chain differ.
      const [many, single] = [twin, run.scene].map((scene) => ({ ...plain(scene.state), head: '' }));
      return JSON.stringify(many) === JSON.stringify(single);
    }),
    { numRuns: inCiOrNightly(30, 300) },
  );
});

void t.test('every error of a random run has a code of the table and leaves the state alone', async () => {
  fc.assert(
    fc.property(moves, (played) => {
      const run = new RandomRun();
      for (const move of played) {
        const before = JSON.stringify(plain(run.scene.state));
        const { seq } = run.scene.state;
        if (run.play(move) || run.scene.state.seq !== seq) continue;
        const [outcome] = run.scene.last.outcomes;
        if (outcome!.kind === 'refused' && !(outcome!.error instanceof DomainError)) return false;
        if (JSON.stringify(plain(run.scene.state)) !== before) return false;
      }
      return true;
    }),
    { numRuns: inCiOrNightly(30, 300) },
  );
});
