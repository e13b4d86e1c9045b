import type { Consumer, EachBatchPayload } from 'kafkajs';
import { randomUUID } from 'node:crypto';

import { schemaOf } from '../../src/events/contracts/event-schemas.ts';
import { parseSchema } from '../../src/events/contracts/schema-compatibility.ts';
import { type Topic, TOPIC_NAMES, TOPICS } from '../../src/events/rules/topics.ts';
import { loadKafkaJs } from '../../src/platform/messaging/kafkajs.ts';

const { Kafka, logLevel } = loadKafkaJs();

/** A record of a topic with its decoded envelope, and the time at which this reader got it. */
export type ReadRecord = {
  topic: Topic;
  partition: number;
  offset: number;
  key: string;
  headers: Record<string, string>;
  eventId: string;
  timestamp: number;
  /** When its producer sent it, by the same clock. */
  sentAt: number;
  receivedAt: number;
};

/** Topics that the service publishes, without those that only others write. */
export const PUBLISHED_TOPICS = TOPIC_NAMES.filter((topic) => TOPICS[topic].from === 'innkeeper');

const HEADER_BYTES = 5;
const QUIET_MS = 2_000;
const FIRST_MS = 30_000;

/** Reads topics from the beginning in a consumer group of its own. */
export class TopicReader implements AsyncDisposable {
  readonly records: ReadRecord[] = [];
  readonly #consumer: Consumer;
  readonly #types = new Map(
    PUBLISHED_TOPICS.map((topic) => [topic as string, parseSchema(JSON.stringify(schemaOf(topic)))]),
  );

  private constructor(brokers: string) {
    const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
    const groupId = `reader-${randomUUID()}`;
    this.#consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 20, retry: { retries: 100, maxRetryTime: 1_000 } });
  }

  /** @param brokers as KAFKA_BROKERS; the topics have to exist */
  static async open(brokers: string): Promise<TopicReader> {
    const reader = new TopicReader(brokers);
    await reader.#consumer.connect();
    await reader.#consumer.subscribe({ topics: PUBLISHED_TOPICS, fromBeginning: true });
    const joined = new Promise<void>((done) => {
      reader.#consumer.on(reader.#consumer.events.GROUP_JOIN, () => done());
    });
    await reader.#consumer.run({ eachBatch: async (payload) => reader.#take(payload) });
    await joined;
    return reader;
  }

  /** Resolves when nothing has arrived for a while. */
  async quiet(): Promise<void> {
    // On a busy machine a group takes its time before the first record comes.
    const began = performance.now();
    const mayEnd = (): boolean => this.records.length > 0 || performance.now() - began > FIRST_MS;
    for (let last = -1; last !== this.records.length || !mayEnd();) {
      last = this.records.length;
      await new Promise((later) => setTimeout(later, QUIET_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#consumer.disconnect();
  }

  #take({ batch }: EachBatchPayload): void {
    const receivedAt = Date.now();
    for (const { key, value, offset, timestamp: sentAt, headers = {} } of batch.messages) {
      if (!value) continue;
      const { eventId, timestamp } = this.#types.get(batch.topic)!.fromBuffer(value.subarray(HEADER_BYTES)) as {
        eventId: string;
        timestamp: unknown;
      };
      this.records.push({
        topic: batch.topic as Topic,
        partition: batch.partition,
        offset: Number(offset),
        key: String(key),
        headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
        eventId,
        timestamp: Number(timestamp),
        sentAt: Number(sentAt),
        receivedAt,
      });
    }
  }
}
