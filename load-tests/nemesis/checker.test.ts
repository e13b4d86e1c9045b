import { test } from 'tap';

import { chainHash } from '../../actors/property/chain.ts';
import type { Facts, JournalEntry } from '../../src/kernel/rules/journal.ts';
import { dayNumber, type SmallProperty } from '../cluster/properties.ts';
import { check, type CheckResult } from './checker.ts';
import type { Stored } from './evidence.ts';
import type { Kind, Operation, Outcome } from './history.ts';
import { outagesOf, shareOf } from './outages.ts';

const property: SmallProperty = { propertyId: 'house', rooms: { DLX: 1 }, firstDay: 0, autoConfirms: true };
const stay = { roomType: 'DLX', checkIn: '2030-01-01', checkOut: '2030-01-02' };
const NIGHT = dayNumber(stay.checkIn);

type Row = { type: string; requestId: string; entity: string; facts: Facts; seq?: number };

/** A journal with a valid chain. */
function journalOf(rows: readonly Row[]): JournalEntry[] {
  let head = '';
  return rows.map((row, n) => {
    const entry = { seq: n + 1, at: n, subject: 'somebody', ...row } as Omit<JournalEntry, 'hash'>;
    head = chainHash(head, { tenantId: 'demo', propertyId: 'house' }, entry);
    return { ...entry, hash: head };
  });
}

const booking = (event: string, id: string, status: string): Facts =>
  ({
    bookings: [[event, id, 'C1', 'guest', 'DLX', NIGHT, NIGHT + 1, 2, 100, 100, status]],
  }) as unknown as Facts;
const withCell = (facts: Facts, booked: number): Facts => ({
  ...facts,
  cells: [['DLX', NIGHT, 1, booked, 0, 0, 1 - booked, 100]],
});

/** Journal effects of a booking request: two rows. */
const booked = (requestId: string, id: string, count = 1): Row[] => [
  { type: 'START_BOOKING', requestId, entity: id, facts: booking('CREATED', id, 'PENDING') },
  { type: 'CONFIRM_BOOKING', requestId, entity: id, facts: withCell(booking('CONFIRMED', id, 'CONFIRMED'), count) },
];

let clock = 0;
function asked(kind: Kind, id: string, outcome: Outcome, more: Partial<Operation> = {}): Operation {
  const invokedAt = (clock += 10);
  const returnedAt = (clock += 10);
  const tries = [{ node: 'node-1', at: invokedAt, ms: 10, status: 200 }];
  return { id, client: 1, property: 'house', kind, stay, invokedAt, returnedAt, tries, outcome, ...more };
}
const ok = (seq: number, entity: string): Outcome => ({ kind: 'ok', seq, entity, replayed: false });
const soldOut = (seq: number): Outcome => ({ kind: 'refused', seq, code: 'ROOM_NOT_AVAILABLE', status: 409 });
const stored = (id: string, status = 'CONFIRMED', charges = 1): Stored => ({
  id,
  status,
  charges,
  property: 'house',
});

function judged(operations: Operation[], rows: Row[], ...rest: Stored[]): CheckResult {
  const journal = journalOf(rows);
  return check(property, operations, {
    propertyId: 'house',
    journal,
    stored: new Map(rest.map((one) => [one.id, one])),
  });
}

void test('a history in which everything is right has no violation', async (t) => {
  const cells = [{ roomType: 'DLX', date: stay.checkIn, totalRooms: 1, bookedRooms: 1, heldRooms: 0 }];
  const operations = [
    asked('book', 'r1', ok(2, 'one')),
    asked('book', 'r2', soldOut(2)),
    asked('read', 'r3', { kind: 'ok', seq: 2, replayed: false, cells }),
  ];
  const { violations, lost, oversold, journalRows } = judged(operations, booked('r1', 'one'), stored('one'));
  t.same([violations, lost, oversold, journalRows], [[], [], 0, 2]);
});

void test('the last room sold twice is found, whatever the cells say', async (t) => {
  const operations = [asked('book', 'r1', ok(2, 'one')), asked('book', 'r2', ok(4, 'two'))];
  const rows = [...booked('r1', 'one'), ...booked('r2', 'two')];
  const { violations, oversold } = judged(operations, rows, stored('one'), stored('two'));
  t.match(violations.join(), /I1: DLX \d+ has 2 of 1 rooms taken at 4/);
  t.equal(oversold, 1);
});

void test('an error for a room that was free, and a read of what never was, are found', async (t) => {
  const free = { type: 'SET_UP', requestId: 'x', entity: 'house', facts: {} };
  t.match(judged([asked('book', 'r1', soldOut(1))], [free]).violations, [/refused at 1 as sold out/]);
  const cells = [{ roomType: 'DLX', date: stay.checkIn, totalRooms: 1, bookedRooms: 1, heldRooms: 0 }];
  const read = asked('read', 'r2', { kind: 'ok', seq: 1, replayed: false, cells });
  t.match(judged([read], [free]).violations, [/I7: read r2 at 1 shows 1 \+ 0/]);
});

void test('a key with two effects, a number given twice and a gap are found', async (t) => {
  const operations = [asked('book', 'r1', ok(2, 'one'))];
  const twice = [...booked('r1', 'one'), booked('r1', 'one')[0]!];
  t.match(judged(operations, twice, stored('one')).violations.join(), /I4: book r1 has 2 times START_BOOKING/);
  const same = booked('r1', 'one').map((row) => ({ ...row, seq: 1 }));
  t.match(judged(operations, same, stored('one')).violations.join(), /I3: two rows have number 1/);
  const gap = booked('r1', 'one').map((row, n) => ({ ...row, seq: 2 * n + 1 }));
  t.match(judged(operations, gap, stored('one')).violations.join(), /I3: entry 2 of the journal has number 3/);
});

void test('an acknowledged write that is missing is lost', async (t) => {
  const one = asked('book', 'r1', ok(2, 'one'));
  const rows = booked('r1', 'one');
  t.match(judged([one], rows).lost, [/reservation one is not there/]);
  t.match(judged([one], rows, stored('one', 'CONFIRMED', 0)).lost, [/charged 0 times/]);
  t.match(judged([one], rows, stored('one', 'CONFIRMED', 2)).lost.join(), /charged 2 times/);
  t.match(judged([one], rows, stored('one', 'EXPIRED')).lost, [/is EXPIRED, and nobody has cancelled it/]);
  const cancel = asked('cancel', 'r2', ok(3, 'one'), { target: 'one' });
  t.match(judged([one, cancel], rows, stored('one')).lost, [/cancel r2: one is CONFIRMED/]);
  t.match(judged([one], []).violations.join(), /I2: book r1 was acknowledged, and there is no START_BOOKING of it/);
});

void test('a read that shows less than what had been answered before its start is found', async (t) => {
  const book = asked('book', 'r1', ok(2, 'one'));
  const stale = asked('read', 'r2', { kind: 'ok', seq: 1, replayed: false, cells: [] });
  t.match(judged([book, stale], booked('r1', 'one'), stored('one')).violations, [/real time: read of client 1/]);
});

void test('outages count from the fault to the first success, and requests that took too long have failed', async (t) => {
  const at = (invokedAt: number, returnedAt: number, kind: Outcome['kind'] = 'ok'): Operation => ({
    ...asked('book', 'r', kind === 'unknown' ? { kind } : ok(1, 'one')),
    invokedAt,
    returnedAt,
    tries: [
      { node: 'n', at: invokedAt, ms: 1, status: 0 },
      { node: 'n', at: returnedAt - 1, ms: 1, status: 201 },
    ],
  });
  const operations = [at(0, 50), at(60, 1_300), at(1_400, 1_500), at(2_000, 12_001), at(9_000, 9_001, 'unknown')];
  const [outage] = outagesOf(
    [{ name: 'kill', from: 100, endedAt: 200, to: 2_000, hit: new Set(['house']), stopsAll: false }],
    operations,
  );
  t.match(outage, { name: 'kill', times: 1, first: { p50: 1_200 }, gap: { max: 1_200 } });
  const within = [2, 3, 3].map((count, n) => ({ ms: [1_000, 5_000, 10_000][n], count }));
  t.match(shareOf(operations), { within, requests: 5, failed: 2, tries: 10, broken: 5, byCode: { connection: 5 } });
});

void test('while the database is away nothing fails; what it takes to come back counts from its end', async (t) => {
  const at = (invokedAt: number, returnedAt: number): Operation => ({
    ...asked('book', 'r', ok(1, 'one')),
    invokedAt,
    returnedAt,
    tries: [{ node: 'n', at: returnedAt - 1, ms: 1, status: 201 }],
  });
  const away = { name: 'away', from: 1_000, endedAt: 91_000, to: 121_000, hit: new Set(['house']), stopsAll: true };
  const operations = [at(0, 900), at(950, 95_000), at(900, 105_000), at(106_000, 106_100)];
  t.match(outagesOf([away], operations), [{ first: { max: 4_000 }, failed: 1, fromEnd: true, lost: 0 }]);
  t.equal(shareOf(operations, [away]).failed, 1, 'the one that took 14 s longer than the database was away');
  t.equal(shareOf(operations).failed, 2);
  t.match(outagesOf([away], operations.slice(0, 1)), [{ lost: 1, first: { max: 30_000 } }]);
});

void test('a start that was given up before the repeat began anew has had no effect; one that was not has', async (t) => {
  const [start, confirm] = booked('r1', 'two') as [Row, Row];
  const first = { ...start, entity: 'one', facts: booking('CREATED', 'one', 'PENDING') };
  const over = { type: 'EXPIRE', requestId: 'x', entity: 'one', facts: booking('EXPIRED', 'one', 'EXPIRED') };
  const operations = [asked('book', 'r1', ok(4, 'two'))];
  t.same(
    judged(operations, [first, over, start, confirm], stored('two'), stored('one', 'EXPIRED', 0)).violations,
    [],
  );
  const twice = judged(operations, [first, start, confirm, over], stored('two'), stored('one', 'EXPIRED', 0));
  t.match(twice.violations.join(), /I4: book r1 has 2 times START_BOOKING/);
});
