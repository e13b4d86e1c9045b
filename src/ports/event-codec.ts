import type { EventRecord, ReadEvent } from '../domain/events.ts';
import type { Topic } from '../domain/topics.ts';

/** Why a record cannot be read, as `<topic>.dlq` names it (docs/reference/events.md#what-innkeeper-reads). */
export const UNREADABLE = [
  'TOO_SHORT',
  'WRONG_MAGIC_BYTE',
  'UNKNOWN_SCHEMA_ID',
  'FOREIGN_SCHEMA',
  'BROKEN_BYTES',
] as const;
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
   * @throws UnreadableRecord; EventFailure "Schema not found" where the registry could not be asked, to be tried again
   */
  decode(topic: Topic, bytes: Uint8Array): Promise<ReadEvent>;
}
