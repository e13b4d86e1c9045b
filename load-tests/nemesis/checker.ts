import { checkNumbers, checkRealTime, type Decided } from '../../actors/simulation/checker.ts';
import { bookingsOf, type JournalEntry } from '../../src/kernel/rules/journal.ts';
import { dayNumber, type SmallProperty } from '../cluster/properties.ts';
import type { Evidence } from './evidence.ts';
import type { Kind, Operation, Outcome } from './history.ts';
import { isHolding, RoomsModel } from './rooms-model.ts';

type Ended<K extends Outcome['kind']> = Operation & { outcome: Extract<Outcome, { kind: K }> };

/** Possible journal effects of a request, and how often. */
const EFFECTS: Partial<Record<Kind, readonly string[]>> = {
  book: ['START_BOOKING', 'CONFIRM_BOOKING'],
  'book-hold': ['START_BOOKING', 'CONFIRM_BOOKING'],
  'book-unpaid': ['BOOK'],
  'book-rooms': ['START_ROOMS', 'CONFIRM_BOOKING'],
  close: ['OPEN_MAINTENANCE'],
  reopen: ['END_MAINTENANCE'],
  group: ['CREATE_GROUP'],
  ungroup: ['DELETE_GROUP'],
  hold: ['PLACE_HOLD'],
  confirm: ['CONFIRM_RESERVATION'],
  cancel: ['CANCEL'],
  modify: ['MODIFY'],
};
/** Possible statuses of a booking acknowledged as paid and not cancelled: some wait to be confirmed. */
const HAS_ROOMS = new Set(['PENDING', 'CONFIRMED']);
const PAID_KINDS: ReadonlySet<Kind> = new Set(['book', 'book-hold', 'book-rooms']);
/** Shown faults of each kind: a failing run has a thousand. */
const SHOWN = 5;

export type CheckResult = { violations: string[]; lost: string[]; oversold: number; journalRows: number };

/**
 * Checks the clients' observations of a property against its journal and its rows (ARCHITECTURE.md#what-we-promise).
 */
export function check(property: SmallProperty, operations: readonly Operation[], evidence: Evidence): CheckResult {
  const { journal } = evidence;
  const to = { tenantId: 'demo', propertyId: property.propertyId };
  const decided = decisionsOf(operations, journal);
  const { wrong, oversold } = replay(property, operations, journal);
  const violations = [
    ...checkNumbers({ journal, to }),
    ...checkRealTime(decided).slice(0, SHOWN),
    ...checkKeys(operations, journal),
    ...wrong,
  ];
  return {
    violations: violations.map((line) => `${property.propertyId}: ${line}`),
    lost: checkAcknowledged(operations, evidence).map((line) => `${property.propertyId}: ${line}`),
    oversold,
    journalRows: journal.length,
  };
}

const isOk = (one: Operation): one is Ended<'ok'> => one.outcome.kind === 'ok';
const isRefused = (one: Operation): one is Ended<'refused'> => one.outcome.kind === 'refused';

/** Each decision with its position. An accepted request has the number of its last row, whatever a repeat got. */
function decisionsOf(operations: readonly Operation[], journal: readonly JournalEntry[]): Decided[] {
  const rows = Map.groupBy(journal, ({ requestId }) => requestId);
  return operations.flatMap((one): Decided[] => {
    const { client, kind, invokedAt, returnedAt, outcome } = one;
    const base = { client: `client ${client}`, command: { type: kind }, invokedAt, returnedAt };
    if (outcome.kind === 'unknown') return [];
    const own = rows.get(one.id)?.at(-1)?.seq;
    if (outcome.kind === 'ok' && kind !== 'read' && own !== undefined)
      return [{ ...base, outcome: { kind: 'accepted', seq: own } }];
    const { seq } = outcome;
    // A repeat returns the first decision, which may be long before its answer.
    const isFresh =
      seq !== undefined && seq >= 0 && !(outcome.kind === 'ok' && outcome.replayed) && one.tries.length === 1;
    return isFresh ? [{ ...base, outcome: { kind: 'refused', seq } }] : [];
  });
}

/** I4: a key has at most one effect of each kind, and an answer has one. */
function checkKeys(operations: readonly Operation[], journal: readonly JournalEntry[]): string[] {
  const wrong: string[] = [];
  const rows = Map.groupBy(journal, ({ requestId }) => requestId);
  for (const one of operations) {
    const effects = EFFECTS[one.kind];
    if (effects === undefined) continue;
    const types = (rows.get(one.id) ?? [])
      .filter((row) => !isGivenUp(row, rows.get(one.id)!, journal))
      .map(({ type }) => type);
    for (const type of effects) {
      const times = types.filter((name) => name === type).length;
      if (times > 1) wrong.push(`I4: ${one.kind} ${one.id} has ${times} times ${type}`);
      if (times === 0 && isOk(one) && !wasSettled(one, journal))
        wrong.push(`I2: ${one.kind} ${one.id} was acknowledged, and there is no ${type} of it`);
    }
  }
  return wrong.slice(0, SHOWN);
}

/**
 * A hold whose payment never reached the provider is given up after two minutes, with its booking: a later repeat
 * begins again, under the same key. The first one had no effect if its booking was over before that.
 */
function isGivenUp(row: JournalEntry, own: readonly JournalEntry[], journal: readonly JournalEntry[]): boolean {
  const next = own.find(({ type, seq }) => type === row.type && seq > row.seq);
  if ((row.type !== 'START_BOOKING' && row.type !== 'START_ROOMS') || !next) return false;
  const between = journal.filter(({ seq }) => seq > row.seq && seq < next.seq);
  const last = between.flatMap(bookingsOf).findLast(({ reservationId }) => reservationId === row.entity);
  return last !== undefined && !isHolding(last);
}

/** The reconciler may have ended the booking of an interrupted request. */
function wasSettled({ outcome }: Ended<'ok'>, journal: readonly JournalEntry[]): boolean {
  return journal.some(({ type, entity }) => type === 'CONFIRM_BOOKING' && entity === outcome.entity);
}

/** Acknowledged writes that are missing. */
function checkAcknowledged(operations: readonly Operation[], { stored }: Evidence): string[] {
  const lost: string[] = [];
  const oks = operations.filter(isOk);
  const cancelled = new Set(oks.filter(({ kind }) => kind === 'cancel').map(({ target }) => target));
  const askedToCancel = new Set(operations.filter(({ kind }) => kind === 'cancel').map(({ target }) => target));
  for (const { kind, outcome, target, id } of oks) {
    const row = stored.get((kind.startsWith('book') ? outcome.entity : target) ?? '');
    const isBooking = kind.startsWith('book');
    if (isBooking && row === undefined) lost.push(`${kind} ${id}: reservation ${outcome.entity} is not there`);
    const others = (outcome.others ?? []).filter((other) => !stored.has(other));
    if (others.length > 0) lost.push(`${kind} ${id}: reservations ${others.join(', ')} are not there`);
    if (row === undefined) continue;
    if ((kind === 'book' || kind === 'book-hold') && row.charges !== 1)
      lost.push(`${kind} ${id}: ${outcome.entity} was charged ${row.charges} times`);
    if (PAID_KINDS.has(kind) && !askedToCancel.has(row.id) && !HAS_ROOMS.has(row.status))
      lost.push(`${kind} ${id}: ${row.id} is ${row.status}, and nobody has cancelled it`);
    if (kind === 'confirm' && !askedToCancel.has(row.id) && row.status !== 'CONFIRMED')
      lost.push(`confirm ${id}: ${row.id} is ${row.status}`);
    if (kind === 'pay' && row.charges < 1) lost.push(`pay ${id}: ${row.id} has no payment`);
    if (kind === 'cancel' && row.status !== 'CANCELLED') lost.push(`cancel ${id}: ${row.id} is ${row.status}`);
  }
  for (const [id, { status, charges }] of stored)
    if (charges > 1 && !cancelled.has(id)) lost.push(`${id} (${status}) was charged ${charges} times`);
  return lost.slice(0, SHOWN);
}

/** I1, I3, I5, I7: replays the journal; compares every cell, error and read with the assigned rooms. */
function replay(
  { rooms }: SmallProperty,
  operations: readonly Operation[],
  journal: readonly JournalEntry[],
): { wrong: string[]; oversold: number } {
  const wrong: string[] = [];
  const oversold = new Set<string>();
  const model = new RoomsModel(rooms);
  const refused = Map.groupBy(
    operations.filter(isRefused).filter(({ outcome }) => outcome.code === 'ROOM_NOT_AVAILABLE'),
    ({ outcome }) => outcome.seq ?? -1,
  );
  const reads = Map.groupBy(
    operations.filter(isOk).filter(({ kind }) => kind === 'read'),
    ({ outcome }) => outcome.seq,
  );
  const known = new Set<number>();
  for (const entry of journal) {
    if (known.has(entry.seq)) wrong.push(`I3: two rows have number ${entry.seq}`);
    known.add(entry.seq);
    const cells = entry.facts.cells ?? [];
    const takenBefore = cells.map(([roomType, day]) => model.taken(roomType, day));
    model.apply(entry);
    for (const [index, [roomType, day]] of cells.entries())
      if (model.taken(roomType, day) > takenBefore[index]! && model.free(roomType, day) < 0) {
        oversold.add(`${roomType} ${day}`);
        wrong.push(`I1: ${entry.seq} (${entry.type}) sold ${roomType} ${day}, where rooms are closed or blocked`);
      }
    for (const [roomType, day, total, booked, held] of cells) {
      const taken = model.taken(roomType, day);
      if (taken > total) {
        oversold.add(`${roomType} ${day}`);
        wrong.push(`I1: ${roomType} ${day} has ${taken} of ${total} rooms taken at ${entry.seq} (${entry.type})`);
      }
      if (booked + held !== taken)
        wrong.push(
          `I7: ${entry.seq} (${entry.type}) has ${booked} + ${held} of ${roomType} ${day}, taken are ${taken}`,
        );
    }
    for (const one of refused.get(entry.seq) ?? []) wrong.push(...checkRejection(model, one));
    for (const one of reads.get(entry.seq) ?? []) wrong.push(...checkRead(model, one));
    if (wrong.length > SHOWN) break;
  }
  return { wrong, oversold: oversold.size };
}

function checkRejection(model: RoomsModel, { stay, kind, target, outcome, id }: Ended<'refused'>): string[] {
  // A change of dates returns its own nights first, and a booking from a hold has its room.
  if (stay === undefined || target !== undefined) return [];
  const { roomType, checkIn, checkOut } = stay;
  for (let day = dayNumber(checkIn); day < dayNumber(checkOut); day++) if (model.free(roomType, day) <= 0) return [];
  return [
    `I1: ${kind} ${id} was refused at ${outcome.seq} as sold out, and ${roomType} was free (${checkIn} ${checkOut})`,
  ];
}

function checkRead(model: RoomsModel, { outcome, id }: Ended<'ok'>): string[] {
  for (const { roomType, date, bookedRooms, heldRooms } of outcome.cells ?? []) {
    const taken = model.taken(roomType, dayNumber(date));
    if (bookedRooms + heldRooms !== taken)
      return [
        `I7: read ${id} at ${outcome.seq} shows ${bookedRooms} + ${heldRooms} of ${roomType} ${date}, not ${taken}`,
      ];
  }
  return [];
}

/** Bookings in the feed of a dashboard, by property. */
export function bookedIn(journal: readonly JournalEntry[]): string[] {
  return journal.flatMap((entry) =>
    bookingsOf(entry)
      .filter(({ event }) => event === 'CREATED')
      .map(({ reservationId }) => reservationId),
  );
}
