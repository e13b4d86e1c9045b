import type { Consumer, Kafka as Client, Producer } from 'kafkajs';
import { randomUUID } from 'node:crypto';

import { schemaOf } from '../../src/events/contracts/event-schemas.ts';
import { parseSchema } from '../../src/events/contracts/schema-compatibility.ts';
import { AvroCodec } from '../../src/events/partners/avro-codec.ts';
import { RegistryClient } from '../../src/events/partners/registry-client.ts';
import { eventTypeOf, subjectOf, type Topic } from '../../src/events/rules/topics.ts';
import { loadKafkaJs } from '../../src/platform/messaging/kafkajs.ts';
import { until } from './waiting.ts';

const { Kafka, logLevel, Partitioners } = loadKafkaJs();

/** A record that the service has put aside. */
export type DeadLetter = {
  topic: string;
  key: string | null;
  value: Buffer | null;
  headers: Record<string, string>;
};

export type Sent = {
  key?: string | null;
  headers?: Record<string, string>;
  /** Instead of the fields. */
  bytes?: Buffer | null;
  partition?: number;
};

const WITHIN_MS = 60_000;
const RETRY = { initialRetryTime: 100, maxRetryTime: 500, retries: 200 };
const TOPICS = [
  'availability.updated',
  'reservation.created',
  'competitor.rates.updated',
  'payment.processed',
] as const;

function valueOf(topic: Topic, fields: Record<string, unknown>): Record<string, unknown> {
  const envelope = { eventId: randomUUID(), eventType: eventTypeOf(topic), timestamp: Date.now(), version: 1 };
  const absent = { tenantId: null, reservationId: null, seq: null, origin: 'external' };
  return { ...envelope, ...absent, bookedRooms: null, heldRooms: null, availableRooms: null, ...fields };
}

/** Confluent's wire format. */
export function wire(schemaId: number, avro: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(schemaId, 1);
  return Buffer.concat([header, avro]);
}

/** Somebody outside who writes to the topics that the service reads, and reads what it puts aside. */
export class Outside implements AsyncDisposable {
  readonly dead: DeadLetter[] = [];
  readonly codec: AvroCodec;
  readonly #registryUrl: string;
  readonly #producer: Producer;
  readonly #reader: Consumer;

  private constructor(kafka: Client, registryUrl: string) {
    this.#registryUrl = registryUrl;
    this.codec = new AvroCodec(new RegistryClient(registryUrl));
    this.#producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, retry: RETRY });
    this.#reader = kafka.consumer({ groupId: `outside-${randomUUID()}`, maxWaitTimeInMs: 100, retry: RETRY });
  }

  /** The service has made the topics. */
  static async open(brokers: string, registryUrl: string): Promise<Outside> {
    const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING, retry: RETRY });
    const admin = kafka.admin();
    await admin.connect();
    await until('the service makes its topics', WITHIN_MS, async () => {
      const there = await admin.listTopics();
      return TOPICS.every((topic) => there.includes(`${topic}.dlq`)) || undefined;
    });
    await admin.disconnect();
    const outside = new Outside(kafka, registryUrl);
    await outside.#producer.connect();
    await outside.#reader.connect();
    await outside.#reader.subscribe({ topics: TOPICS.map((topic) => `${topic}.dlq`), fromBeginning: true });
    await outside.#reader.run({
      eachMessage: async ({ topic, message: { key, value, headers = {} } }) => {
        const texts = Object.entries(headers).map(([name, of]) => [name, String(of)]);
        outside.dead.push({ topic, key: key && String(key), value, headers: Object.fromEntries(texts) });
      },
    });
    return outside;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.disconnect();
    await this.#producer.disconnect();
  }

  /** The record of a topic with these fields; those that are not named have no value. */
  encode(topic: Topic, fields: Record<string, unknown>): Promise<Buffer> {
    return this.codec.encode({ topic, key: '', headers: {}, value: valueOf(topic, fields) } as never);
  }

  /** The same as a later version of its schema would have it, with a field that the service does not know. */
  async encodeNext(topic: Topic, fields: Record<string, unknown>): Promise<Buffer> {
    const schema = schemaOf(topic);
    const note = { name: 'note', type: ['null', 'string'], default: null };
    const next = { ...schema, fields: [...schema.fields, note] };
    const id = await this.register(subjectOf(topic), next);
    const type = parseSchema(JSON.stringify(next));
    return wire(id, type.toBuffer({ ...valueOf(topic, fields), note: 'from the future' }));
  }

  /** @returns the id of the schema */
  async register(subject: string, schema: object): Promise<number> {
    const answer = await fetch(`${this.#registryUrl}/subjects/${subject}/versions`, {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
      body: JSON.stringify({ schema: JSON.stringify(schema) }),
    });
    const { id } = (await answer.json()) as { id?: number };
    if (id === undefined) throw new Error(`${subject} was not registered: ${answer.status}`);
    return id;
  }

  async send(topic: Topic, fields: Record<string, unknown>, sent: Sent = {}): Promise<void> {
    const { bytes, key = null, headers = {}, partition } = sent;
    const value = bytes === undefined ? await this.encode(topic, fields) : bytes;
    await this.#producer.send({ topic, acks: -1, messages: [{ key, value, headers, partition }] });
  }

  /** The record that was put aside with this header. */
  deadLetter(mark: string): Promise<DeadLetter> {
    return until(`dead letter ${mark}`, WITHIN_MS, () => this.dead.find(({ headers }) => headers['mark'] === mark));
  }
}
