import fc from 'fast-check';
import t from 'tap';

import { foldJournal } from '../../src/history/rules/journal-fold.ts';
import { type GridSnapshot, PastGrid, snapshotOf } from '../../src/history/rules/past-grid.ts';
import type { PropertyView } from '../../src/kernel/property-actors.ts';
import type { Command } from '../../src/kernel/rules/commands.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { GridCell } from '../../src/rates/rules/queries.ts';
import { type Move, moves } from '../../src/testing/actors/random-moves.ts';
import { RandomRun } from '../../src/testing/actors/random-run.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import { envelope, property, roomType, settingUp } from '../../src/testing/property-world.ts';

const FOREVER = Number.MAX_SAFE_INTEGER;

/** Set-ups that change which cells there are, between the moves of `random-run.ts`. */
const setups = fc.record({
  set: fc.constantFrom(
    ...(['horizon', 'zone', 'type', 'rolling', 'remove', 'years', 'delete', 'restore', 'follow'] as const),
  ),
  nights: fc.integer({ min: 1, max: 25 }),
  rooms: fc.integer({ min: 0, max: 4 }),
  limit: fc.integer({ min: 0, max: 2 }),
  type: fc.constantFrom('STD', 'DLX', 'NEW'),
});
type Setup = typeof setups extends fc.Arbitrary<infer S> ? S : never;

const plays = fc.array(fc.oneof({ weight: 3, arbitrary: moves.map((all) => all.slice(0, 3)) }, setups), {
  maxLength: 25,
});

function commandOf(run: RandomRun, { set, nights, rooms, limit, type }: Setup): Command {
  const { propertyId } = run.scene.state.address;
  const policies = { horizonNights: nights, overbookingLimit: limit };
  switch (set) {
    case 'horizon':
      return { type: 'UPDATE_PROPERTY', property: property({ propertyId, policies }) };
    case 'zone': {
      const moved = property({ propertyId, policies: { ...policies, nightAuditHour: nights % 12 } });
      moved.metadata.timezone = nights % 2 ? 'Pacific/Kiritimati' : 'America/Denver';
      return { type: 'UPDATE_PROPERTY', property: moved };
    }
    case 'type':
      return { type: 'PUT_ROOM_TYPE', roomType: roomType(type, rooms), mode: 'put' };
    case 'rolling': {
      const rollingRates = { weekday: 9_000, weekend: 11_000 + nights };
      return { type: 'PUT_ROOM_TYPE', roomType: roomType(type, rooms, { rollingRates }), mode: 'put' };
    }
    case 'remove':
      return { type: 'REMOVE_ROOM_TYPE', roomType: type };
    case 'years':
      run.scene.pass(nights * 40 * 86_400_000);
      return { type: 'TICK' };
    case 'follow':
      return { type: 'FOLLOW_TENANT', policies };
    case 'restore':
      return { type: 'RESTORE_PROPERTY' };
    case 'delete':
      return { type: 'DELETE_PROPERTY' };
  }
}

type Shown = { seq: number; cells: GridCell[]; snapshot: GridSnapshot };

function shown(scene: Scene): Shown {
  const { seq, property: target } = scene.state;
  if (!target) return { seq, cells: [], snapshot: { roomTypes: [], rooms: [], books: [] } };
  return { seq, cells: scene.view.grid(0, FOREVER), snapshot: snapshotOfView(scene.view) };
}

function snapshotOfView(view: PropertyView): GridSnapshot {
  const { businessDate: today, books, setup } = view;
  const { property, rooms, roomTypes } = setup;
  const types = roomTypes.map((type) => ({ roomType: type, cells: view.grid(0, FOREVER, type.roomType) }));
  return snapshotOf({ property, rooms, books, today }, types);
}

/** Plays it all from the creation on; every entry, and what the actor showed after each. */
function played(all: readonly (Move[] | Setup)[]): { entries: JournalEntry[]; views: Shown[] } {
  const scene = Scene.nothing();
  const entries: JournalEntry[] = [];
  const views: Shown[] = [];
  const batch = scene.batch.bind(scene);
  scene.batch = (...envelopes) => {
    const step = batch(...envelopes);
    entries.push(...step.entries);
    if (step.entries.length > 0) views.push(shown(scene));
    return step;
  };
  for (const command of settingUp({ policies: { horizonNights: 12 } })) scene.accept(command);
  const run = new RandomRun(scene);
  for (const one of all) {
    if (!scene.state.property) run.scene.pass(3 * 86_400_000);
    if (!Array.isArray(one)) scene.batch(envelope(commandOf(run, one)));
    else if (scene.state.property) for (const move of one) run.play(move);
    else scene.batch(envelope({ type: 'RESTORE_PROPERTY' }));
  }
  return { entries, views };
}

/** As it comes from the database. */
const asRead = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

void t.test('at every seq the grid that is rebuilt from the journal is the one that the actor showed', async (t) => {
  let rolls = 0;
  let removed = 0;
  let deleted = 0;
  let restored = 0;
  fc.assert(
    fc.property(plays, (all) => {
      const { entries, views } = played(all);
      const grid = new PastGrid();
      entries.forEach((entry, index) => {
        grid.apply(entry.at, asRead(entry.facts));
        const view = views[index]!;
        if (entry.seq !== view.seq) throw new Error(`${entry.seq} is not ${view.seq}`);
        same(grid.cells(0, FOREVER), view.cells, entry);
        same(asRead(grid.snapshot()), asRead(view.snapshot), entry);
        rolls += Number(entry.type === 'TICK');
        removed += Number(entry.type === 'REMOVE_ROOM_TYPE');
        deleted += Number(entry.type === 'DELETE_PROPERTY');
        restored += Number(entry.type === 'RESTORE_PROPERTY');
      });
    }),
    { numRuns: 300 },
  );
  t.ok(rolls > 20 && removed > 0 && restored > 0, `${rolls} rolls, ${removed} removals, ${deleted}, ${restored}`);
});

void t.test('a property that comes back with a window beyond its horizon has all of it', async (t) => {
  const short = { nights: 3, rooms: 1, limit: 0, type: 'STD' } as const;
  const { entries, views } = played([{ ...short, set: 'horizon' }, { ...short, set: 'delete' }, []]);
  t.same(
    entries.slice(-2).map(({ type }) => type),
    ['DELETE_PROPERTY', 'RESTORE_PROPERTY'],
  );
  const grid = new PastGrid();
  for (const entry of entries) grid.apply(entry.at, asRead(entry.facts));
  t.same(grid.cells(0, FOREVER), views.at(-1)!.cells);
  t.same(asRead(grid.snapshot()), asRead(views.at(-1)!.snapshot));
});

void t.test('it is the same from a checkpoint at any seq, page by page', async () => {
  fc.assert(
    fc.property(plays, fc.nat(), fc.integer({ min: 1, max: 5 }), (all, from, page) => {
      const { entries, views } = played(all);
      const start = from % views.length;
      let grid: GridSnapshot = asRead(views[start]!.snapshot);
      for (let at = start + 1; at < entries.length; at += page) {
        const rows = entries.slice(at, at + page).map((entry) => ({ ...entry, facts: JSON.stringify(entry.facts) }));
        grid = asRead(foldJournal({ grid, rows }).grid);
      }
      same(new PastGrid(grid).cells(0, FOREVER), views.at(-1)!.cells, entries.at(-1)!);
    }),
    { numRuns: 150 },
  );
});

void t.test('the changes of a cell lead from one value to the next, and to what it is', async () => {
  fc.assert(
    fc.property(plays, fc.constantFrom('STD', 'NEW'), fc.nat(14), (all, type, ahead) => {
      const { entries, views } = played(all);
      const day = views[0]!.snapshot.house!.today + ahead;
      const rows = entries.map((entry) => ({ ...entry, facts: JSON.stringify(entry.facts) }));
      const { changes } = foldJournal({ rows, watched: { roomType: type, day } });
      const cellAt = (seq: number) =>
        views[seq - 1]?.cells.find((cell) => cell.roomType === type && cell.day === day);
      for (const { seq, before, after } of changes) {
        same(before ?? null, cellAt(seq - 1) ?? null, entries[seq - 1]!);
        same(after ?? null, cellAt(seq) ?? null, entries[seq - 1]!);
      }
      const numbers = new Set(changes.map(({ seq }) => seq));
      for (const { seq } of entries) {
        const before = cellAt(seq - 1);
        const after = cellAt(seq);
        const passed = before && !after && entries[seq - 1]!.type !== 'REMOVE_ROOM_TYPE';
        if (!numbers.has(seq) && !passed) same(after ?? null, before ?? null, entries[seq - 1]!);
      }
    }),
    { numRuns: 150 },
  );
});

function same(got: unknown, wanted: unknown, { seq, type }: JournalEntry): void {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  throw new Error(`after ${seq} ${type}:\n got ${JSON.stringify(got)}\n not ${JSON.stringify(wanted)}`);
}
