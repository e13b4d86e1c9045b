import type * as Confluent from '@kafkajs/confluent-schema-registry';
import { createRequire } from 'node:module';
import { pino } from 'pino';
import t, { type Test } from 'tap';

import { schemaOf, type RecordSchema } from '../../src/events/contracts/event-schemas.ts';
import { RegistryClient } from '../../src/events/partners/registry-client.ts';
import { TOPIC_NAMES } from '../../src/events/rules/topics.ts';
import { databaseRegistryStore } from '../../src/events/storage/registry-store.ts';
import { connect } from '../../src/platform/database/connection.ts';
import { ReconnectingClient } from '../../src/platform/database/reconnecting-client.ts';
import { withTestDatabase } from '../../src/testing/database.ts';
import { servicesOrSkip } from '../../test/services/needed.ts';
import { startRegistry } from './registry.ts';

const { SchemaRegistry, SchemaType } = createRequire(import.meta.url)(
  '@kafkajs/confluent-schema-registry',
) as typeof Confluent;

const TYPE = 'application/vnd.schemaregistry.v1+json';

type Answer = { status: number; type: string | null; body: Record<string, unknown> & unknown[] };

/** A registry, and a subject of its own for each behaviour: a real one keeps what it was given before. */
class Asked {
  readonly url: string;
  readonly name: string;
  readonly subject: string;

  constructor(url: string, number: number) {
    this.url = url;
    this.name = `Conform${process.pid}x${Date.now()}x${number}`;
    this.subject = `${this.name}-value`;
  }

  /** A record with a field `id`, and more. */
  record(...fields: object[]): { type: string; name: string; fields: object[] } {
    return { type: 'record', name: this.name, fields: [{ name: 'id', type: 'string' }, ...fields] };
  }

  get optional(): object {
    return this.record({ name: 'note', type: ['null', 'string'], default: null });
  }

  get demanding(): object {
    return this.record({ name: 'must', type: 'string' });
  }

  /** `:s` stands for the subject. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}${path.replace(':s', this.subject)}`, {
      method,
      headers: { accept: TYPE, 'content-type': TYPE },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const read = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: (read === '' ? {} : JSON.parse(read)) as Answer['body'],
    };
  }

  get = (path: string): Promise<Answer> => this.ask('GET', path);
  post = (path: string, schema: object): Promise<Answer> => this.ask('POST', path, text(schema));
  register = (schema: object): Promise<Answer> => this.post('/subjects/:s/versions', schema);
}

const text = (schema: object): { schema: string } => ({ schema: JSON.stringify(schema) });
const refused = (status: number, error_code: number): object => ({ status, body: { error_code, message: String } });

/** What clients may rely on (docs/concepts/events.md#schemas), each by itself. */
const BEHAVIOURS: Record<string, (t: Test, at: Asked) => Promise<unknown>> = {
  'a schema is registered once, under the media type of the interface': async (t, at) => {
    const made = await at.register(at.record());
    t.equal(made.status, 200);
    t.match(made.type, /application\/vnd\.schemaregistry\.v1\+json/);
    t.type(made.body['id'], 'number');
    t.match((await at.register(at.record())).body, { id: made.body['id'] });
    t.same((await at.get('/subjects/:s/versions')).body, [1]);
  },
  'a schema has one id under every subject': async (t, at) => {
    const { body } = await at.register(at.record());
    t.match((await at.post(`/subjects/${at.name}-other/versions`, at.record())).body, { id: body['id'] });
  },
  'blanks make no other schema': async (t, at) => {
    const { body } = await at.register(at.record());
    const again = await at.ask('POST', '/subjects/:s/versions', { schema: JSON.stringify(at.record(), null, 2) });
    t.match(again.body, { id: body['id'] });
  },
  'a subject is listed, and its versions are counted from 1': async (t, at) => {
    await at.register(at.record());
    await at.register(at.optional);
    t.ok((await at.get('/subjects')).body.includes(at.subject));
    t.same((await at.get('/subjects/:s/versions')).body, [1, 2]);
  },
  'a version is found by its number, and the last one as `latest`': async (t, at) => {
    const first = (await at.register(at.record())).body['id'];
    const second = (await at.register(at.optional)).body['id'];
    const one = await at.get('/subjects/:s/versions/1');
    t.match(one.body, { subject: at.subject, version: 1, id: first });
    t.same(JSON.parse(String(one.body['schema'])), at.record());
    t.match((await at.get('/subjects/:s/versions/latest')).body, { subject: at.subject, version: 2, id: second });
    t.same((await at.get('/subjects/:s/versions/2/schema')).body, at.optional);
  },
  'a schema is found by its id, and so is where it is used': async (t, at) => {
    const id = (await at.register(at.record())).body['id'];
    t.same(JSON.parse(String((await at.get(`/schemas/ids/${id}`)).body['schema'])), at.record());
    t.same((await at.get(`/schemas/ids/${id}/schema`)).body, at.record());
    t.match((await at.get(`/schemas/ids/${id}/versions`)).body, [{ subject: at.subject, version: 1 }]);
  },
  'a schema is looked up in its subject': async (t, at) => {
    t.match(await at.post('/subjects/:s', at.record()), { status: 404 });
    const { body } = await at.register(at.record());
    t.match((await at.post('/subjects/:s', at.record())).body, { subject: at.subject, version: 1, id: body['id'] });
    t.match(await at.post('/subjects/:s', at.optional), refused(404, 40403));
  },
  'what is not there is refused with 40401, 40402 or 40403': async (t, at) => {
    t.match(await at.get('/subjects/:s/versions'), refused(404, 40401));
    t.match(await at.get('/subjects/:s/versions/latest'), refused(404, 40401));
    t.match(await at.get('/schemas/ids/99999999'), refused(404, 40403));
    await at.register(at.record());
    t.match(await at.get('/subjects/:s/versions/7'), refused(404, 40402));
  },
  'what is no schema is refused with 42201': async (t, at) => {
    t.match(await at.register({ type: 'nonsense' }), refused(422, 42201));
    t.match(await at.ask('POST', '/subjects/:s/versions', { schema: 'x' }), refused(422, 42201));
  },
  'a version that is no number is refused with 42202': async (t, at) => {
    await at.register(at.record());
    t.match(await at.get('/subjects/:s/versions/soon'), refused(422, 42202));
  },
  'a schema is checked without being registered': async (t, at) => {
    await at.register(at.record());
    await at.ask('PUT', '/config/:s', { compatibility: 'BACKWARD' });
    const check = (schema: object, version = 'latest') =>
      at.post(`/compatibility/subjects/:s/versions/${version}`, schema);
    t.match(await check(at.optional), { status: 200, body: { is_compatible: true } });
    t.match(await check(at.demanding), { status: 200, body: { is_compatible: false } });
    t.match(await check(at.demanding, '1'), { status: 200, body: { is_compatible: false } });
    t.match(await check(at.demanding, '7'), refused(404, 40402));
    t.same((await at.get('/subjects/:s/versions')).body, [1]);
  },
  'anything may become the first version of a subject': async (t, at) => {
    const checked = await at.post('/compatibility/subjects/:s/versions/latest', at.record());
    t.match(checked, { status: 200, body: { is_compatible: true } });
  },
  'a schema that cannot read what was written is refused with 409': async (t, at) => {
    await at.register(at.record());
    await at.ask('PUT', '/config/:s', { compatibility: 'BACKWARD' });
    t.match(await at.register(at.demanding), refused(409, 409));
    t.equal((await at.register(at.optional)).status, 200);
  },
  'a subject is BACKWARD unless somebody says otherwise': async (t, at) => {
    t.match(await at.get('/config'), { status: 200, body: { compatibilityLevel: 'BACKWARD' } });
    await at.register(at.record());
    t.match(await at.register(at.demanding), refused(409, 409));
  },
  'the level of a subject is set and returned': async (t, at) => {
    await at.register(at.record());
    t.equal((await at.ask('PUT', '/config/:s', { compatibility: 'FORWARD' })).status, 200);
    t.match(await at.get('/config/:s'), { status: 200, body: { compatibilityLevel: 'FORWARD' } });
    t.equal((await at.register(at.demanding)).status, 200, 'who reads the old one can read it');
  },
  'the level of all subjects is set and returned': async (t, at) => {
    t.equal((await at.ask('PUT', '/config', { compatibility: 'FULL' })).status, 200);
    t.match(await at.get('/config'), { body: { compatibilityLevel: 'FULL' } });
    await at.ask('PUT', '/config', { compatibility: 'BACKWARD' });
  },
  'NONE takes anything': async (t, at) => {
    await at.register(at.record());
    await at.ask('PUT', '/config/:s', { compatibility: 'NONE' });
    t.equal((await at.register(at.demanding)).status, 200);
  },
  'a level is answered under the name that it was given with': async (t, at) => {
    await at.register(at.record());
    t.match((await at.ask('PUT', '/config/:s', { compatibility: 'FULL' })).body, { compatibility: 'FULL' });
  },
  'a level that is none is refused with 42203': async (t, at) => {
    await at.register(at.record());
    t.match(await at.ask('PUT', '/config/:s', { compatibility: 'SOMETIMES' }), refused(422, 42203));
  },
  'a subject without a level of its own gets 40408': async (t, at) => {
    t.match(await at.get('/config/:s'), refused(404, 40408));
    t.match((await at.get('/config/:s?defaultToGlobal=true')).body, { compatibilityLevel: 'BACKWARD' });
  },
  'subjects are found by how they begin': async (t, at) => {
    await at.register(at.record());
    t.same((await at.get(`/subjects?subjectPrefix=${at.name}`)).body, [at.subject]);
  },
  '@kafkajs/confluent-schema-registry writes and reads with it': async (t, at) => {
    const client = new SchemaRegistry({ host: at.url });
    const schema = JSON.stringify({ ...at.record(), namespace: 'conform' });
    const given = { type: SchemaType.AVRO, schema } as const;
    const { id } = await client.register(given, { subject: at.subject });
    t.match(await client.register(given, { subject: at.subject }), { id });
    t.equal(await client.getLatestSchemaId(at.subject), id);
    t.equal(await client.getRegistryId(at.subject, 1), id);
    t.equal(await client.getRegistryIdBySchema(at.subject, given), id);
    t.same(
      { ...(await new SchemaRegistry({ host: at.url }).decode(await client.encode(id, { id: 'one' }))) },
      { id: 'one' },
    );
  },
  'our client registers every event, the oldest version first': async (t, at) => {
    const client = new RegistryClient(at.url);
    for (const topic of TOPIC_NAMES) {
      const id = await client.idOf(topic);
      t.equal(await client.register(topic), id, `${topic} again`);
      const written = JSON.parse((await client.schemaOf(id))!) as RecordSchema;
      t.same(
        written.fields.map(({ name }) => name),
        schemaOf(topic).fields.map(({ name }) => name),
      );
    }
    t.equal(await client.schemaOf(99_999_999), undefined);
    t.match((await at.get('/subjects/reservation.created-value/versions/latest')).body, { version: 2 });
    t.match((await at.get('/config/reservation.created-value')).body, { compatibilityLevel: 'BACKWARD' });
  },
};

/** Where Apicurio differs from Confluent's registry, which ours follows: not tested, and why. */
const APICURIO_DIFFERS: Record<string, string> = {
  'NONE takes anything': 'takes it for no level at all, so that the level of all subjects holds',
  'blanks make no other schema': 'compares texts, and its canonical hash is off by default',
  'a version that is no number is refused with 42202': 'answers 40402',
  'a level is answered under the name that it was given with': 'answers `compatibilityLevel` to PUT as well',
  'a level that is none is refused with 42203': 'answers 500',
  'a subject without a level of its own gets 40408': 'answers 40401, and the usual level once it exists',
  'subjects are found by how they begin': 'lists all of them',
};

async function conforms(t: Test, url: string, differs: Record<string, string> = {}): Promise<void> {
  for (const [index, [name, behaviour]] of Object.entries(BEHAVIOURS).entries())
    if (name in differs) t.comment(`not so: ${name} (${differs[name]})`);
    else await t.test(name, async (t) => void (await behaviour(t, new Asked(url, index))));
}

void t.test('the embedded registry', async (t) => {
  const database = await withTestDatabase(t);
  const client = new ReconnectingClient(() => connect(database.url, 'innkeeper_system'));
  t.teardown(async () => client[Symbol.asyncDispose]());
  const registry = await startRegistry(
    databaseRegistryStore(() => client.client()),
    0,
    pino({ level: 'silent' }),
  );
  t.teardown(() => registry[Symbol.asyncDispose]());
  await conforms(t, registry.url);
});

void t.test('a real registry', async (t) => {
  const real = servicesOrSkip(t, ['registry']);
  if (real !== undefined) await conforms(t, real.registry, APICURIO_DIFFERS);
});
