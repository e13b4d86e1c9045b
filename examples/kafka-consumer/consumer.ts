import { SchemaRegistry } from '@kafkajs/confluent-schema-registry';
import { type EachMessagePayload, Kafka, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092', SCHEMA_REGISTRY_URL = 'http://127.0.0.1:8081' } = process.env;
const { GROUP = 'example-consumer', TOPICS = 'reservation.created,reservation.cancelled' } = process.env;
/** Properties whose position is remembered. A database would remember all of them, in the transaction of the effect. */
const MAX_PROPERTIES = 10_000;

type Position = { generation: number; seq: number; events: Set<string> };
type ReservationEvent = { eventId: string; eventType: string; reservationId: string };

const kafka = new Kafka({ clientId: GROUP, brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.ERROR });
const registry = new SchemaRegistry({ host: SCHEMA_REGISTRY_URL });
const consumer = kafka.consumer({ groupId: GROUP });
const positions = new Map<string, Position>();

/**
 * Whether a record is new. Records come at least once, and in order per property and topic: what is behind the position
 * was there before. A change may have several events of one number.
 */
function isNew(place: string, generation: number, seq: number, eventId: string): boolean {
  const last = positions.get(place);
  const step = last === undefined ? 1 : generation - last.generation || seq - last.seq;
  if (last && (step < 0 || (step === 0 && last.events.has(eventId)))) return false;
  const events = step === 0 && last ? last.events : new Set<string>();
  positions.delete(place);
  positions.set(place, { generation, seq, events: events.add(eventId) });
  const [oldest] = positions.keys();
  if (positions.size > MAX_PROPERTIES && oldest !== undefined) positions.delete(oldest);
  return true;
}

/** Takes a record; its offset is committed after that, so a program that dies takes it again. */
async function take({ topic, message: { key, value, headers = {} } }: EachMessagePayload): Promise<void> {
  // A test of the installation concerns nobody.
  if (!value || headers['test'] !== undefined) return;
  const { eventId, eventType, reservationId } = (await registry.decode(value)) as ReservationEvent;
  const [generation, seq] = [Number(headers['generation']), Number(headers['seq'])];
  if (!isNew(`${topic} ${key?.toString()}`, generation, seq, eventId)) return;
  const propertyId = headers['propertyId']?.toString();
  process.stdout.write(`${JSON.stringify({ eventType, propertyId, generation, seq, reservationId })}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void consumer.disconnect());

await consumer.connect();
await consumer.subscribe({ topics: TOPICS.split(','), fromBeginning: true });
await consumer.run({ eachMessage: take });
process.stderr.write('reading\n');
