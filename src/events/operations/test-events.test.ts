import t from 'tap';

import { KnownSchemas } from '../../testing/events.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { NOW } from '../../testing/property-world.ts';
import { AvroCodec } from '../partners/avro-codec.ts';
import { type EventSender, NotSent, type OutgoingRecord } from '../ports.ts';
import { EventFailure } from '../rules/event-failure.ts';
import { TestEvents } from './test-events.ts';

const codec = new AvroCodec(new KnownSchemas());
const urls = { registryUrl: 'http://registry:8081', topicsUrl: 'http://ui:8080' };

function events(sender?: EventSender, other: Partial<ConstructorParameters<typeof TestEvents>[0]> = {}): TestEvents {
  return new TestEvents({ codec, sender, ...urls, clock: new FakeClock(), withinMs: 50, ...other });
}

t.test('a test event is marked for consumers to ignore, and the answer says where it is', async (t) => {
  const sent: OutgoingRecord[] = [];
  const tests = events({ send: async (records) => void sent.push(...records) });
  const answer = await tests.publish();
  t.match(answer, {
    status: 'SUCCESS',
    message: /acknowledged/,
    topic: 'reservation.created',
    checkKafkaUI: urls.topicsUrl,
    checkSchemaRegistry: 'http://registry:8081/subjects/reservation.created-value/versions/latest',
  });
  t.match(sent, [{ topic: 'reservation.created', headers: { test: 'true' } }]);
  t.match(await codec.decode('reservation.created', sent[0]!.value!), {
    value: {
      eventId: answer.eventId,
      timestamp: NOW,
      tenantId: null,
      version: 2,
      reservationId: '00000000-0000-0000-0000-000000000000',
    },
  });
  t.not((await tests.publish()).eventId, answer.eventId);
});

t.test('without brokers it is written with its schema and stored, newest first and bounded', async (t) => {
  const tests = events();
  for (let n = 0; n < 25; n++) await tests.publish();
  const { eventId, message } = await tests.publish();
  t.match(message, /kept here/);
  t.equal(tests.recent.length, 20);
  t.match(tests.recent[0], { read: { value: { eventId } } });
});

t.test('an unreachable broker or registry is reported with a text of EVENT_FAILURES', async (t) => {
  const refused = async (tests: TestEvents, message: RegExp): Promise<void> =>
    void (await t.rejects(tests.publish(), { code: 'PARTNER_UNAVAILABLE', message }));
  await refused(
    events({ send: async () => Promise.reject(new NotSent('nobody there', true)) }),
    /brokers did not take/,
  );
  await refused(events({ send: () => new Promise(() => {}) }), /in time/);
  const cause = new EventFailure('SCHEMA_NOT_FOUND', 'http://hidden:8081 is away');
  const failing = (failure: EventFailure) => ({
    codec: { encode: async () => Promise.reject(failure) } as never,
  });
  await refused(
    events(undefined, failing(new EventFailure('NOT_SERIALIZED', 'hidden', { cause }))),
    /^Failed to serialize event: set all .* Schema not found: ensure the registry is running and its URL is configured\.$/,
  );
  await refused(
    events(undefined, failing(new EventFailure('SCHEMA_INCOMPATIBLE', 'hidden'))),
    /^Schema being registered is incompatible: follow the rules in 6\.4: .+\.$/,
  );
});
