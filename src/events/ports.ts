import type { Address } from '../kernel/rules/caller.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { CompatibilityLevel } from './rules/compatibility-level.ts';
import type { EventRow } from './rules/event-records.ts';
import type { EventRecord, ReadEvent } from './rules/events.ts';
import type { Topic } from './rules/topics.ts';

/** State of reading topics; the reader updates it, health and metrics show it. */
export type Consuming = {
  /** Whether the topics are being read; if not, why. */
  reading: boolean;
  trouble?: string;
  /** Records since the start: all, those that changed something, dead letters, and failed attempts. */
  records: number;
  taken: number;
  deadLettered: number;
  retried: number;
  /** Unprocessed records of each topic. */
  lag: Record<string, number>;
};

export const notYetConsuming = (): Consuming => ({
  reading: false,
  records: 0,
  taken: 0,
  deadLettered: 0,
  retried: 0,
  lag: {},
});

/** Access to the topics, where there are brokers. */
export type Topics<Client> = {
  sender: EventSender;
  codec: EventCodec;
  brokers: readonly string[];
  /** Creates missing topics. */
  prepare(): Promise<void>;
  /** A connection of its own for each reader. */
  client(): Client;
  consuming: Consuming;
};

/** Reasons why a record cannot be read, as named in `<topic>.dlq` (docs/reference/events.md#what-innkeeper-reads). */
const UNREADABLE = ['TOO_SHORT', 'WRONG_MAGIC_BYTE', 'UNKNOWN_SCHEMA_ID', 'FOREIGN_SCHEMA', 'BROKEN_BYTES'] as const;
export type UnreadableReason = (typeof UNREADABLE)[number];

/** Bytes that are no record of their topic; reading them again will not help. */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Encodes records: Confluent's wire format, a zero, the id of the schema in four bytes, Avro
 * (docs/reference/events.md#format).
 */
export interface EventCodec {
  /** @throws EventFailure "Failed to serialize event", "Schema not found", "Schema being registered is incompatible" */
  encode(record: EventRecord): Promise<Buffer>;
  /**
   * Decodes with the writer's schema: unknown fields are dropped, missing ones get their default.
   * @throws UnreadableRecord; EventFailure "Schema not found" when the registry is unreachable, to be retried
   */
  decode(topic: Topic, bytes: Uint8Array): Promise<ReadEvent>;
}

/** A journal row with its property and generation. */
export type EventPropertyRow = EventRow & { propertyId: PropertyId; generation: number };

/** Position of a row in the journals of a tenant, newest first. */
export type RowPlace = { at: Instant; propertyId: PropertyId; seq: number };

/**
 * Rows of the journals of a tenant from a position on, inclusive, newest first: rows of one commit are adjacent.
 */
export type EventJournal = (
  tenantId: TenantId,
  of: { propertyId?: PropertyId; from?: RowPlace },
  limit: number,
) => Promise<EventPropertyRow[]>;

/** The schema registry for events (docs/concepts/events.md#schemas). */
export interface EventSchemas {
  /** Id of the current schema of a topic, which is registered at its first use. @throws EventFailure */
  idOf(topic: Topic): Promise<number>;
  /** Text of a schema; `undefined` when the registry does not have the id. @throws EventFailure when it is away */
  schemaOf(id: number): Promise<string | undefined>;
}

/** A dead letter keeps its headers, whatever they are. */
type HeaderValue = string | Buffer;

/** An encoded record for a topic. Keys keep the records of a property in order (docs/reference/events.md#format). */
export type OutgoingRecord = {
  topic: string;
  key: string | Uint8Array | null;
  value: Uint8Array | null;
  /** A repeated header is a list. */
  headers: Readonly<Record<string, HeaderValue | HeaderValue[]>>;
};

/**
 * The broker did not accept records, or the outcome is unknown: they may be sent again. `passes` is false when the
 * broker rejects these very records, such as one that is too large, and would do so again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly passes: boolean;

  constructor(message: string, passes: boolean, options?: ErrorOptions) {
    super(message, options);
    this.passes = passes;
  }
}

export interface EventSender {
  /**
   * Sends records in order and resolves when all of them are durable in their topics. Calls are serialized.
   * @throws NotSent
   */
  send(records: readonly OutgoingRecord[]): Promise<void>;
}

/** A schema as a version of a subject. */
export type RegisteredVersion = { subject: string; version: number; id: number; schema: string };

/** Storage of the embedded schema registry; no tenant data. */
export interface RegistryStore {
  /** Subjects with a version, by name. */
  subjects(): Promise<string[]>;
  /** Oldest first; empty for an unknown subject. */
  versions(subject: string): Promise<RegisteredVersion[]>;
  /** Text of a schema by its id. */
  schema(id: number): Promise<string | undefined>;
  /** Versions that use a schema. */
  usesOf(id: number): Promise<Pick<RegisteredVersion, 'subject' | 'version'>[]>;
  /** Adds a version. @returns false when another one was added meanwhile */
  add(version: Omit<RegisteredVersion, 'id'>): Promise<boolean>;
  /** Level of a subject, or the global one (`''`). */
  level(subject: string): Promise<CompatibilityLevel | undefined>;
  setLevel(subject: string, level: CompatibilityLevel): Promise<void>;
}

/** A row to publish, with its generation. */
export type RelayRow = EventRow & { generation: number };

/** The next rows of a property to publish, in order. */
export type PendingEvents = {
  to: Address;
  /** `seq` of the last published row. */
  cursor: number;
  /** Newest row of the property at the time of the query; the rows may end before it. */
  newest: number;
  rows: RelayRow[];
  /** Why the rows cannot be read, though the database is available. */
  unreadable?: string;
};

/** Progress of a property: from the stored cursor to the last published row. */
export type CursorAdvance = { to: Address; from: number; published: number };

/** A property with unpublished rows, and the time of the first one. */
export type Behind = { to: Address; rows: number; since: Instant };

/** Positions of the relay in the journals of all tenants (docs/concepts/events.md#relay). */
export interface Outbox {
  /** Properties with unpublished rows, the oldest first; at most `limit`. */
  behind(limit: number): Promise<Behind[]>;
  /**
   * Next rows of these properties, some hundred in all; properties beyond that are listed without rows. A property
   * whose rows cannot be read is `unreadable`, and the others are read.
   */
  pending(of: readonly Address[]): Promise<PendingEvents[]>;
  /** Moves cursors, each only if it is unchanged. @returns those that moved */
  advance(all: readonly CursorAdvance[]): Promise<readonly CursorAdvance[]>;
}

/** A stopped property, its row, and the reason without content of the event. */
export type StoppedProperty = { to: Address; seq: number; why: string };

/** Result of a round; `left` are properties with more rows. */
export type RelayRound = { rows: number; records: number; stopped: StoppedProperty[]; unfinished: Address[] };

/** Lag of the relay in rows and seconds, and its counts since the start. */
export type RelayFigures = { lag: number; oldestAgeSeconds: number; sent: number; stopped: number };
