import { pino } from 'pino';
import t from 'tap';

import type { Taken } from '../../src/channels/operations/taken-event.ts';
import { InvalidRecord } from '../../src/channels/rules/invalid-record.ts';
import { NotSent, notYetConsuming, type OutgoingRecord, UnreadableRecord } from '../../src/events/ports.ts';
import { EventFailure } from '../../src/events/rules/event-failure.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { untilTime } from '../../src/testing/fake-clock.ts';
import { availabilityRecord } from '../../src/testing/taken-events.ts';
import { AvroDeserializer, type Incoming, type RawRecord, type Reading } from './incoming.ts';
import { type PartitionControl, RecordConsumer } from './record-consumer.ts';

const TOPIC = 'availability.updated';

function record(offset: number, partition = 0): RawRecord {
  const headers = { tenantId: Buffer.from('acme'), list: [Buffer.from('a'), Buffer.from('b')] };
  return {
    topic: TOPIC,
    partition,
    offset: String(offset),
    key: Buffer.from([0, 255]),
    value: Buffer.from('x'),
    headers,
  };
}

/** What kafkajs would do, and what was sent. */
function world(send: (letters: readonly OutgoingRecord[]) => Promise<void> = async () => {}) {
  const letters: OutgoingRecord[] = [];
  const logged: string[] = [];
  const consuming = notYetConsuming();
  const consumer = new RecordConsumer({
    sender: { send: async (of) => send(of).then(() => void letters.push(...of)) },
    consuming,
    log: pino({ level: 'silent' }),
    pausesMs: { first: 1, longest: 4 },
  });
  const hands: PartitionControl = {
    consumer: {
      pause: ([of]) => void logged.push(`pause ${of!.partitions!.join()}`),
      resume: ([of]) => void logged.push(`resume ${of!.partitions!.join()}`),
      seek: ({ partition, offset }) => void logged.push(`seek ${partition} ${offset}`),
    },
    heartbeat: async () => {},
  };
  const read: Reading = { event: availabilityRecord() };
  const handle = (of: RawRecord, take: () => Promise<Taken>, reading: Reading = read): Promise<void> =>
    consumer.handle({ record: of, reading } satisfies Incoming, take, hands);
  t.teardown(() => consumer.end());
  return { consumer, letters, logged, consuming, handle };
}

const done = async (): Promise<Taken> => ({ effect: 'taken' });
const ready = ({ consumer }: { consumer: RecordConsumer }) => consumer.offsets.ready().map(({ offset }) => offset);

t.test('what was taken can be committed, in order, once what follows from it is through', async (t) => {
  const { handle, consumer, consuming } = world();
  const follows = Promise.withResolvers<void>();
  await handle(record(5), done);
  t.same(ready({ consumer }), ['6']);
  await handle(record(6), async () => ({ effect: 'taken', follows: follows.promise }));
  await handle(record(7), async () => ({ effect: 'none' }));
  t.same(ready({ consumer }), ['6'], 'the one before waits');
  follows.resolve();
  await untilTime(() => ready({ consumer })[0] === '8');
  consumer.offsets.committed(consumer.offsets.ready());
  t.same(ready({ consumer }), []);
  t.match(consuming, { records: 3, taken: 2, deadLettered: 0, retried: 0 });
});

t.test('what will never be taken is put aside with all that it came with, and its reason', async (t) => {
  const { handle, letters, consumer, consuming } = world();
  const never = (error: Error) => async (): Promise<Taken> => {
    throw error;
  };
  await handle(record(1), never(new InvalidRecord('UNKNOWN_ROOM_TYPE', 'no such type')));
  await handle(record(2), done, { unreadable: new UnreadableRecord('TOO_SHORT', '0 bytes') });
  await handle(record(3), done, { test: true });
  t.match(letters, [
    {
      topic: `${TOPIC}.dlq`,
      key: Buffer.from([0, 255]),
      value: Buffer.from('x'),
      headers: {
        tenantId: Buffer.from('acme'),
        list: [Buffer.from('a'), Buffer.from('b')],
        reason: 'UNKNOWN_ROOM_TYPE',
        detail: 'no such type',
        originalTopic: TOPIC,
        originalPartition: '0',
        originalOffset: '1',
      },
    },
    { headers: { reason: 'TOO_SHORT' } },
  ]);
  t.same(ready({ consumer }), ['4']);
  t.equal(consuming.deadLettered, 2);
});

t.test('what may pass pauses its partition alone, and is tried again with growing pauses, for ever', async (t) => {
  const away: Error[] = [
    new EventFailure('SCHEMA_NOT_FOUND', 'no answer'),
    new DomainError('NOT_EXECUTED', 'too much to do'),
    new DomainError('IDEMPOTENCY_IN_PROGRESS', 'not yet'),
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    new Error('Connection terminated unexpectedly'),
  ];
  for (const error of away) {
    const { handle, logged, letters, consumer } = world();
    await handle(record(8, 1), done);
    for (let n = 0; n < 30; n++) await handle(record(9, 1), () => Promise.reject(error));
    t.same(logged.slice(0, 2), ['pause 1', 'seek 1 9'], error.message);
    await untilTime(() => logged.includes('resume 1'));
    t.same(letters, [], error.message);
    t.same(ready({ consumer }), ['9'], 'nothing behind it is committed');
    await handle(record(9, 1), done);
    t.same(ready({ consumer }), ['10']);
  }
});

t.test('what breaks again and again is put aside as a fault of ours', async (t) => {
  const { handle, letters } = world();
  const broken = (): Promise<Taken> => Promise.reject(new TypeError('x is not a function'));
  for (let n = 0; n < 9; n++) await handle(record(1), broken);
  t.same(letters, []);
  await handle(record(1), broken);
  t.match(letters, [{ headers: { reason: 'FAULT', detail: 'it broke again and again' } }]);
});

t.test('what follows and fails brings its record back; what fails for ever does not stay for ever', async (t) => {
  const { handle, logged, letters, consumer } = world();
  for (let n = 0; n < 9; n++) {
    await handle(record(3), async () => ({ effect: 'taken', follows: Promise.reject(new Error('no')) }));
    await untilTime(() => logged.filter((one) => one === 'seek 0 3').length === n + 1);
    t.same(ready({ consumer }), []);
  }
  await handle(record(3), async () => ({ effect: 'taken', follows: Promise.reject(new Error('no')) }));
  await untilTime(() => ready({ consumer })[0] === '4');
  t.match(letters, [{ headers: { reason: 'FAULT' } }]);
});

t.test(
  'without a broker for dead letters the record waits; an oversized one is dead-lettered without its bytes',
  async (t) => {
    let down = true;
    const { handle, logged, letters } = world(async ([letter]) => {
      if (down) throw new NotSent('away', true);
      if (letter!.value) throw new NotSent('too large', false);
    });
    const invalid = () => Promise.reject(new InvalidRecord('NO_TENANT', 'none'));
    await handle(record(1), invalid);
    t.same(logged.slice(0, 2), ['pause 0', 'seek 0 1']);
    down = false;
    await handle(record(1), invalid);
    t.match(letters, [
      { value: null, headers: { reason: 'NO_TENANT', valueLeftOut: /^1 bytes/, originalOffset: '1' } },
    ]);
  },
);

t.test('a process that goes begins no further record', async (t) => {
  const { handle, consumer } = world();
  consumer.end();
  await handle(record(1), done);
  t.same(ready({ consumer }), []);
});

t.test('reading never throws', async (t) => {
  const failure = new EventFailure('SCHEMA_NOT_FOUND', 'no answer');
  const codec = { encode: () => Promise.reject(failure), decode: () => Promise.reject(failure) };
  const { data } = await new AvroDeserializer(codec).deserialize(record(1));
  t.same(data.reading, { failure });
  const other = await new AvroDeserializer(codec).deserialize({ ...record(1), topic: 'another' });
  t.ok('failure' in other.data.reading);
  const tests = { ...record(1), headers: { test: Buffer.from('true') } };
  t.same((await new AvroDeserializer(codec).deserialize(tests)).data.reading, { test: true });
});
