import { type Deserializer, type KafkaContext, KafkaParser, ServerKafka } from '@nestjs/microservices';
import type { Consumer, Kafka } from 'kafkajs';

import type { PartitionControl } from './record-consumer.ts';

/** Consumer group: all processes share its partitions. */
const CONSUMER_GROUP = 'innkeeper';
/** Partitions handled concurrently; records of one partition are handled one by one. */
const PARTITIONS_AT_ONCE = 4;
/** Time after which partitions of a dead process are reassigned. */
const SESSION_MS = 10_000;
const REBALANCE_MS = 15_000;
const HEARTBEAT_MS = 2_000;
/** How long the broker may hold a fetch open; a paused partition is fetched again after that. */
const WAIT_MS = 500;
/** Retries by kafkajs before it restarts; a test broker takes 3 to 6 s to come back. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 2_000, retries: 10 };

/** Keeps keys and headers as raw bytes: a dead letter contains the record unchanged. */
class RawParser extends KafkaParser {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as Nest declares it
  override parse<T = unknown>(data: unknown): T {
    const message = data as { headers?: object };
    return { ...message, headers: { ...message.headers } } as T;
  }
}

/**
 * Nest's Kafka transport with our client and without a producer: dead letters go through the own sender. Offsets are
 * committed by {@link Reader} alone, since kafkajs considers a record done when its handler returns.
 */
export class KafkaServer extends ServerKafka {
  readonly #kafka: Kafka;
  readonly #opened: (consumer: Consumer) => void;

  /** @param opened called with the consumer before it reads */
  constructor(kafka: Kafka, deserializer: Deserializer, opened: (consumer: Consumer) => void) {
    super({
      client: { brokers: [] },
      postfixId: '',
      deserializer,
      consumer: {
        groupId: CONSUMER_GROUP,
        sessionTimeout: SESSION_MS,
        heartbeatInterval: HEARTBEAT_MS,
        rebalanceTimeout: REBALANCE_MS,
        maxWaitTimeInMs: WAIT_MS,
        allowAutoTopicCreation: false,
        retry: { ...RETRY, restartOnFailure: async () => true },
      },
      subscribe: { fromBeginning: true },
      run: { autoCommit: false, partitionsConsumedConcurrently: PARTITIONS_AT_ONCE },
      parser: { keepBinary: true },
    });
    this.#kafka = kafka;
    this.#opened = opened;
    this.parser = new RawParser({ keepBinary: true });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as Nest declares it
  override async createClient<T>(): Promise<T> {
    return this.#kafka as T;
  }

  override async start(callback: () => void): Promise<void> {
    const consumer = this.#kafka.consumer({ ...this.options.consumer, groupId: this.groupId });
    this.consumer = consumer;
    this.registerConsumerEventListeners();
    this.#opened(consumer);
    await consumer.connect();
    await this.bindEvents(consumer);
    callback();
  }
}

/** Consumer and heartbeat of a record; Nest's context is untyped. */
export function partitionControlOf(context: unknown): PartitionControl {
  const kafka = context as KafkaContext;
  return { consumer: kafka.getConsumer(), heartbeat: kafka.getHeartbeat() };
}
