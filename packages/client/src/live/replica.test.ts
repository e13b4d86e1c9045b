import fc from 'fast-check';
import t from 'tap';

import type {
  DeltaFrame,
  FeedItem,
  GridItem,
  Patch,
  Position,
  SnapshotFrame,
} from '../../../../src/live/contracts/live.ts';
import { LIVE_LIMITS } from './live-limits.ts';
import { Replica } from './replica.ts';

const PROPERTY = 'harbor-hotel';

/** One change of the source: cell and rooms, and whether a booking is in the feed. */
type Step = { cell: number; booked: number; tells: boolean; rewinds: boolean };

/** The source of truth: its content at each number, and the frames of a faultless server. */
class Source {
  readonly deltas: DeltaFrame[] = [];
  readonly snapshots = new Map<string, SnapshotFrame>();
  position: Position = { generation: 1, seq: 0 };
  #grid = new Map<number, GridItem>();
  #feed: FeedItem[] = [];

  constructor(steps: readonly Step[]) {
    this.#keep();
    for (const step of steps) this.#take(step);
  }

  at({ generation, seq }: Position): SnapshotFrame | undefined {
    return this.snapshots.get(`${generation}/${seq}`);
  }

  /** Answer to a resync: the missing deltas, or a snapshot. */
  answer({ generation, seq }: Position, prefersSnapshot: boolean): (DeltaFrame | SnapshotFrame)[] {
    const missing = this.deltas.filter((delta) => delta.generation === this.position.generation && delta.from > seq);
    if (prefersSnapshot || generation !== this.position.generation) return [this.at(this.position)!];
    return missing;
  }

  #take({ cell, booked, tells, rewinds }: Step): void {
    if (rewinds) {
      this.position = { generation: this.position.generation + 1, seq: this.position.seq };
      this.#keep();
    }
    const { generation } = this.position;
    const seq = this.position.seq + 1;
    this.position = { generation, seq };
    const patches: Patch[] = [{ topic: 'grid', ...gridItem(cell, booked) }];
    this.#grid.set(cell, gridItem(cell, booked));
    if (tells) {
      patches.push({ topic: 'feed', ...feedItem(seq) });
      this.#feed = [feedItem(seq), ...this.#feed].slice(0, LIVE_LIMITS.feedItems);
    }
    const cause = { type: 'CONFIRM_BOOKING', id: String(seq) };
    this.deltas.push({ t: 'delta', propertyId: PROPERTY, generation, from: seq, to: seq, ts: seq, cause, patches });
    this.#keep();
  }

  #keep(): void {
    const { generation, seq } = this.position;
    const [grid, feed] = [[...this.#grid.values()], this.#feed];
    const nothing = { kpi: [], rooms: [], competitors: [] };
    const frame = {
      t: 'snapshot' as const,
      propertyId: PROPERTY,
      generation,
      seq,
      asOf: seq,
      grid,
      feed,
      ...nothing,
    };
    this.snapshots.set(`${generation}/${seq}`, frame);
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  cell: fc.integer({ min: 0, max: 3 }),
  booked: fc.integer({ min: 0, max: 9 }),
  tells: fc.boolean(),
  rewinds: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
});

/** Network faults of a frame: lost, repeated, delayed. */
const fate = fc.record({ copies: fc.constantFrom(0, 1, 1, 1, 2), delay: fc.constantFrom(0, 0, 0, 1, 5) });

t.test('whatever a network does, a replica shows one true state, and knows when it is behind', async (t) => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.infiniteStream(fate),
      fc.infiniteStream(fc.boolean()),
      (steps, fates, coins) => {
        const source = new Source(steps);
        const replica = new Replica(PROPERTY);
        replica.applySnapshot(source.at({ generation: 1, seq: 0 })!);
        const arriving = source.deltas
          .flatMap((frame, index) => {
            const { copies, delay } = fates.next().value;
            return Array.from({ length: copies }, (_, copy) => ({ frame, due: index + delay * (copy + 1) }));
          })
          .sort((a, b) => a.due - b.due);
        for (const { frame } of arriving) {
          const outcome = replica.applyDelta(frame);
          assertTrue(replica, source);
          if (outcome.kind === 'gap' && coins.next().value) settle(replica, source, coins.next().value);
        }
        const outcome = replica.checkPosition(source.position);
        if (outcome.kind === 'gap') settle(replica, source, coins.next().value);
        else assertEqual(replica.position, source.position);
        assertEqual(replica.position, source.position);
        assertTrue(replica, source);
      },
    ),
    { numRuns: 400 },
  );
  t.pass('every interleaving ends equal to the source');
});

t.test('without faults nothing is ever requested again', async (t) => {
  fc.assert(
    fc.property(
      fc.array(
        step.map((it) => ({ ...it, rewinds: false })),
        { maxLength: 80 },
      ),
      (steps) => {
        const source = new Source(steps);
        const replica = new Replica(PROPERTY);
        replica.applySnapshot(source.at({ generation: 1, seq: 0 })!);
        for (const delta of source.deltas) assertEqual(replica.applyDelta(delta).kind, 'applied');
        assertEqual(replica.checkPosition(source.position).kind, 'duplicate');
        assertTrue(replica, source);
      },
    ),
  );
  t.pass('each delta is applied once');
});

t.test('a gap requests once, with the last position applied', async (t) => {
  const source = new Source(Array.from({ length: 5 }, () => ({ cell: 0, booked: 1, tells: true, rewinds: false })));
  const [first, second, third, fourth] = source.deltas as [
    DeltaFrame,
    DeltaFrame,
    DeltaFrame,
    DeltaFrame,
    DeltaFrame,
  ];
  const replica = new Replica(PROPERTY);
  t.strictSame(replica.applyDelta(first), { kind: 'waiting' }, 'before the first snapshot there is nothing to miss');
  t.strictSame(replica.checkPosition(source.position), { kind: 'waiting' });
  replica.applySnapshot(source.at({ generation: 1, seq: 0 })!);
  t.equal(replica.applyDelta(first).kind, 'applied');
  t.strictSame(replica.applyDelta(third), {
    kind: 'gap',
    resync: { t: 'resync', propertyId: PROPERTY, generation: 1, seq: 1 },
  });
  t.ok(replica.resyncing);
  t.strictSame(replica.applyDelta(fourth), { kind: 'waiting' });
  t.equal(replica.applyDelta(second).kind, 'applied', 'the answer came');
  t.notOk(replica.resyncing);
  t.equal(replica.applyDelta(second).kind, 'duplicate');
  t.equal(
    replica.applyDelta({ ...third, from: 1, to: 3 }).kind,
    'gap',
    'a range that overlaps is not applied either',
  );
  t.equal(replica.feed.length, 2);
});

function settle(replica: Replica, source: Source, prefersSnapshot: boolean): void {
  for (const frame of source.answer(replica.position!, prefersSnapshot)) {
    if (frame.t === 'snapshot') replica.applySnapshot(frame);
    else replica.applyDelta(frame);
    assertTrue(replica, source);
  }
}

/** Asserts that the content is exactly that of the source at the replica's position. */
function assertTrue(replica: Replica, source: Source): void {
  const truth = source.at(replica.position!);
  const shown = [...replica.grid.values()].sort((a, b) => a.date.localeCompare(b.date));
  assertEqual(
    shown,
    truth?.grid.toSorted((a, b) => a.date.localeCompare(b.date)),
  );
  assertEqual(replica.feed, truth?.feed);
}

function assertEqual(found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);
  }
}

function gridItem(cell: number, booked: number): GridItem {
  const counts = { totalRooms: 10, bookedRooms: booked, heldRooms: 0, blockedRooms: 0, availableRooms: 10 - booked };
  return { roomType: 'STD', date: `2026-03-0${cell + 1}`, ...counts, rate: 99.5, currency: 'EUR' };
}

function feedItem(seq: number): FeedItem {
  return {
    type: 'CREATED',
    at: seq,
    reservationId: `res-${seq}`,
    confirmationNumber: `CN${seq}`,
    roomType: 'STD',
    checkIn: '2026-03-01',
    checkOut: '2026-03-02',
    nights: 1,
    guestName: null,
    status: 'CONFIRMED',
  };
}
