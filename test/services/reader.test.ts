import t from 'tap';

import { schemaOf } from '../../src/events/contracts/event-schemas.ts';
import { AvroCodec } from '../../src/events/partners/avro-codec.ts';
import { RegistryClient } from '../../src/events/partners/registry-client.ts';
import type { EventRecord } from '../../src/events/rules/events.ts';
import { loadKafkaJs } from '../../src/platform/messaging/kafkajs.ts';
import { servicesOrSkip } from './needed.ts';
import { type ReadRecord, readTopics } from './reader.ts';

const { Kafka, logLevel, Partitioners } = loadKafkaJs();

const RECORDS = 50;
const say = (line: string): void => t.comment(line);

void t.test('what we write is read by librdkafka and fastavro as it was meant', async (t) => {
  const services = servicesOrSkip(t, ['kafka', 'registry']);
  if (services === undefined) return;
  // A topic of its own, under the schema of another: the reader goes by the id that each record carries.
  const topic = `reader-${process.pid}-${Date.now()}`;
  const codec = new AvroCodec(new RegistryClient(services.registry));
  const producer = new Kafka({ brokers: [services.kafka], logLevel: logLevel.NOTHING }).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  t.teardown(() => producer.disconnect());
  const values = Array.from({ length: RECORDS }, (_, n) => competitorRates(n));
  const messages = await Promise.all(
    values.map(async (value, n) => ({
      key: 'acme:anchor',
      value: await codec.encode({ topic: 'competitor.rates.updated', value } as unknown as EventRecord),
      headers: { tenantId: 'acme', seq: String(n) },
    })),
  );
  await producer.send({ topic, acks: -1, messages: [...messages, { key: 'poison', value: Buffer.from('poison') }] });

  const read: ReadRecord[] = [];
  for await (const record of readTopics(services, [topic], say)) read.push(record);
  const ours = read.filter(({ key }) => key === 'acme:anchor');
  t.same(
    ours.map(({ value }) => value),
    values,
  );
  t.same(
    ours.map(({ headers }) => headers),
    values.map((_, n) => ({ tenantId: 'acme', seq: String(n) })),
  );
  t.match(
    read.filter(({ key }) => key === 'poison'),
    [{ error: /./, value: undefined }],
    'what is not Avro is reported, and ends nothing',
  );
});

/** Every field of the schema filled, as far as its type says. */
function competitorRates(n: number): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const { name, type } of schemaOf('competitor.rates.updated').fields) {
    const plain = JSON.stringify(type);
    filled[name] = /"(int|long)"/.test(plain) ? 1_780_000_000 + n : `${name} ${n} é`;
  }
  return filled;
}
