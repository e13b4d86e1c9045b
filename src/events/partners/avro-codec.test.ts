import t from 'tap';

import { KnownSchemas } from '../../testing/events.ts';
import { schemaOf } from '../contracts/event-schemas.ts';
import { parseSchema } from '../contracts/schema-compatibility.ts';
import type { UnreadableReason, UnreadableRecord } from '../ports.ts';
import type { EventFailure } from '../rules/event-failure.ts';
import type { EventRecord, PublishedTopic } from '../rules/events.ts';
import { type Topic, TOPIC_NAMES } from '../rules/topics.ts';
import { AvroCodec } from './avro-codec.ts';

type Field = { name: string; type: unknown };
type Named = { type: string; fields?: Field[]; values?: unknown; logicalType?: string };

/** A value of every field of a schema, nullable ones null or not. */
function example(type: unknown, filled: boolean): unknown {
  if (Array.isArray(type)) return filled ? example(type[1], filled) : null;
  if (type === 'string') return 'text';
  if (type === 'int' || type === 'long') return 1_780_000_000;
  const named = type as Named;
  if (named.type === 'record')
    return Object.fromEntries(named.fields!.map(({ name, type }) => [name, example(type, filled)]));
  if (named.type === 'map') return { one: example(named.values, filled) };
  return 1_780_000_000_123;
}
const exampleOf = (topic: Topic, filled = true): Record<string, unknown> =>
  example(schemaOf(topic), filled) as Record<string, unknown>;

/** Any topic can be written here, also those that only others write. */
const record = (topic: Topic, value = exampleOf(topic)): EventRecord =>
  ({ topic: topic as PublishedTopic, key: 'acme:anchor', headers: {}, value }) as unknown as EventRecord;

const plainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

void t.test('every topic comes back as it was written, with and without what may be null', async (t) => {
  const codec = new AvroCodec(new KnownSchemas());
  for (const [index, topic] of TOPIC_NAMES.entries())
    for (const filled of [true, false]) {
      const value = exampleOf(topic, filled);
      const bytes = await codec.encode(record(topic, value));
      t.equal(bytes[0], 0);
      t.equal(bytes.readUInt32BE(1), index + 1, `${topic} carries the id of its schema`);
      t.same(plainly((await codec.decode(topic, bytes)).value), value, topic);
    }
});

void t.test('a record may be longer than most', async (t) => {
  const codec = new AvroCodec(new KnownSchemas());
  for (const length of [480, 510, 600, 70_000]) {
    const value = { ...exampleOf('reservation.cancelled'), reason: 'x'.repeat(length) };
    const bytes = await codec.encode(record('reservation.cancelled', value));
    t.same(plainly((await codec.decode('reservation.cancelled', bytes)).value), value, `${length} characters`);
  }
});

void t.test('records of other versions are read', async (t) => {
  const schemas = new KnownSchemas();
  const codec = new AvroCodec(schemas);
  const future = schemaOf('payment.processed');
  future.fields.splice(4, 0, { name: 'terminal', type: ['null', 'string'], default: null });
  const written = (schema: object, value: object): Buffer => {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(schemas.put(schema), 1);
    return Buffer.concat([header, parseSchema(JSON.stringify(schema)).toBuffer(value)]);
  };
  const value = exampleOf('payment.processed');
  const read = await codec.decode('payment.processed', written(future, { ...value, terminal: 'T1' }));
  t.same(plainly(read.value), value, 'a field that we do not know falls away');
  const [first] = [schemaOf('availability.updated')];
  const known = new Set(
    'eventId eventType timestamp version propertyId roomType date totalRooms blockedRooms'.split(' '),
  );
  const older = { ...first, fields: first.fields.filter(({ name }) => known.has(name)) };
  const whole = exampleOf('availability.updated');
  const least = Object.fromEntries(Object.entries(whole).filter(([name]) => known.has(name)));
  const filled = await codec.decode('availability.updated', written(older, least));
  t.match(plainly(filled.value), { ...least, origin: 'external', bookedRooms: null, tenantId: null });
});

const reasonOf = async (work: Promise<unknown>): Promise<UnreadableReason | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    return (error as UnreadableRecord).reason;
  }
};

void t.test('an unreadable record gives its reason', async (t) => {
  const schemas = new KnownSchemas();
  const codec = new AvroCodec(schemas);
  const topic = 'reservation.cancelled';
  const bytes = await codec.encode(record(topic));
  const read = (changed: Uint8Array): Promise<UnreadableReason | undefined> => reasonOf(codec.decode(topic, changed));
  for (let length = 0; length < bytes.length; length++)
    t.match(await read(bytes.subarray(0, length)), length <= 5 ? 'TOO_SHORT' : 'BROKEN_BYTES', `${length} bytes`);
  t.equal(await read(Buffer.concat([bytes, Buffer.from([1])])), 'BROKEN_BYTES', 'more than the record');
  const magic = Buffer.from(bytes);
  magic[0] = 1;
  t.equal(await read(magic), 'WRONG_MAGIC_BYTE');
  const unknown = Buffer.from(bytes);
  unknown.writeUInt32BE(77_777, 1);
  t.equal(await read(unknown), 'UNKNOWN_SCHEMA_ID');
  schemas.texts.set(77_777, JSON.stringify(schemaOf(topic)));
  t.equal(await read(unknown), undefined, 'it is looked up again: it may be registered later');
  const foreign = Buffer.from(bytes);
  foreign.writeUInt32BE(schemas.put(schemaOf('guest.checkedin')), 1);
  t.equal(await read(foreign), 'FOREIGN_SCHEMA');
  foreign.writeUInt32BE(schemas.put({ type: 'nonsense' }), 1);
  t.equal(await read(foreign), 'FOREIGN_SCHEMA', 'a schema that is none');
});

void t.test('an event with a wrong field is not written, and says which', async (t) => {
  const codec = new AvroCodec(new KnownSchemas());
  const failure = async (value: Record<string, unknown>): Promise<EventFailure> =>
    codec.encode(record('reservation.cancelled', value)).then(
      () => t.fail('it was written') as never,
      (error: EventFailure) => error,
    );
  const { reason: _, ...without } = exampleOf('reservation.cancelled');
  for (const [value, detail] of [
    [without, /reservation\.cancelled reason is not set/],
    [{ ...exampleOf('reservation.cancelled'), refundAmount: 12.5 }, /refundAmount is a number/],
  ] as const) {
    const failed = await failure(value);
    t.equal(failed.message, 'Failed to serialize event');
    t.equal(failed.remedy, 'set all required fields with correct types');
    t.match(failed.detail, detail);
  }
});
