import t from 'tap';

import { eventTypeOf, type Topic, TOPIC_NAMES, TOPICS } from '../rules/topics.ts';
import { type RecordSchema, registeredSchemas, schemaOf, orphanFiles } from './event-schemas.ts';
import { schemaFaults } from './schema-check.ts';
import { parseSchema } from './schema-compatibility.ts';

/** `reservation.created` is written as `ReservationCreatedEvent`. */
function recordNameOf(topic: Topic): string {
  const words = topic.split('.').map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

const created = (): RecordSchema => schemaOf('reservation.created');
const kinds = (schema: RecordSchema): string[] => [
  ...new Set(
    schemaFaults('reservation.created', schema, registeredSchemas('reservation.created')).map(({ kind }) => kind),
  ),
];

void t.test('every topic is as it is registered, under the version that we write', async (t) => {
  t.same(orphanFiles(), []);
  for (const topic of TOPIC_NAMES) {
    const registered = registeredSchemas(topic);
    t.same(schemaFaults(topic, schemaOf(topic), registered), [], topic);
    t.equal(registered.length, TOPICS[topic].version, topic);
    // Each against those before it, in case one was added by hand that breaks the rules.
    for (const [index, schema] of registered.entries())
      t.notOk(
        schemaFaults(topic, schema, registered.slice(0, index)).some(({ kind }) => kind === 'broken'),
        topic,
      );
  }
});

void t.test('every record begins with the envelope, and is named after its topic', async (t) => {
  for (const topic of TOPIC_NAMES) {
    const { name, fields } = schemaOf(topic);
    t.equal(name, recordNameOf(topic));
    t.same(fields.slice(0, 4), [
      { name: 'eventId', type: 'string' },
      { name: 'eventType', type: 'string' },
      { name: 'timestamp', type: { type: 'long', logicalType: 'timestamp-millis' } },
      { name: 'version', type: 'int' },
    ]);
    t.doesNotThrow(() => parseSchema(JSON.stringify(schemaOf(topic))));
    t.ok(
      fields.some((field) => field.name === 'tenantId'),
      `${topic} may name its tenant`,
    );
    // A payment is identified by its own id.
    const where = topic === 'payment.processed' ? 'paymentId' : 'propertyId';
    t.ok(
      fields.some((field) => field.name === where),
      `${topic} names its ${where}`,
    );
  }
  t.equal(eventTypeOf('competitor.rates.updated'), 'COMPETITOR_RATES_UPDATED');
});

void t.test('version 1 of reservation.created is the record that was registered first', async (t) => {
  const [first] = registeredSchemas('reservation.created');
  t.equal(first?.name, 'ReservationCreatedEvent');
  const rest = first!.fields.slice(4).map(({ name, type }) => [name, type]);
  const texts = 'reservationId guestId propertyId roomTypeId checkInDate checkOutDate totalAmount status'.split(' ');
  t.same(rest, [...texts.map((name) => [name, 'string']), ['numberOfGuests', 'int']]);
});

void t.test('a field may be added with a default, and is then reported as unregistered', async (t) => {
  const more = created();
  more.fields.push({ name: 'mood', type: ['null', 'string'], default: null });
  t.same(kinds(more), ['unregistered']);
});

void t.test('a change that breaks a reader is rejected', async (t) => {
  const change = (edit: (schema: RecordSchema) => void): RecordSchema => {
    const schema = created();
    edit(schema);
    return schema;
  };
  const breaks: Record<string, RecordSchema> = {
    'a field without a default': change(({ fields }) => void fields.push({ name: 'mood', type: 'string' })),
    'a field that is gone': change((schema) => void schema.fields.pop()),
    'another type': change(({ fields }) => void (fields[4]!.type = 'int')),
    'another name of a field': change(({ fields }) => void (fields[4]!.name = 'bookingId')),
    'another name of the record': change((schema) => void (schema.name = 'BookingCreatedEvent')),
  };
  for (const [what, schema] of Object.entries(breaks)) t.same(kinds(schema), ['broken'], what);
});
