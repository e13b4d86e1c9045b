import { z } from 'zod';

import { schemaOf } from '../../events/contracts/event-schemas.ts';
import { type Topic, TOPIC_NAMES, TOPICS } from '../../events/rules/topics.ts';
import { clientFrame, serverFrame } from './live.ts';

/** Addresses of the document's parts; absent where they are internal, as brokers in production. */
export type AsyncApiSettings = { brokers?: readonly string[]; live?: { host: string; protocol: 'ws' | 'wss' } };

const LIVE_DESCRIPTION = [
  'One JSON object a message; over socket.io the same objects are event `m` of namespace `/live`.',
  'The server closes with 1001 when it goes down, 1009 after a frame of more than 64 KB, 1013 for a client that reads too',
  'slowly or asks for too much (come again later), 4401 without a valid token, 4403 in a tenant that is not the',
  "caller's. What is beyond a limit is answered by an `error` frame with QUOTA_EXCEEDED, whose `retryAfterSeconds` says",
  'when it may be asked again.',
].join(' ');

type Reference = { $ref: string };
const to = (...path: string[]): Reference => ({
  $ref: `#/${path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
});

const AVRO = 'application/vnd.apache.avro+json;version=1.9.0';
/** `availability.updated` is published by this service and by others, so it is sent and received. */
const RECEIVED: ReadonlySet<Topic> = new Set<Topic>([
  'availability.updated',
  'reservation.created',
  'competitor.rates.updated',
  'payment.processed',
]);

/**
 * AsyncAPI 3 description of topics and live protocol (docs/reference/events.md#events), from the definitions that the
 * code uses.
 */
export function asyncApi({ brokers = [], live }: AsyncApiSettings): Record<string, unknown> {
  const server = jsonSchema(serverFrame, 'output');
  const client = jsonSchema(clientFrame, 'input');
  const kafka = Object.fromEntries(brokers.map((host, index) => [`kafka${index + 1}`, { host, protocol: 'kafka' }]));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Innkeeper events and live protocol',
      version: 'v1',
      description:
        'Events are Avro records in the wire format of Confluent, at least once, in order for each key; a reader drops by eventId.',
    },
    defaultContentType: 'application/json',
    ...((live !== undefined || brokers.length > 0) && { servers: { ...kafka, ...(live && { live }) } }),
    channels: {
      ...Object.fromEntries(TOPIC_NAMES.map((topic) => [topic, channelOf(topic, Object.keys(kafka))])),
      live: {
        address: '/ws/v1',
        description: LIVE_DESCRIPTION,
        ...(live && { servers: [to('servers', 'live')] }),
        messages: { client: to('components', 'messages', 'client'), server: to('components', 'messages', 'server') },
      },
    },
    operations: {
      ...Object.fromEntries(TOPIC_NAMES.flatMap(operationsOf)),
      receiveFrames: operation('receive', 'live', 'client'),
      sendFrames: operation('send', 'live', 'server'),
    },
    components: {
      messages: {
        ...Object.fromEntries(TOPIC_NAMES.map((topic) => [topic, messageOf(topic)])),
        client: { name: 'client', title: 'Frames of a client', payload: client },
        server: { name: 'server', title: 'Frames of the server', payload: server },
      },
      schemas: { headers: HEADERS },
    },
  };
}

const HEADERS = {
  type: 'object',
  properties: Object.fromEntries(
    ['tenantId', 'propertyId', 'seq', 'generation', 'requestId'].map((name) => [name, { type: 'string' }]),
  ),
};

function channelOf(topic: Topic, servers: readonly string[]): Record<string, unknown> {
  return {
    address: topic,
    ...(servers.length > 0 && { servers: servers.map((name) => to('servers', name)) }),
    messages: { event: to('components', 'messages', topic) },
  };
}

function messageOf(topic: Topic): Record<string, unknown> {
  const schema = schemaOf(topic);
  return {
    name: schema.name,
    title: topic,
    contentType: 'application/vnd.confluent.avro',
    headers: to('components', 'schemas', 'headers'),
    payload: { schemaFormat: AVRO, schema },
    bindings: { kafka: { key: { type: 'string', description: 'tenantId:propertyId' } } },
  };
}

function operationsOf(topic: Topic): [string, unknown][] {
  const name = topic.replaceAll('.', '-');
  const sent = TOPICS[topic].from === 'innkeeper';
  return [
    ...(sent ? [[`send-${name}`, operation('send', topic, 'event')] as [string, unknown]] : []),
    ...(RECEIVED.has(topic) ? [[`receive-${name}`, operation('receive', topic, 'event')] as [string, unknown]] : []),
  ];
}

function operation(action: 'send' | 'receive', channel: string, message: string): Record<string, unknown> {
  return { action, channel: to('channels', channel), messages: [to('channels', channel, 'messages', message)] };
}

/** AsyncAPI's own schema objects: draft 7. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-7', unrepresentable: 'any' });
  return rest;
}
