import type { Ajv as AjvClass } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { createRequire } from 'node:module';
import t from 'tap';

import { schemaOf } from '../../events/contracts/event-schemas.ts';
import { TOPIC_NAMES } from '../../events/rules/topics.ts';
import { asyncApi } from './asyncapi.ts';

type Node = Record<string, unknown>;
const document = asyncApi({ brokers: ['broker:9092'], live: { host: '127.0.0.1:8085', protocol: 'ws' } });

/** Target of a reference. */
function found(ref: string): unknown {
  const path = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.reduce<unknown>((node, part) => (node as Node | undefined)?.[part], document);
}

function references(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  // Schemas of frames refer within themselves.
  return Object.entries(node).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [value] : name === 'payload' ? [] : references(value),
  );
}

const require = createRequire(import.meta.url);
const { Ajv } = require('ajv') as { Ajv: typeof AjvClass };
const addFormats = require('ajv-formats') as FormatsPlugin;

void t.test('the document is valid by the schema of AsyncAPI 3', async (t) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const valid = ajv.compile(require('@asyncapi/specs/schemas/3.0.0-without-$id.json') as object);
  valid(document);
  t.same(valid.errors ?? [], []);
  t.notOk(valid({ ...document, operations: { shout: { action: 'shout' } } }), 'and the schema refuses what is none');
});

void t.test('every reference in the document resolves', async (t) => {
  t.match(document['asyncapi'], /^3\.\d+\.\d+$/);
  t.match(document['info'], { title: String, version: String });
  const allowed = 'asyncapi id info servers defaultContentType channels operations components'.split(' ');
  for (const name of Object.keys(document)) t.ok(allowed.includes(name), name);
  for (const [name, server] of Object.entries(document['servers'] as Node))
    t.match(server, { host: String, protocol: /^(kafka|ws)$/ }, name);
  const refs = references(document);
  t.ok(refs.length > 30);
  for (const ref of refs) t.ok(found(ref), ref);
  for (const part of ['channels', 'operations', 'servers'])
    for (const name of Object.keys(document[part] as Node)) t.match(name, /^[\w.-]+$/);
  for (const [name, value] of Object.entries(document['operations'] as Record<string, Node>)) {
    t.match(value['action'], /^(send|receive)$/, name);
    const { $ref: channel } = value['channel'] as { $ref: string };
    for (const { $ref } of value['messages'] as { $ref: string }[])
      t.ok($ref.startsWith(`${channel}/messages/`), 'messages of an operation are those of its channel');
  }
});

void t.test('every topic is there with the schema that is written', async (t) => {
  for (const topic of TOPIC_NAMES) {
    const { messages } = (document['channels'] as Record<string, { messages: { event: { $ref: string } } }>)[topic]!;
    t.match(found(messages.event.$ref), { payload: { schemaFormat: /avro/, schema: schemaOf(topic) } });
  }
  const operations = Object.keys(document['operations'] as Node);
  for (const name of ['send-reservation-created', 'receive-availability-updated', 'receive-payment-processed'])
    t.ok(operations.includes(name), name);
  t.notOk(operations.includes('send-payment-processed'));
});

void t.test('without addresses it names none', async (t) => {
  const text = JSON.stringify(asyncApi({}));
  t.notMatch(text, /"servers"|127\.0\.0\.1|:9092/);
});

void t.test('the live protocol is there with its frames', async (t) => {
  const { payload } = found('#/components/messages/client') as { payload: Node };
  const text = JSON.stringify(payload);
  for (const frame of ['auth', 'subscribe', 'unsubscribe', 'resync', 'seek', 'live', 'ping'])
    t.match(text, `"const":"${frame}"`);
});
