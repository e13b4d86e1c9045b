import type { Kafka, Producer, TopicMessages } from 'kafkajs';
import { setTimeout as after } from 'node:timers/promises';

import { KAFKA_PAUSES_MS, KAFKA_TRIES } from '../../platform/messaging/kafka-client.ts';
import { loadKafkaJs } from '../../platform/messaging/kafkajs.ts';
import { type EventSender, NotSent, type OutgoingRecord } from '../ports.ts';
import { TOPIC_NAMES } from '../rules/topics.ts';

/** Partitions of topics that this service creates; properties share them by key. Existing topics keep theirs. */
const PARTITIONS = 12;
/** The brokers' default replication factor. */
const USUAL_COPIES = -1;

/** Shutdown does not wait for a silent broker: unacknowledged records are published again. */
const END_WITHIN_MS = 2_000;

/**
 * kafkajs 2.2.4 loses records when it retries by itself: a broker that has answered is left out of the next attempt,
 * also when it has become leader of partitions whose broker died (`test/services/leader-change.test.ts`). So each
 * attempt is a send of its own, with all records. kafkajs refuses 0 for an idempotent producer; nothing is less than
 * this number.
 */
const NO_RETRIES = Number.NaN;

/** Broker errors for records that it will never accept. */
const REJECTED = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);

/**
 * Sends to Kafka as one idempotent producer: all in-sync replicas acknowledge, and one request is in progress at a
 * time, so that a retry neither reorders nor doubles what one broker leads. It may double what a living broker had
 * acknowledged when another one failed. After {@link KAFKA_TRIES} attempts it is replaced by a new producer, whose
 * records may be duplicates (kafkajs loses its sequence numbers then).
 */
export class KafkaSender implements EventSender, AsyncDisposable {
  readonly #kafka: Kafka;
  #producer: Promise<Producer> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  send(records: readonly OutgoingRecord[]): Promise<void> {
    const sent = this.#last.then(() => this.#send(records));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /** Creates missing topics. Consumers call it first: subscribing would create them with the broker's defaults. */
  prepare(): Promise<void> {
    return makeTopics(this.#kafka);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    const late = new AbortController();
    const ended = this.#last.then(() => this.#giveUp());
    await Promise.race([ended, after(END_WITHIN_MS, undefined, late).catch(() => undefined)]);
    late.abort();
  }

  async #send(records: readonly OutgoingRecord[]): Promise<void> {
    if (records.length === 0) return;
    if (this.#ended) throw new NotSent('the service is stopping', true);
    try {
      this.#producer ??= this.#open();
      const producer = await this.#producer;
      await this.#attempts(producer, byTopic(records));
    } catch (error) {
      await this.#giveUp();
      throw failureOf(error);
    }
  }

  async #attempts(producer: Producer, topicMessages: TopicMessages[]): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        await producer.sendBatch({ acks: -1, topicMessages });
        return;
      } catch (error) {
        const passes = error instanceof loadKafkaJs().KafkaJSNumberOfRetriesExceeded;
        if (!passes || tries === KAFKA_TRIES || this.#ended) throw error;
        await after(Math.min(KAFKA_PAUSES_MS.longest, KAFKA_PAUSES_MS.first * 2 ** (tries - 1)));
      }
  }

  async #open(): Promise<Producer> {
    await makeTopics(this.#kafka);
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      retry: { retries: NO_RETRIES },
      allowAutoTopicCreation: true,
      createPartitioner: loadKafkaJs().Partitioners.DefaultPartitioner,
    });
    await producer.connect();
    return producer;
  }

  async #giveUp(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.then((open) => open.disconnect()).catch(() => undefined);
  }
}

/** Creates missing topics and dead letter topics. A user without the right to create topics needs existing ones. */
async function makeTopics(kafka: Kafka): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const there = new Set(await admin.listTopics());
    const wanted = TOPIC_NAMES.flatMap((topic) => [topic, `${topic}.dlq`]).filter((topic) => !there.has(topic));
    const topics = wanted.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor: USUAL_COPIES }));
    if (topics.length > 0) await admin.createTopics({ topics, waitForLeaders: true });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

function byTopic(records: readonly OutgoingRecord[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, key, value, headers } of records) {
    const one = topics.get(topic) ?? { topic, messages: [] };
    one.messages.push({
      key: sendable(key),
      value: value && bufferOf(value),
      headers,
    });
    topics.set(topic, one);
  }
  return [...topics.values()];
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const sendable = (of: OutgoingRecord['key']): Buffer | string | null =>
  of === null || typeof of === 'string' ? of : bufferOf(of);

function failureOf(error: unknown): NotSent {
  const { message } = error as Error;
  const refused = error instanceof loadKafkaJs().KafkaJSProtocolError && REJECTED.has(error.type);
  return new NotSent(refused ? message : `the brokers cannot be reached: ${message}`, !refused, { cause: error });
}
