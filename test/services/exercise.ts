import type * as Confluent from '@kafkajs/confluent-schema-registry';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

import { loadKafkaJs } from '../../src/platform/messaging/kafkajs.ts';

const { Kafka, logLevel, Partitioners } = loadKafkaJs();

/**
 * What we use of kafkajs and of the registry's client, against a real broker that is ended in the middle of it; run by
 * `kafkajs.test.ts` under either runtime. Prints `sent <n>` as it goes and one line of JSON at the end.
 */
const { SchemaRegistry, SchemaType } = createRequire(import.meta.url)(
  '@kafkajs/confluent-schema-registry',
) as typeof Confluent;

const PROPERTIES = 7;
const BATCHES = 120;
const RECORDS_OF_A_BATCH = 25;
const RECORDS = BATCHES * RECORDS_OF_A_BATCH;

const topic = `exercise-${process.pid}-${Date.now()}`;
const { KAFKA_BROKERS: brokers = '', SCHEMA_REGISTRY_URL: host = '' } = process.env;
const retry = { initialRetryTime: 100, maxRetryTime: 500, retries: 200 };
const kafka = new Kafka({ brokers: brokers.split(','), clientId: 'exercise', logLevel: logLevel.NOTHING, retry });
const registry = new SchemaRegistry({ host });

const admin = kafka.admin();
await admin.connect();
await admin.createTopics({ topics: [{ topic, numPartitions: 3 }], waitForLeaders: true });

const schema = JSON.stringify({ type: 'record', name: 'Exercise', fields: [{ name: 'n', type: 'int' }] });
const { id } = await registry.register({ type: SchemaType.AVRO, schema }, { subject: `${topic}-value` });

const producer = kafka.producer({
  idempotent: true,
  maxInFlightRequests: 1,
  createPartitioner: Partitioners.DefaultPartitioner,
});
await producer.connect();
const began = performance.now();
let longestMs = 0;
for (let batch = 0; batch < BATCHES; batch += 1) {
  const first = batch * RECORDS_OF_A_BATCH;
  const messages = await Promise.all(
    Array.from({ length: RECORDS_OF_A_BATCH }, async (_, n) => ({
      key: `tenant:${(first + n) % PROPERTIES}`,
      value: await registry.encode(id, { n: first + n }),
      headers: { tenantId: 'tenant', seq: String(first + n) },
    })),
  );
  const sent = performance.now();
  await producer.send({ topic, acks: -1, messages });
  longestMs = Math.max(longestMs, performance.now() - sent);
  console.log(`sent ${first + RECORDS_OF_A_BATCH}`);
  await pause(10);
}
const sentInMs = Math.round(performance.now() - began);
await producer.disconnect();

const groupId = `${topic}-readers`;
// A consumer that is stopped waits for the fetch that is under way.
const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 250 });
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
const read: { key: string; n: number; seq: string; tenantId: string }[] = [];
const joined = performance.now();
let joinedInMs = 0;
const all = Promise.withResolvers<void>();
await consumer.run({
  eachMessage: async ({ message: { key, value, headers } }) => {
    joinedInMs ||= Math.round(performance.now() - joined);
    const { n } = (await registry.decode(value!)) as { n: number };
    read.push({ key: String(key), n, seq: String(headers!['seq']), tenantId: String(headers!['tenantId']) });
    if (read.length >= RECORDS) all.resolve();
  },
});
await Promise.race([all.promise, pause(30_000, undefined, { ref: false })]);
// What came twice comes now.
await pause(500);
await consumer.disconnect();
const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] });
const ends = await admin.fetchTopicOffsets(topic);
await admin.disconnect();

const sum = (of: readonly { offset: string }[]): number =>
  of.reduce((total, { offset }) => total + Number(offset), 0);
const ofKey = (key: number): number[] => read.filter((one) => one.key === `tenant:${key}`).map(({ n }) => n);
console.log(
  JSON.stringify({
    read: read.length,
    distinct: new Set(read.map(({ n }) => n)).size,
    inOrder: Array.from({ length: PROPERTIES }, (_, key) => ofKey(key)).every((numbers) =>
      numbers.every((n, at) => at === 0 || numbers[at - 1]! < n),
    ),
    headers: read.every(({ n, seq, tenantId }) => seq === String(n) && tenantId === 'tenant'),
    committed: sum(offsets!.partitions),
    written: sum(ends),
    longestMs: Math.round(longestMs),
    sentInMs,
    joinedInMs,
  }),
);
