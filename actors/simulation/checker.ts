import type { Address } from '../../src/kernel/rules/caller.ts';
import type { CommandResults } from '../../src/kernel/rules/commands.ts';
import type { JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { InvoiceDocument } from '../../src/money/rules/invoice-document.ts';
import type { ExtraStay } from '../../src/stay/rules/extra-nights.ts';
import { HOLD_GUARD_MS } from '../../src/stay/rules/hold.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import { faultsOfNumbers } from '../../src/testing/actors/issued-documents.ts';
import { DAY } from '../../src/testing/property-world.ts';
import { chainHash } from '../property/chain.ts';
import type { SeenBeds } from './bed-model.ts';
import type { OperationHistory, Observed, Seen } from './history.ts';
import { Model, type PlayedCommand, type Promises } from './model.ts';
import { NO_RATE, type Prices } from './prices.ts';
import { GROUP_RATE, PERCENT_OFF } from './promises.ts';

type Cell = {
  roomType: string;
  day: number;
  total: number;
  booked: number;
  held: number;
  blocked?: number;
  rate?: number | null;
};

/** What the database contains about one property at the end of a run. */
export type Evidence = {
  to: Address;
  rooms: Record<string, number>;
  promises: Promises;
  /** Initial price of every night, by room type. */
  prices: Record<string, number>;
  journal: readonly JournalEntry[];
  /** Time at which a number was committed; Infinity when it never was. */
  committedAt(seq: number): number;
  cells: readonly Cell[];
  /** Invoices and credit notes. */
  documents: readonly InvoiceDocument[];
  extraStays: readonly ExtraStay[];
  /** Prices of every night in the database, over time. */
  history: Prices;
  /** How long rates are used without a check. */
  trustMs: number;
};

/** Commands of the property itself: no client sends them. */
const OWN = new Set(['EXPIRE', 'TICK']);
const SALES = new Set(['BOOK', 'BOOK_ROOMS', 'START_BOOKING', 'START_ROOMS']);
/** Request id of what the reconciler sends. */
export const RECONCILER = 'reconciler';
/** Journal rows written before the clients start. */
const SET_UP_ROWS = 8;

/**
 * Compares what clients saw with a naive model: every decision is ordered by (seq, accepted before refused) and
 * replayed. Returns one line for each violated promise (ARCHITECTURE.md#what-we-promise).
 */
export function check(history: OperationHistory, evidence: Evidence): string[] {
  const here = history.observed.filter(({ property }) => property === evidence.to.propertyId);
  const observed = here.filter((one) => !isReconciled(one, evidence)).map((one) => numbered(one, evidence));
  const seen = history.seen.filter(({ property }) => property === evidence.to.propertyId);
  return [
    ...checkNumbers(evidence),
    ...checkRealTime(observed),
    ...checkCommitted(observed, seen, evidence),
    ...checkPrices(observed, seen, evidence),
    ...checkDocuments(observed, evidence),
    ...replay(observed, seen, evidence),
  ];
}

/** The key returned an outcome that the reconciler had produced, perhaps much earlier. */
function isReconciled({ command, outcome }: Observed, { journal }: Evidence): boolean {
  return command.type === 'ABANDON_BOOKING' && journal[outcome.seq - 1]?.requestId === RECONCILER;
}

/** A resumed booking is answered with the current number; its own is that of the entry with its request id. */
function numbered(one: Observed, { journal }: Evidence): Observed {
  const { command, outcome } = one;
  const isStart = command.type === 'START_BOOKING' || command.type === 'START_ROOMS';
  if (!isStart || outcome.kind !== 'accepted') return one;
  const { booking } = command.type === 'START_ROOMS' ? command.rooms[0]! : command;
  const own = journal.find(({ type, entity }) => type === command.type && entity === booking.reservationId);
  return own && own.seq <= outcome.seq ? { ...one, outcome: { ...outcome, seq: own.seq } } : one;
}

/** I3 and the audit chain: numbers without gaps, each row hashing the one before. */
export function checkNumbers({ journal, to }: Pick<Evidence, 'journal' | 'to'>): string[] {
  const wrong: string[] = [];
  let head = '';
  journal.forEach((entry, index) => {
    if (entry.seq !== index + 1) wrong.push(`I3: entry ${index + 1} of the journal has number ${entry.seq}`);
    head = chainHash(head, to, entry);
    if (head !== entry.hash) wrong.push(`I6: the hash of ${entry.seq} does not follow from the entry before`);
  });
  return wrong.slice(0, 3);
}

/** A decision as its client saw it. */
export type Decided = {
  client: string;
  command: { readonly type: string };
  invokedAt: number;
  returnedAt: number;
  outcome: { kind: 'accepted' | 'refused'; seq: number };
};

/** An answer given before another call started has a smaller number. */
export function checkRealTime(observed: readonly Decided[]): string[] {
  const wrong: string[] = [];
  const known = observed.filter(({ outcome }) => outcome.seq >= 0);
  const ended = known.toSorted((a, b) => a.returnedAt - b.returnedAt);
  let next = 0;
  let highest = 0;
  for (const one of known.toSorted((a, b) => a.invokedAt - b.invokedAt)) {
    while (next < ended.length && ended[next]!.returnedAt < one.invokedAt)
      highest = Math.max(highest, ended[next++]!.outcome.seq);
    const { seq, kind } = one.outcome;
    if (kind === 'accepted' ? seq <= highest : seq < highest)
      wrong.push(
        `real time: ${described(one)} was decided at ${seq}, but ${highest} had been answered before it was asked`,
      );
  }
  return wrong;
}

/** I2 and I9: no number is visible before its commit, and everything acknowledged is stored. */
function checkCommitted(observed: readonly Observed[], seen: readonly Seen[], evidence: Evidence): string[] {
  const { committedAt, journal } = evidence;
  const wrong: string[] = [];
  for (const one of observed) {
    const { seq, kind } = one.outcome;
    if (seq > 0 && committedAt(seq) > one.returnedAt)
      wrong.push(`I9: ${described(one)} was answered before ${seq} was committed`);
    if (kind !== 'accepted') continue;
    const entry = journal[seq - 1];
    if (entry?.type !== one.command.type)
      wrong.push(`I2: ${described(one)} was accepted as ${seq}, which is ${entry?.type}`);
  }
  for (const { seq, returnedAt } of seen)
    if (seq > 0 && committedAt(seq) > returnedAt) wrong.push(`I9: ${seq} was shown before it was committed`);
  return wrong;
}

/** No price is shown or sold longer after its change in the database than rates may be used unchecked. */
function checkPrices(observed: readonly Observed[], seen: readonly Seen[], evidence: Evidence): string[] {
  const { history, journal, committedAt, trustMs } = evidence;
  const wrong: string[] = [];
  const property = evidence.to.propertyId;
  for (const read of seen)
    for (const { roomType, day, rate } of read.cells)
      if (!history.isTrue({ property, roomType, day, rate: rate ?? NO_RATE }, read, trustMs))
        wrong.push(`stale: ${roomType} ${day} was shown at ${rate} (${read.invokedAt} to ${read.returnedAt})`);
  for (const one of observed) {
    const { outcome } = one;
    if (outcome.kind !== 'accepted' || !SALES.has(one.command.type)) continue;
    const sold = (outcome.result as { reservation: Reservation } | null)?.reservation;
    for (const { day, rate } of sold?.nights ?? []) {
      const before = beforePromises(sold!, rate);
      if (before === undefined) continue;
      if (!history.isTrue({ property, roomType: sold!.stay.roomType, day, rate: before }, one, trustMs))
        wrong.push(`stale: ${described(one)} was sold ${day} at ${rate}`);
    }
  }
  for (const { seq, type, facts } of journal)
    for (const [roomType, day, , , , , , rate] of type === 'RELOAD' ? (facts.cells ?? []) : [])
      if (!history.mayBeQuoted({ property, roomType, day, rate: rate ?? NO_RATE }, committedAt(seq)))
        wrong.push(`stale: the reload ${seq} contains ${roomType} ${day} at ${rate}, which the owner had changed`);
  return wrong.slice(0, 3);
}

/**
 * Invoice numbers are unique and without gaps; an acknowledged invoice is stored unchanged, and each penalty has one.
 */
function checkDocuments(observed: readonly Observed[], { documents }: Evidence): string[] {
  const stored = new Map(documents.map((document) => [document.number, document]));
  const lost = observed.flatMap((one) => {
    if (one.outcome.kind !== 'accepted' || one.command.type !== 'CANCEL') return [];
    const { cancellation, documents: issued = [] } = (one.outcome.result as CommandResults['CANCEL']).reservation;
    if (cancellation!.penalty > 0 && issued.length === 0) return [`invoices: ${described(one)} has none`];
    return issued
      .filter(({ number, reservationId }) => stored.get(number)?.reservationId !== reservationId)
      .map(({ number }) => `I2: invoice ${number} of ${described(one)} is not in the database`);
  });
  return [...faultsOfNumbers(documents).map((wrong) => `invoices: ${wrong}`), ...lost].slice(0, 3);
}

/** The rate before the promotion's discount; none for a group's own rate. */
function beforePromises({ promoCode, groupId }: Reservation, rate: number): number | undefined {
  if (groupId !== undefined) return rate === GROUP_RATE ? undefined : NaN;
  return promoCode === undefined ? rate : Math.round((rate * 100) / (100 - PERCENT_OFF));
}

/** I1, I4, I5, I7: the model gives the same answers in order; journal, reads and database have the same cells. */
function replay(observed: readonly Observed[], seen: readonly Seen[], evidence: Evidence): string[] {
  const wrong: string[] = [];
  const model = new Model(evidence.rooms, evidence.prices, evidence.promises);
  const accepted = new Map<number, Observed>();
  for (const one of observed) {
    if (one.outcome.kind !== 'accepted') continue;
    const other = accepted.get(one.outcome.seq);
    if (other) wrong.push(`I3: ${described(one)} and ${described(other)} have the same number ${one.outcome.seq}`);
    accepted.set(one.outcome.seq, one);
  }
  const refused = Map.groupBy(
    observed.filter(({ outcome }) => outcome.kind === 'refused' && outcome.code !== 'REFUSED_BY_STORE'),
    ({ outcome }) => outcome.seq,
  );
  const reads = Map.groupBy(seen, ({ seq }) => seq);
  const checkAt = (seq: number): void => {
    // Reads first: a client has seen the tasks that it names.
    for (const { cells, tasks, beds } of reads.get(seq) ?? []) {
      wrong.push(...checkBeds(model, beds, `read at ${seq}`, 'I7'));
      wrong.push(...model.tasks.see(tasks, `read at ${seq}`));
      // The model starts with a property that has its prices.
      const known =
        seq < SET_UP_ROWS ? cells.map((cell) => ({ ...cell, blocked: undefined, rate: undefined })) : cells;
      wrong.push(...checkCells(model, known, `read at ${seq}`, 'I7'));
    }
    for (const one of refused.get(seq) ?? []) wrong.push(...checkRejection(model, one));
  };
  for (const entry of evidence.journal) {
    const one = accepted.get(entry.seq);
    if (one) wrong.push(...applyAccepted(model, one, entry));
    else if (entry.requestId === RECONCILER) wrong.push(...model.release(entry.entity, entry.seq));
    else if (entry.type === 'RELOAD') model.reload(entry.facts.cells ?? []);
    else if (OWN.has(entry.type)) model.apply({ type: entry.type } as PlayedCommand, entry.at);
    else if (entry.seq > SET_UP_ROWS)
      wrong.push(`I4: ${entry.type} ${entry.seq} is nobody's: an effect without an answer`);
    const cells = (entry.facts.cells ?? []).map(([roomType, day, total, booked, held, blocked, , rate]) => ({
      roomType,
      day,
      total,
      booked,
      held,
      blocked,
      rate,
    }));
    if (entry.seq > SET_UP_ROWS) wrong.push(...checkCells(model, cells, `journal at ${entry.seq}`, 'I7'));
    checkAt(entry.seq);
    if (wrong.length > 5) return wrong;
  }
  for (const seq of refused.keys())
    if (seq > evidence.journal.length) wrong.push(`I9: refused on ${seq}, which never was`);
  return [
    ...wrong,
    ...checkCells(model, evidence.cells, 'the database', 'I1'),
    ...checkBeds(model, storedBeds(evidence), 'the database', 'I1'),
  ];
}

function applyAccepted(model: Model, one: Observed, entry: JournalEntry): string[] {
  const { command, outcome } = one;
  const error = model.rejection(command, entry.at);
  model.apply(command, entry.at, (outcome as { result: unknown }).result);
  return error === undefined ? [] : [`I1, I5: ${described(one)} was accepted at ${entry.seq}, but ${error}`];
}

function checkRejection(model: Model, one: Observed): string[] {
  const { command, outcome, returnedAt } = one;
  const code = model.rejection(command, returnedAt + HOLD_GUARD_MS);
  const said = (outcome as { code: string }).code;
  return code === said
    ? []
    : [`I1: ${described(one)} was refused on ${outcome.seq} as ${said}, the model says ${code}`];
}

function checkCells(model: Model, cells: readonly Cell[], where: string, promise: string): string[] {
  const wrong: string[] = [];
  for (const { roomType, day, total, booked, held, blocked, rate } of cells) {
    const right = model.cell(roomType, day);
    const price = model.rate(roomType, day);
    if (rate !== undefined && rate !== price)
      wrong.push(`${promise}: ${where}: ${roomType} ${day} costs ${rate}, in the model ${price}`);
    const isBlocked = model.blocked(roomType, day);
    if (blocked !== undefined && blocked !== isBlocked)
      wrong.push(`${promise}: ${where}: ${roomType} ${day} has ${blocked} blocked, the model ${isBlocked}`);
    if (right.total !== total || right.booked !== booked || right.held !== held)
      wrong.push(
        `${promise}: ${where}: ${roomType} ${day} has ${total} ${booked} ${held}, ` +
          `the model ${right.total} ${right.booked} ${right.held}`,
      );
  }
  return wrong.slice(0, 2);
}

/** Beds of every night that a booking has. */
function storedBeds({ extraStays }: Evidence): SeenBeds[] {
  const nights = extraStays.flatMap(({ firstNight, lastNight }) => [firstNight, lastNight]);
  const [first, last] = [Math.min(...nights, DAY + 5), Math.max(...nights, DAY + 12)];
  return Array.from({ length: last - first + 1 }, (_, nth) => {
    const day = first + nth;
    const there = extraStays.filter(({ firstNight, lastNight }) => firstNight <= day && day <= lastNight);
    return { day, taken: there.reduce((all, { quantity }) => all + quantity, 0) };
  });
}

function checkBeds(model: Model, beds: readonly SeenBeds[], where: string, promise: string): string[] {
  return beds.flatMap(({ day, taken }) => {
    const right = model.beds.taken(day);
    return taken === right ? [] : [`${promise}: ${where}: ${day} has ${taken} beds taken, the model ${right}`];
  });
}

function described({ client, command, invokedAt, returnedAt }: Decided): string {
  return `${command.type} of ${client} (${invokedAt} to ${returnedAt})`;
}
