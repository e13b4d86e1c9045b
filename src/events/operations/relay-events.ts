import { Slices } from '../../kernel/operations/let-others-run.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { isDatabaseUnavailable } from '../../kernel/rules/database-unavailable.ts';
import { eventIdOf } from '../contracts/event-id.ts';
import {
  type CursorAdvance,
  type EventCodec,
  type EventSender,
  NotSent,
  type OutgoingRecord,
  type Outbox,
  type RelayRound,
  type RelayRow,
  type StoppedProperty,
  type PendingEvents,
} from '../ports.ts';
import { EventFailure } from '../rules/event-failure.ts';
import { batchesOf, recordsOf } from '../rules/event-records.ts';
import type { EventRecord } from '../rules/events.ts';
import { assertKnown } from '../rules/known-facts.ts';

/** Maximum time without yielding to other work. */
const SLICE_MS = 4;
/** Records of one request to the broker, and their bytes: well below a broker's limit (1 MB). */
const MAX_RECORDS = 500;
const MAX_BYTES = 512 * 1024;
/** Of a message that is shown. */
const MAX_CHARACTERS = 200;

type Relaying = { queue: Outbox; codec: EventCodec; sender: EventSender };

/** The records of a property's next rows, as bytes, and its position after they are sent. */
type Written = CursorAdvance & { rows: number; records: OutgoingRecord[]; stopped?: StoppedProperty; more: boolean };

/**
 * Publishes the next rows of these properties in order and stores the position (docs/concepts/events.md#relay). A crash
 * at any point publishes some of them again, under the same ids. A row that cannot be read or written, that has facts
 * unknown to this build, or that the broker rejects, stops its property there and no other.
 * @throws NotSent, EventFailure and errors of the database when broker, registry or database are away: no position is
 * stored, and the caller retries the same rows
 */
export async function relayEvents(relaying: Relaying, of: readonly Address[]): Promise<RelayRound> {
  const round: RelayRound = { rows: 0, records: 0, stopped: [], unfinished: [] };
  const all: Written[] = [];
  const slices = new Slices(SLICE_MS);
  for (const pending of await relaying.queue.pending(of)) all.push(await write(relaying.codec, pending, slices));
  for (const together of sendable(all)) {
    const sent = await send(relaying.sender, together);
    await relaying.queue.advance(sent.filter(({ from, published }) => published > from));
    for (const { to, rows, records, stopped, more } of sent) {
      round.rows += rows;
      round.records += records.length;
      if (stopped) round.stopped.push(stopped);
      else if (more) round.unfinished.push(to);
    }
  }
  return round;
}

async function write(
  codec: EventCodec,
  { to, cursor, newest, rows, unreadable }: PendingEvents,
  slices: Slices,
): Promise<Written> {
  const done: Written = { to, from: cursor, published: cursor, rows: 0, records: [], more: true };
  if (unreadable !== undefined) return { ...done, stopped: { to, seq: cursor + 1, why: unreadable } };
  for (const batch of wholeBatches(rows, newest)) {
    try {
      for (const record of await encoded(codec, publishRecords(to, batch))) done.records.push(record);
    } catch (error) {
      if (error instanceof EventFailure ? error.passes : isDatabaseUnavailable(error)) throw error;
      return { ...done, stopped: { to, seq: wrongIn(to, batch), why: reasonOf(error) } };
    }
    done.published = batch.at(-1)!.seq;
    done.rows += batch.length;
    if (slices.isOver) await slices.rest();
  }
  return { ...done, more: done.published < newest };
}

/** @throws UnknownFact, and any error of a malformed row */
function publishRecords(to: Address, batch: readonly RelayRow[]): EventRecord[] {
  for (const row of batch) assertKnown(row);
  return recordsOf({ ...to, generation: batch.at(-1)!.generation }, batch, eventIdOf);
}

/** `seq` of the faulty row; when none fails by itself, the last row of the commit. */
function wrongIn(to: Address, batch: readonly RelayRow[]): number {
  const wrong = batch.find((row) => {
    try {
      return publishRecords(to, [row]).length < 0;
    } catch {
      return true;
    }
  });
  return (wrong ?? batch.at(-1)!).seq;
}

/** Reason without content of the event, as far as this service made the text. */
function reasonOf(error: unknown): string {
  if (error instanceof EventFailure) return error.line;
  if (!(error instanceof Error)) return 'the row cannot be read';
  return `the row cannot be read: ${error.name}: ${error.message.slice(0, MAX_CHARACTERS)}`;
}

/**
 * Rows of one commit are published together. The last commit may continue after the given rows, unless they end at the
 * newest.
 */
function wholeBatches(rows: readonly RelayRow[], newest: number): RelayRow[][] {
  const batches = batchesOf(rows);
  if (rows.at(-1)?.seq !== newest) batches.pop();
  return batches;
}

async function encoded(codec: EventCodec, records: readonly EventRecord[]): Promise<OutgoingRecord[]> {
  const written: OutgoingRecord[] = [];
  for (const record of records) {
    const { topic, key, headers } = record;
    written.push({ topic, key, headers, value: await codec.encode(record) });
  }
  return written;
}

/** Properties in groups that fit in one request. */
function* sendable(all: readonly Written[]): Iterable<Written[]> {
  let together: Written[] = [];
  let count = 0;
  let bytes = 0;
  for (const one of all) {
    const size = one.records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    if (together.length > 0 && (count + one.records.length > MAX_RECORDS || bytes + size > MAX_BYTES)) {
      yield together;
      [together, count, bytes] = [[], 0, 0];
    }
    together.push(one);
    [count, bytes] = [count + one.records.length, bytes + size];
  }
  if (together.length > 0) yield together;
}

/** When the broker rejects records permanently, each property is sent by itself to find the one at fault. */
async function send(sender: EventSender, together: Written[]): Promise<Written[]> {
  try {
    await sendAll(sender, together);
    return together;
  } catch (error) {
    if (error instanceof NotSent ? error.passes : isDatabaseUnavailable(error)) throw error;
    if (together.length > 1) {
      const alone: Written[] = [];
      for (const one of together) alone.push(...(await send(sender, [one])));
      return alone;
    }
    const [{ to, from, published }] = together as [Written];
    const stopped = { to, seq: from + 1, why: `the broker refuses the records of rows ${from + 1} to ${published}` };
    return [{ to, from, published: from, rows: 0, records: [], more: true, stopped }];
  }
}

async function sendAll(sender: EventSender, together: readonly Written[]): Promise<void> {
  const records = together.flatMap((one) => one.records);
  for (let next = 0; next < records.length; next += MAX_RECORDS)
    await sender.send(records.slice(next, next + MAX_RECORDS));
}
