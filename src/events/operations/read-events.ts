import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import type { EventsQuery, PropertyEventsQuery } from '../contracts/dev-events.ts';
import { eventIdOf } from '../contracts/event-id.ts';
import type { EventCodec, EventJournal, EventPropertyRow, RowPlace } from '../ports.ts';
import { EventFailure } from '../rules/event-failure.ts';
import { recordsOf } from '../rules/event-records.ts';
import type { EventRecord, ReadEvent } from '../rules/events.ts';

/** More than a commit has rows, so that a read always has a whole one. */
const ROWS = 512;
/** Reads for one page: rows without events are many, and a page may come up short with a `nextCursor`. */
const MAX_LOOKS = 4;

/** Source of events: the journal is their log, with or without Kafka (docs/concepts/events.md#to-look-at). */
export type EventLog = { journal: EventJournal; codec: EventCodec };

/** An event as it would be sent, and as a consumer would read it; `error` when it cannot be written. */
export type ShownEvent = { record: EventRecord; bytes?: number; read?: ReadEvent; error?: string };

/** The next commit to show, by its last row, and how many of its events were shown. */
type Position = { from?: RowPlace; shown: number };

/**
 * Reads events of the caller's tenant, newest first, decoded: the content of Kafka, with or without it.
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export async function readEvents(
  { journal, codec }: EventLog,
  { signed }: Pick<Services, 'signed'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { propertyId, limit, cursor, topic, q }: EventsQuery & Partial<PropertyEventsQuery>,
): Promise<{ items: ShownEvent[]; nextCursor?: string }> {
  const list = JSON.stringify(['events', tenantId, propertyId, topic, q]);
  const isAsked = narrowedBy(topic, q);
  let position = cursor === undefined ? { shown: 0 } : (openCursor(signed, cursor, list) as Position);
  const records: EventRecord[] = [];
  let more = true;
  for (let look = 0; more && look < MAX_LOOKS && records.length < limit; look++) {
    const rows = await journal(tenantId, { propertyId, from: position.from }, ROWS);
    const full = rows.length === ROWS;
    more = full;
    for (const commit of commitsOf(rows, full)) {
      const { generation } = commit[0]!;
      const of = { tenantId, propertyId: commit[0]!.propertyId, generation };
      const commitRecords = recordsOf(of, commit, eventIdOf).filter(isAsked);
      const skip = isAt(position, commit) ? position.shown : 0;
      const shown = commitRecords.toReversed().slice(skip, skip + limit - records.length);
      records.push(...shown);
      if (skip + shown.length < commitRecords.length) {
        position = { from: placeOf(commit.at(-1)!), shown: skip + shown.length };
        more = true;
        break;
      }
      position = { from: before(commit[0]!), shown: 0 };
      more = full || commit[0] !== rows.at(-1);
      if (records.length === limit) break;
    }
  }
  const items = await Promise.all(records.map((record) => show(codec, record)));
  return { items, nextCursor: more ? signCursor(signed, position, list) : undefined };
}

/**
 * The same of one property, narrowed. A sandbox has none, since nothing of it is sent.
 * @throws DomainError PROPERTY_NOT_FOUND; VALIDATION_FAILED for a cursor of another list
 */
export async function readPropertyEvents(
  log: EventLog,
  services: Pick<Services, 'signed' | 'properties'>,
  to: Address,
  query: PropertyEventsQuery,
): Promise<{ items: ShownEvent[]; nextCursor?: string }> {
  await services.properties.view(to);
  if (isSandbox(to.propertyId)) return { items: [] };
  return readEvents(log, services, to, { ...query, propertyId: to.propertyId });
}

/** Whether a record is of a topic, and has a text, in whatever case. */
function narrowedBy(topic: string | undefined, q: string | undefined): (record: EventRecord) => boolean {
  const text = q?.toLowerCase();
  return (record) =>
    (topic === undefined || record.topic === topic) &&
    (text === undefined || JSON.stringify(record.value).toLowerCase().includes(text));
}

/**
 * Whole commits, newest first, each in its own order; a commit that continues after the last row waits for the next
 * read.
 */
function commitsOf(rows: readonly EventPropertyRow[], more: boolean): EventPropertyRow[][] {
  const commits: EventPropertyRow[][] = [];
  let commit: EventPropertyRow[] = [];
  for (const row of rows) {
    commit.unshift(row);
    if ((row.facts.nth ?? 0) > 0) continue;
    commits.push(commit);
    commit = [];
  }
  // Its beginning may have been dropped with its month.
  if (!more && commit.length > 0) commits.push(commit);
  return commits;
}

const placeOf = ({ at, propertyId, seq }: EventPropertyRow): RowPlace => ({ at, propertyId, seq });
/** No row is between a row and the position of the number before it. */
const before = ({ at, propertyId, seq }: EventPropertyRow): RowPlace => ({ at, propertyId, seq: seq - 1 });

function isAt({ from }: Position, commit: readonly EventPropertyRow[]): boolean {
  const last = commit.at(-1)!;
  return from?.seq === last.seq && from.propertyId === last.propertyId;
}

async function show(codec: EventCodec, record: EventRecord): Promise<ShownEvent> {
  try {
    const bytes = await codec.encode(record);
    return { record, bytes: bytes.length, read: await codec.decode(record.topic, bytes) };
  } catch (error) {
    return { record, error: error instanceof EventFailure ? error.line : String(error) };
  }
}
