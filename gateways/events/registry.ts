import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';

import { REGISTRY_TYPE, RegistryFault } from '../../src/events/contracts/registry.ts';
import { hindrances, levelOf } from '../../src/events/operations/check-schema.ts';
import { schemaById, versionOf, versionsOf } from '../../src/events/operations/find-schema.ts';
import { canonicalSchema, lookUpSchema, registerSchema } from '../../src/events/operations/register-schema.ts';
import type { RegisteredVersion, RegistryStore } from '../../src/events/ports.ts';
import { COMPATIBILITY_LEVELS } from '../../src/events/rules/compatibility-level.ts';
import type { Log } from '../../src/kernel/ports.ts';
import type { AcceptWatch } from '../http/admission/accept-watch.ts';
import { boundConnections } from '../http/admission/connection-bound.ts';

const BODY_BYTES = 512 * 1024;
const SUBJECT_CHARACTERS = 255;

const schemaBody = z.object({
  schema: z.string(),
  schemaType: z.literal('AVRO').optional(),
  references: z.array(z.unknown()).max(0).optional(),
});
const levelBody = z.object({ compatibility: z.string() });
const levels = z.enum(COMPATIBILITY_LEVELS);

type Params = Record<'subject' | 'version' | 'id', string>;
type Query = Record<string, string | undefined>;

/**
 * The embedded schema registry: Confluent's REST interface as far as its clients use it
 * (docs/concepts/events.md#schemas), without references between schemas and without deletion. Listens on 127.0.0.1
 * only, since it has no authentication; browser pages cannot write, because they may not send these media types.
 */
export async function startRegistry(
  store: RegistryStore,
  port: number,
  log: Log,
  { connections = Infinity, watch }: { connections?: number; watch?: AcceptWatch } = {},
): Promise<AsyncDisposable & { url: string }> {
  const app = fastify({ bodyLimit: BODY_BYTES, routerOptions: { maxParamLength: SUBJECT_CHARACTERS * 3 } });
  boundConnections(app.server, connections);
  watch?.add('registry', app.server);
  speak(app, log);
  schemas(app, store);
  subjects(app, store);
  compatibility(app, store);
  const url = await app.listen({ port, host: '127.0.0.1' });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}

/** Media types and errors as Confluent's clients expect them. */
function speak(app: FastifyInstance, log: Log): void {
  app.removeAllContentTypeParsers();
  const json = ['application/vnd.schemaregistry.v1+json', 'application/vnd.schemaregistry+json', 'application/json'];
  app.addContentTypeParser(json, { parseAs: 'string' }, (_request, body, done) => {
    try {
      // Clients send the media type without a body too, as with DELETE.
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(new RegistryFault('WRONG_BODY', 'The body is no JSON.'));
    }
  });
  app.addHook('onSend', async (_request, reply) => void reply.header('content-type', REGISTRY_TYPE));
  app.setNotFoundHandler(() => {
    throw new RegistryFault('NO_ROUTE', 'HTTP 404 Not Found');
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof RegistryFault)
      return reply.code(error.status).send({ error_code: error.errorCode, message: error.message });
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error_code: status, message: error.message });
    log.error({ error: error.message }, 'the schema registry could not answer');
    return reply.code(500).send({ error_code: 50001, message: 'Error in the backend data store' });
  });
}

function schemas(app: FastifyInstance, store: RegistryStore): void {
  const id = (request: FastifyRequest): string => (request.params as Params).id;
  app.get('/', async () => ({}));
  app.get('/schemas/types', async () => ['AVRO']);
  app.get('/schemas/ids/:id', async (request) => ({ schema: await schemaById(store, id(request)) }));
  app.get('/schemas/ids/:id/schema', async (request, reply) => raw(reply, await schemaById(store, id(request))));
  app.get('/schemas/ids/:id/versions', async (request) => {
    await schemaById(store, id(request));
    return store.usesOf(Number(id(request)));
  });
}

function subjects(app: FastifyInstance, store: RegistryStore): void {
  app.get('/subjects', async (request) => {
    const { subjectPrefix = '' } = request.query as Query;
    return (await store.subjects()).filter((subject) => subject.startsWith(subjectPrefix));
  });
  app.get('/subjects/:subject/versions', async (request) =>
    (await versionsOf(store, subjectOf(request))).map(({ version }) => version),
  );
  app.get('/subjects/:subject/versions/:version', async (request) => shown(await one(store, request)));
  app.get('/subjects/:subject/versions/:version/schema', async (request, reply) =>
    raw(reply, (await one(store, request)).schema),
  );
  app.post('/subjects/:subject/versions', async (request) => {
    const { id } = await registerSchema(store, subjectOf(request), schemaIn(request));
    return { id };
  });
  app.post('/subjects/:subject', async (request) =>
    shown(await lookUpSchema(store, subjectOf(request), schemaIn(request))),
  );
}

function compatibility(app: FastifyInstance, store: RegistryStore): void {
  app.post('/compatibility/subjects/:subject/versions/:version', async (request) => {
    const subject = subjectOf(request);
    const schema = canonicalSchema(schemaIn(request));
    // The first version of a subject is always compatible, as in Confluent's registry.
    const first = (request.params as Params).version === 'latest' && (await store.versions(subject)).length === 0;
    const versions = first ? [] : [await one(store, request)];
    const messages = await hindrances(store, { subject, schema, versions });
    const verbose = (request.query as Query)['verbose'] === 'true';
    return { is_compatible: messages.length === 0, ...(verbose && { messages }) };
  });
  app.get('/config', async () => ({ compatibilityLevel: await levelOf(store, '') }));
  app.get('/config/:subject', async (request) => {
    const subject = subjectOf(request);
    const own = await store.level(subject);
    const usual = (request.query as Query)['defaultToGlobal'] === 'true';
    if (own === undefined && !usual)
      throw new RegistryFault(
        'NO_CONFIG',
        `Subject '${subject}' does not have subject-level compatibility configured`,
      );
    return { compatibilityLevel: own ?? (await levelOf(store, subject)) };
  });
  const setLevel = async (subject: string, request: FastifyRequest): Promise<{ compatibility: string }> => {
    const { compatibility } = bodyOf(levelBody, request);
    const level = levels.safeParse(compatibility.toUpperCase());
    if (!level.success)
      throw new RegistryFault(
        'WRONG_LEVEL',
        `Invalid compatibility level. Valid values are ${levels.options.join(', ')}`,
      );
    await store.setLevel(subject, level.data);
    return { compatibility: level.data };
  };
  app.put('/config', (request) => setLevel('', request));
  app.put('/config/:subject', (request) => setLevel(subjectOf(request), request));
}

const one = (store: RegistryStore, request: FastifyRequest): Promise<RegisteredVersion> =>
  versionOf(store, subjectOf(request), (request.params as Params).version);

const shown = ({ subject, version, id, schema }: RegisteredVersion): RegisteredVersion => ({
  subject,
  version,
  id,
  schema,
});

/** Sends a schema as a document, not as a string within JSON. */
function raw(reply: FastifyReply, schema: string): FastifyReply {
  return reply.send(schema);
}

const schemaIn = (request: FastifyRequest): string => bodyOf(schemaBody, request).schema;

/** The empty subject is the global one, which has its own path. */
function subjectOf(request: FastifyRequest): string {
  const { subject } = request.params as Params;
  if (subject.length >= 1 && subject.length <= SUBJECT_CHARACTERS && !subject.includes('\0')) return subject;
  throw new RegistryFault('NO_SUBJECT', `A subject has 1 to ${SUBJECT_CHARACTERS} characters.`);
}

function bodyOf<T>(schema: z.ZodType<T>, { body }: FastifyRequest): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new RegistryFault('WRONG_BODY', `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'wrong'}`);
}
