import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

import { dayNumber, type SmallProperty } from '../cluster/properties.ts';
import type { Kind, Operation, Outcome, Stay } from '../nemesis/history.ts';
import { neutralHistory } from '../nemesis/neutral-history.ts';
import { Porcupine, type PorcupineReport } from './checker.ts';

const MISSING = 'SKIPPED: Porcupine is built with Go, which is not on the PATH';
const property: SmallProperty = { propertyId: 'anchor', rooms: { STD: 1 }, firstDay: 0, autoConfirms: true };
const NIGHT: Stay = { roomType: 'STD', checkIn: '2030-01-01', checkOut: '2030-01-02' };
const NEXT: Stay = { ...NIGHT, checkIn: '2030-01-02', checkOut: '2030-01-03' };
const BOTH: Stay = { ...NIGHT, checkOut: NEXT.checkOut };

let clock = 0;
let number = 0;

/** An operation after all before; `during` puts its start before the end of the one before. */
function asked(kind: Kind, outcome: Outcome, more: Partial<Operation> = {}): Operation {
  const invokedAt = (clock += 10);
  const returnedAt = (clock += 10);
  const id = `r${(number += 1)}`;
  const tries = [{ node: 'node-1', at: invokedAt, ms: 10, status: 200 }];
  return {
    id,
    key: `k-${id}`,
    client: number,
    property: 'anchor',
    kind,
    invokedAt,
    returnedAt,
    tries,
    outcome,
    ...more,
  };
}

const ok = (entity?: string): Outcome => ({ kind: 'ok', seq: 1, entity, replayed: false });
const soldOut: Outcome = { kind: 'refused', code: 'ROOM_NOT_AVAILABLE', status: 409 };
const booked = (entity: string, stay = NIGHT): Operation => asked('book', ok(entity), { stay });
const cancelled = (target: string): Operation => asked('cancel', ok(), { target, stay: NIGHT });
const refused = (stay = NIGHT): Operation => asked('book', soldOut, { stay });
const read = (taken: number, { checkIn: date } = NIGHT): Operation => {
  const cells = [{ roomType: 'STD', date, totalRooms: 1, bookedRooms: taken, heldRooms: 0 }];
  return asked('read', { kind: 'ok', seq: 1, replayed: false, cells }, { key: undefined });
};

const porcupine = Porcupine.build();
if (porcupine === undefined) {
  // `.ci/run` sets it: there a suite that does not run is a failure.
  if (process.env['REQUIRE_SERVICES'] === 'all') t.fail(MISSING);
  else t.pass('Porcupine', { skip: MISSING });
  process.once('exit', () => process.stderr.write(`${MISSING}\n`));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-histories-'));
  t.teardown(() => {
    porcupine[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });
  const judged = (...operations: Operation[]): PorcupineReport => {
    const file = join(folder, 'history.ndjson');
    writeFileSync(file, neutralHistory([property], operations).join('\n'));
    return porcupine.check(file);
  };
  const CELL = 'cell anchor STD 2030-01-01';

  void t.test('a sound history has an order that explains it', async (t) => {
    const first = booked('one');
    const operations = [
      first,
      refused(),
      read(1),
      cancelled('one'),
      read(0),
      booked('two', BOTH),
      asked('modify', ok(), { target: 'two', stay: NEXT }),
      booked('three'),
      asked('repeat', ok('one'), { key: first.key }),
    ];
    t.match(judged(...operations), { cells: 2, keyOperations: 4, illegal: [], undecided: [] });
  });

  void t.test('operations at the same time may be in either order', async (t) => {
    const one = booked('one');
    const during = { invokedAt: one.invokedAt + 1, returnedAt: one.returnedAt + 1 };
    t.same(judged(one, { ...read(0), ...during }).illegal, []);
    t.same(judged(one, { ...read(1), ...during }).illegal, []);
    t.same(judged(one, { ...refused(), ...during }).illegal, []);
  });

  void t.test('a room that is sold twice is found', async (t) => {
    t.same(judged(booked('one'), booked('two')).illegal, [CELL]);
    t.same(judged(booked('one', BOTH), booked('two', NEXT)).illegal, ['cell anchor STD 2030-01-02']);
    t.same(judged(booked('one'), asked('hold', ok('hold'), { stay: NIGHT })).illegal, [CELL], 'or held');
    const block = asked('group', ok('group'), { rooms: [NIGHT] });
    t.same(judged(booked('one'), block).illegal, [CELL], 'or blocked for a group');
  });

  void t.test('an acknowledged booking that is lost is found', async (t) => {
    t.same(judged(booked('one'), read(0)).illegal, [CELL]);
  });

  void t.test(
    'a refusal for a room that was free is found, unless the room may have been out of order',
    async (t) => {
      t.same(judged(read(0), refused()).illegal, [CELL]);
      const closed = asked('close', ok('maintenance'), { rooms: [NIGHT] });
      t.same(judged(read(0), closed, refused()).illegal, []);
      const reopened = asked('reopen', ok(), { target: 'maintenance' });
      t.same(judged(read(0), closed, reopened, refused()).illegal, [CELL]);
    },
  );

  void t.test('a request without an answer may have had its effect, or not', async (t) => {
    const lost = asked('book', { kind: 'unknown' }, { stay: NIGHT });
    t.same(judged(lost, read(1)).illegal, []);
    t.same(judged(lost, read(0)).illegal, []);
    t.same(judged(lost, read(1), read(0), read(1), read(0)).illegal, [CELL], 'but not time and again');
  });

  void t.test('a key with two answers is found', async (t) => {
    const first = booked('one');
    const repeat = asked('repeat', ok('two'), { key: first.key });
    t.same(judged(first, repeat).illegal, [`key ${first.key}`]);
  });

  void t.test('what cannot be read is an error, and no history is no proof', async (t) => {
    const file = join(folder, 'broken.ndjson');
    writeFileSync(file, '{"type":"ok","op":"nobody"}\n');
    t.throws(() => porcupine.check(file), /line 1: completes "nobody"/);
    t.match(judged(), { cells: 0 });
    t.equal(dayNumber(NIGHT.checkIn), 21_915, 'nights are days of UTC');
  });
}
