import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';

import { KafkaSender } from '../../src/events/partners/kafka-sender.ts';
import { NotSent, type OutgoingRecord } from '../../src/events/ports.ts';
import { kafkaClient } from '../../src/platform/messaging/kafka-client.ts';
import { quiet } from '../../src/testing/actors/running-host.ts';
import { Kafka } from './kafka.ts';
import { Ledger } from './ledger.ts';
import { areThere } from './needed.ts';

t.setTimeout(120_000);

const TOPIC = 'reservation.created';
const PROPERTIES = 40;
const TRIES = 20;
/** The living broker answers by then, the one that stands still does not. */
const ANSWERED_MS = 400;
const READ_WITHIN_MS = 30_000;

const batch = (first: number): OutgoingRecord[] =>
  Array.from({ length: PROPERTIES }, (_, n) => ({
    topic: TOPIC,
    key: `tenant:${n}`,
    value: Buffer.from('x'),
    headers: { n: String(first + n) },
  }));

/** As the relay does: what is not known to be sent is sent again. */
async function sent(sender: KafkaSender, records: readonly OutgoingRecord[]): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await sender.send(records);
    } catch (error) {
      if (!(error instanceof NotSent) || !error.passes || tries === TRIES) throw error;
      await pause(200);
    }
}

/** Numbers of all records by key, in the order of their partition. */
async function readBack(brokers: readonly string[], wanted: number): Promise<Map<string, number[]>> {
  const consumer = kafkaClient(brokers, quiet).consumer({ groupId: 'leader-change', maxWaitTimeInMs: 100 });
  const read = new Map<string, number[]>();
  const distinct = new Set<number>();
  const all = Promise.withResolvers<void>();
  await consumer.connect();
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message: { key, headers } }) => {
      const n = Number(String(headers!['n']));
      read.set(String(key), [...(read.get(String(key)) ?? []), n]);
      if (distinct.add(n).size === wanted) all.resolve();
    },
  });
  await Promise.race([all.promise, pause(READ_WITHIN_MS, undefined, { ref: false })]);
  await consumer.disconnect();
  return read;
}

async function pair(t: Test): Promise<[Kafka, Kafka]> {
  const ledger = await Ledger.open();
  const [first, second] = await Kafka.startPair(ledger, (line) => t.comment(line));
  t.teardown(async () => {
    await Promise.all([second.kill(), first.kill()]);
    ledger.close();
  });
  return [first, second];
}

/**
 * A batch has records for both brokers. The living one has answered when the other one dies, whose partitions it
 * leads from then on: they must be sent to it too.
 */
void t.test('a broker that dies with half of a batch loses none of it', async (t) => {
  if (!areThere(t, ['kafka'])) return;
  const [living, dying] = await pair(t);
  const brokers = [living.brokers, dying.brokers];
  await using sender = new KafkaSender(kafkaClient(brokers, quiet));
  await sent(sender, batch(0));
  dying.pause();
  const half = sent(sender, batch(PROPERTIES));
  await pause(ANSWERED_MS);
  await dying.kill();
  await half;
  await sent(sender, batch(2 * PROPERTIES));
  const read = await readBack([living.brokers], 3 * PROPERTIES);
  for (let n = 0; n < PROPERTIES; n++)
    t.same([...new Set(read.get(`tenant:${n}`))], [n, n + PROPERTIES, n + 2 * PROPERTIES], `tenant:${n}`);
});
