import fc from 'fast-check';
import { deepStrictEqual as same } from 'node:assert';
import t from 'tap';

import { Random } from '../../kernel/rules/random.ts';
import { KNOT, room, stay } from '../../testing/room-properties.ts';
import { searchPacking } from './packing-search.ts';
import {
  type PackingFit,
  NOWHERE,
  Packing,
  type PackingRoom,
  type PackingStay,
  roomy,
  tight,
} from './room-packing.ts';
import type { NightRange } from './room-plan.ts';

type Puzzle = { rooms: PackingRoom[]; stays: PackingStay[] };

const wanted = (id: string, [from, to]: readonly [number, number]): PackingStay => ({
  stay: stay(id, from, to - from),
  from,
  to,
  due: true,
  right: 0,
});

/** An almost full property cut into stays, some of them fixed to their room: all fit. */
function puzzle(seed: number, { rooms, nights, taken }: { rooms: number; nights: number; taken: number }): Puzzle {
  const random = new Random(seed);
  const found: Puzzle = { rooms: [], stays: [] };
  for (let index = 0; index < rooms; index++) {
    const retained: NightRange[] = [];
    for (let from = random.between(0, 2); from < nights;) {
      const to = from + random.between(1, 6);
      if (random.chance(taken)) retained.push({ from, to });
      else found.stays.push(wanted(`${index}-${from}`, [from, to]));
      from = to + (random.chance(0.15) ? 1 : 0);
    }
    found.rooms.push({ room: room(String(index)), taken: retained });
  }
  found.stays.sort((a, b) => a.from - b.from);
  return found;
}

/** Throws when two stays have the same room on a night. */
function checkPacked({ rooms, stays }: Puzzle, roomOf: Int32Array): void {
  for (const [index, { room, taken }] of rooms.entries()) {
    const nights = [...taken, ...stays.filter((_, stay) => roomOf[stay] === index)].sort((a, b) => a.from - b.from);
    for (const [at, { from }] of nights.entries())
      if (at > 0 && from < nights[at - 1]!.to) throw new Error(`${room.roomNumber} has two stays on night ${from}`);
  }
}

const pack = ({ rooms, stays }: Puzzle, fit: PackingFit): { all: boolean; roomOf: Int32Array } => {
  const packing = new Packing(rooms, stays, fit, () => 0);
  return { all: packing.run({ looks: Infinity }), roomOf: packing.roomOf };
};

const seeds = fc.integer({ min: 0 });

void t.test('no room is given twice on a night, whether all find one or not', async () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(roomy, tight), (seed, fit) => {
      const found = puzzle(seed, { rooms: 6, nights: 24, taken: 0.3 });
      const tooMany = [...found.stays, wanted('more', [3, 9])].sort((a, b) => a.from - b.from);
      const { all, roomOf } = pack({ ...found, stays: tooMany }, fit);
      checkPacked({ ...found, stays: tooMany }, roomOf);
      same(all, !roomOf.includes(NOWHERE));
    }),
    { numRuns: 2_000 },
  );
});

void t.test('a property without taken nights to come is packed wherever each night has a room left', async () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(roomy, tight), (seed, fit) => {
      const found = puzzle(seed, { rooms: 12, nights: 30, taken: 0 });
      // Guests in house: their nights begin today.
      const inHouse = new Random(seed);
      for (const one of found.rooms) one.taken = inHouse.chance(0.5) ? [{ from: 0, to: inHouse.between(1, 9) }] : [];
      const left = (day: number): number =>
        found.rooms.filter(({ taken }) => (taken[0]?.to ?? 0) <= day).length -
        found.stays.filter(({ from, to }) => from <= day && day < to).length;
      const days = Array.from({ length: 40 }, (_, day) => day);
      const full = (): number | undefined => days.find((day) => left(day) < 0);
      for (let day = full(); day !== undefined; day = full())
        found.stays.splice(
          found.stays.findIndex(({ from, to }) => from <= day && day < to),
          1,
        );
      const { all, roomOf } = pack(found, fit);
      same(all, true);
      checkPacked(found, roomOf);
    }),
    { numRuns: 500 },
  );
});

void t.test('a search finds rooms for all wherever that can be', async () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const found = puzzle(seed, { rooms: 5, nights: 20, taken: 0.3 });
      const roomOf = searchPacking(found.rooms, found.stays, { looks: 1_000_000 });
      if (!roomOf) throw new Error('nothing found');
      checkPacked(found, roomOf);
      same(roomOf.includes(NOWHERE), false);
    }),
    { numRuns: 1_000 },
  );
});

const knot: Puzzle = {
  rooms: KNOT.taken.map((nights, index) => ({
    room: room(String(index)),
    taken: nights.map(([from, to]) => ({ from, to })),
  })),
  stays: KNOT.stays.map((nights, index) => wanted(String(index), nights)),
};

void t.test('a knot is found by trying, nothing where there is no way, and nothing without effort', async (t) => {
  t.equal(pack(knot, roomy).all, false);
  t.equal(pack(knot, tight).all, false);
  const roomOf = searchPacking(knot.rooms, knot.stays, { looks: 10_000 })!;
  checkPacked(knot, roomOf);
  t.notOk(roomOf.includes(NOWHERE));
  const tooMany = [...knot.stays, wanted('more', [5, 6])].sort((a, b) => a.from - b.from);
  t.equal(searchPacking(knot.rooms, tooMany, { looks: 1_000_000 }), undefined);
  t.equal(searchPacking(knot.rooms, knot.stays, { looks: 8 }), undefined);
});
