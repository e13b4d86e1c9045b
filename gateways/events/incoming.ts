import type { Deserializer } from '@nestjs/microservices';

import { type EventCodec, UnreadableRecord } from '../../src/events/ports.ts';
import { EventFailure } from '../../src/events/rules/event-failure.ts';
import type { ReadEvent } from '../../src/events/rules/events.ts';
import { type Topic, TOPIC_NAMES } from '../../src/events/rules/topics.ts';

/** A record as received; key and headers are raw bytes. */
export type RawRecord = {
  topic: string;
  partition: number;
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  headers: Record<string, Buffer | string | (Buffer | string)[] | undefined>;
};

/** Result of reading a record: an event, a test event without effect, or an error. */
export type Reading = { event: ReadEvent } | { test: true } | { unreadable: UnreadableRecord } | { failure: unknown };

export type Incoming = { record: RawRecord; reading: Reading };

/**
 * Reads Avro for Nest's Kafka transport. It never throws: unreadable records are passed to the handler, which
 * dead-letters or retries them, since an error here would make kafkajs restart from the beginning.
 */
export class AvroDeserializer implements Deserializer<RawRecord, { pattern: string; data: Incoming }> {
  readonly #codec: EventCodec;

  constructor(codec: EventCodec) {
    this.#codec = codec;
  }

  async deserialize(record: RawRecord): Promise<{ pattern: string; data: Incoming }> {
    return { pattern: record.topic, data: { record, reading: await this.#read(record) } };
  }

  async #read({ topic, value, headers }: RawRecord): Promise<Reading> {
    try {
      if (textOf(headers['test']) === 'true') return { test: true };
      if (!isTopic(topic)) throw new Error(`nobody reads ${topic}`);
      return { event: await this.#codec.decode(topic, value ?? new Uint8Array()) };
    } catch (error) {
      return error instanceof UnreadableRecord ? { unreadable: error } : { failure: error };
    }
  }
}

const isTopic = (name: string): name is Topic => (TOPIC_NAMES as readonly string[]).includes(name);

/** A header as text; the last one of several. */
export function textOf(header: RawRecord['headers'][string]): string | undefined {
  const one = Array.isArray(header) ? header.at(-1) : header;
  return one?.toString();
}

/** Whether the same bytes may be readable later: the registry did not answer. */
export const isRegistryAway = (error: unknown): boolean => error instanceof EventFailure && error.passes;
