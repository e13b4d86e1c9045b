import type { Address } from '../kernel/rules/caller.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { CompatibilityLevel } from './rules/compatibility-level.ts';
import type { EventRow } from './rules/event-records.ts';
import type { EventRecord, ReadEvent } from './rules/events.ts';
import type { Topic } from './rules/topics.ts';

/** How the reading of topics goes; its reader keeps it, health and metrics show it. */
export type Consuming = {
  /** Whether the topics are read at the moment; if not, why. */
  reading: boolean;
  trouble?: string;
  /** Records since the start: all that came, those that changed something, those put aside, and tries that failed. */
  records: number;
  taken: number;
  deadLettered: number;
  retried: number;
  /** Records of each topic that this process has yet to take. */
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

/** To and from the topics, where there are brokers. */
export type Topics<Client> = {
  sender: EventSender;
  codec: EventCodec;
  brokers: readonly string[];
  /** Makes the topics that are not there. */
  prepare(): Promise<void>;
  /** A connection of its own, for who reads. */
  client(): Client;
  consuming: Consuming;
};

/** Why a record cannot be read, as `<topic>.dlq` names it (docs/reference/events.md#what-innkeeper-reads). */
const UNREADABLE = ['TOO_SHORT', 'WRONG_MAGIC_BYTE', 'UNKNOWN_SCHEMA_ID', 'FOREIGN_SCHEMA', 'BROKEN_BYTES'] as const;
export type UnreadableReason = (typeof UNREADABLE)[number];

/** Bytes that are no record of their topic: they will not be one when they are read again. */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Records as bytes: Confluent's wire format, a zero, the id of the schema in four bytes, Avro
 * (docs/reference/events.md#format).
 */
export interface EventCodec {
  /** @throws EventFailure "Failed to serialize event", "Schema not found", "Schema being registered is incompatible" */
  encode(record: EventRecord): Promise<Buffer>;
  /**
   * Reads with the writer's schema into ours: fields that we do not know fall away, those that it did not know have
   * their default.
   * @throws UnreadableRecord; EventFailure "Schema not found" where the registry is unreachable; retried
   */
  decode(topic: Topic, bytes: Uint8Array): Promise<ReadEvent>;
}

/** A journal row with the property that it is of, and its generation. */
export type EventPropertyRow = EventRow & { propertyId: PropertyId; generation: number };

/** A row's place in the journals of a tenant, newest first. */
export type RowPlace = { at: Instant; propertyId: PropertyId; seq: number };

/** The journals of a tenant, as the log of its events. */
export interface EventJournal {
  /**
   * Rows from a place on (it included), newest first: rows of one commit stand together.
   * @param limit at most so many
   */
  newest(
    tenantId: TenantId,
    of: { propertyId?: PropertyId; from?: RowPlace },
    limit: number,
  ): Promise<EventPropertyRow[]>;
}

/** The schema registry as events need it (docs/concepts/events.md#schemas). */
export interface EventSchemas {
  /** Id of our schema of a topic, which is registered at its first use. @throws EventFailure */
  idOf(topic: Topic): Promise<number>;
  /** Text of a schema; `undefined` where the registry has none of that id. @throws EventFailure when it is away */
  schemaOf(id: number): Promise<string | undefined>;
}

/** A record that is put aside keeps what it came with, whatever that is. */
type HeaderValue = string | Buffer;

/**
 * A record on its way to a topic, written already. Keys keep the records of a property in order
 * (docs/reference/events.md#format).
 */
export type OutgoingRecord = {
  topic: string;
  key: string | Uint8Array | null;
  value: Uint8Array | null;
  /** One that comes several times is a list. */
  headers: Readonly<Record<string, HeaderValue | HeaderValue[]>>;
};

/**
 * The broker did not take records, or nobody knows whether it did: the same may be sent again. `passes` is false where
 * the broker refuses these very records, such as one that is too large, and would refuse them again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly passes: boolean;

  constructor(message: string, passes: boolean, options?: ErrorOptions) {
    super(message, options);
    this.passes = passes;
  }
}

/** Puts records into topics. */
export interface EventSender {
  /**
   * Sends records in order and resolves when all of them are durable in their topics. Calls wait for each other.
   * @throws NotSent
   */
  send(records: readonly OutgoingRecord[]): Promise<void>;
}

/** A schema as a version of a subject. */
export type RegisteredVersion = { subject: string; version: number; id: number; schema: string };

/** What the embedded schema registry keeps; no tenant's data. */
export interface RegistryStore {
  /** Those that have a version, by name. */
  subjects(): Promise<string[]>;
  /** Oldest first; empty for a subject that nobody has heard of. */
  versions(subject: string): Promise<RegisteredVersion[]>;
  /** Text of a schema by its id. */
  schema(id: number): Promise<string | undefined>;
  /** Where a schema is used. */
  usesOf(id: number): Promise<Pick<RegisteredVersion, 'subject' | 'version'>[]>;
  /** Adds a version. @returns false when somebody else has added one meanwhile */
  add(version: Omit<RegisteredVersion, 'id'>): Promise<boolean>;
  /** Of a subject, or of all others (`''`). */
  level(subject: string): Promise<CompatibilityLevel | undefined>;
  setLevel(subject: string, level: CompatibilityLevel): Promise<void>;
}

/** A row to publish, with the generation in which it was written. */
export type RelayRow = EventRow & { generation: number };

/** The next rows of a property to publish, in order. */
export type PendingEvents = {
  to: Address;
  /** The row up to which everything is published. */
  cursor: number;
  /** Newest row of the property at the time of the query; the rows may end before it. */
  newest: number;
  rows: RelayRow[];
  /** Why the rows cannot be had, though the database is there. */
  unreadable?: string;
};

/** How far a property is published: from the stored cursor to the last published row. */
export type CursorAdvance = { to: Address; from: number; published: number };

/** A property whose journal is ahead of the relay, and the time of the first waiting row. */
export type Behind = { to: Address; rows: number; since: Instant };

/** Which rows of the journals of all tenants are published, and which are not (docs/concepts/events.md#relay). */
export interface Outbox {
  /** Properties that are behind, the longest unpublished first; at most `limit`. */
  behind(limit: number): Promise<Behind[]>;
  /**
   * The next rows of these properties, some hundred in all; of those that come too late for that none, but they are
   * named. One whose rows cannot be read is `unreadable`, and the others are read.
   */
  pending(of: readonly Address[]): Promise<PendingEvents[]>;
  /** Moves cursors, each only if it still stands where it was found. @returns those that moved */
  advance(all: readonly CursorAdvance[]): Promise<readonly CursorAdvance[]>;
}

/** A property that cannot go on, at which row, and why: in words that hold nothing of the event itself. */
export type StoppedProperty = { to: Address; seq: number; why: string };

/** What a round has done; `left` are properties that have more rows. */
export type RelayRound = { rows: number; records: number; stopped: StoppedProperty[]; left: Address[] };

/** How far the relay is behind: rows and seconds of the journal, and what it has done since the start. */
export type RelayFigures = { lag: number; oldestAgeSeconds: number; sent: number; stopped: number };
