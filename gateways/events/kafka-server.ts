import { type Deserializer, type KafkaContext, KafkaParser, ServerKafka } from '@nestjs/microservices';
import type { Consumer, Kafka } from 'kafkajs';

import type { PartitionControl } from './record-consumer.ts';

/** The group is named like the product: more processes share its partitions. */
const CONSUMER_GROUP = 'innkeeper';
/** Partitions that are worked on at a time; of one it is always one record. */
const PARTITIONS_AT_ONCE = 4;
/** Partitions of a process that died are free after this: until then nobody reads them. */
const SESSION_MS = 10_000;
const REBALANCE_MS = 15_000;
const HEARTBEAT_MS = 2_000;
/** How long the broker may hold a fetch open: a paused partition is fetched again after that. */
const WAIT_MS = 500;
/** What kafkajs tries by itself before it begins anew; the broker of a test takes 3 to 6 s to come back. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 2_000, retries: 10 };

/** Keys and headers stay the bytes that they are: a record that is put aside has all that it came with. */
class RawParser extends KafkaParser {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as Nest declares it
  override parse<T = unknown>(data: unknown): T {
    const message = data as { headers?: object };
    return { ...message, headers: { ...message.headers } } as T;
  }
}

/**
 * Nest's Kafka transport with the client of ours and without a producer: dead letters go out through our own. Offsets
 * are committed by {@link Taking} alone, since kafkajs takes a record for done when its handler returns.
 */
export class KafkaServer extends ServerKafka {
  readonly #kafka: Kafka;
  readonly #opened: (consumer: Consumer) => void;

  /** @param opened called with the consumer before it reads anything */
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

/** What a handler needs of kafkajs; Nest gives its context untyped. */
export function partitionControlOf(context: unknown): PartitionControl {
  const kafka = context as KafkaContext;
  return { consumer: kafka.getConsumer(), heartbeat: kafka.getHeartbeat() };
}
