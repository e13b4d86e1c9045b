import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Day } from '../../src/kernel/rules/dates.ts';
import {
  declareParameterTypes,
  explainOperations,
  operationIdOf,
  problemResponses,
  problemSchema,
} from './described.ts';
import { withExamples } from './document-examples.ts';
import { TAGS, tokenGuide } from './document-texts.ts';
import { serveSwaggerPage } from './swagger-page.ts';

export type DocsSettings = {
  title: string;
  description: string;
  /** Issuer of tokens, for its discovery document. */
  issuer: string;
  /** Whether tokens come from the embedded issuer. */
  development: boolean;
  /** The service's date: example dates lie ahead of it. */
  today(): Day;
  /** Public address of the service, when it differs from that of the document. */
  publicUrl?: string | undefined;
};

/**
 * Serves the OpenAPI 3.1 document at `/v3/api-docs` and `/v3/api-docs.yaml`, and the interactive page at
 * `/swagger-ui/index.html` (docs/reference/api.md#api). Must be called before `listen`; the document is built at the
 * first request.
 */
export function setUpDocs(app: NestFastifyApplication, settings: DocsSettings): void {
  declareParameterTypes(app);
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  keepTexts(fastify, ['/v3/api-docs', '/v3/api-docs.yaml'], settings.today);
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('swagger-ui', app, () => (document ??= describeApi(app, settings)), {
    ui: false,
    jsonDocumentUrl: 'v3/api-docs',
    yamlDocumentUrl: 'v3/api-docs.yaml',
    patchDocumentOnRequest: (_request, _reply, described) => withExamples(described, settings.today()),
  });
  serveSwaggerPage(fastify, settings.title);
}

/**
 * Caches these documents for a day, whose dates are in the examples: they are public, and writing the YAML takes 50
 * ms.
 */
function keepTexts(fastify: FastifyInstance, paths: readonly string[], today: () => Day): void {
  fastify.addHook('onRoute', (route) => {
    if (!paths.includes(route.url) || route.method !== 'GET') return;
    let cached: { text: string; type: string; day: Day } | undefined;
    route.preHandler = (_request, reply, done) => {
      if (cached?.day !== today()) done();
      else void reply.type(cached.type).send(cached.text);
    };
    route.onSend = (_request, reply, payload, done) => {
      const type = reply.getHeader('content-type');
      if (reply.statusCode === 200 && typeof payload === 'string' && typeof type === 'string')
        cached = { text: payload, type, day: today() };
      done();
    };
  });
}

/** Builds the document: bodies, queries and answers from zod schemas, problems and roles from decorators. */
export function describeApi(
  app: NestFastifyApplication,
  { title, description, issuer, development, publicUrl }: Omit<DocsSettings, 'today'>,
): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(`${description}\n\n${tokenGuide(development)}`)
    .setVersion('v1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addBasicAuth({ type: 'http', scheme: 'basic' }, 'basic')
    .addSecurity('oidc', {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    })
    .build();
  // Relative to the document: where it is, the service is.
  frame.servers = [{ url: publicUrl ?? '/' }];
  const document = SwaggerModule.createDocument(app, frame, {
    operationIdFactory: operationIdOf,
    standardSchemaConverter: toOpenApi,
  });
  const components = document.components ?? {};
  return {
    ...document,
    tags: tagsOf(document.paths),
    components: {
      ...components,
      schemas: { ...components.schemas, Problem: problemSchema },
      responses: { ...components.responses, ...problemResponses },
    },
    paths: named(explainOperations(app, document.paths, development)),
  };
}

/** Used tags in order of use. */
function tagsOf(paths: OpenAPIObject['paths']): NonNullable<OpenAPIObject['tags']> {
  const used = new Set(operationsOf(paths).flatMap((operation) => operation.tags ?? []));
  return [...TAGS].flatMap(([controller, tag]) => (used.has(controller) ? [tag] : []));
}

/** Tags operations by subject instead of by controller name. */
function named(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  for (const operation of operationsOf(paths)) {
    operation.tags = operation.tags?.map((controller) => TAGS.get(controller)?.name ?? controller);
  }
  return paths;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

function operationsOf(paths: OpenAPIObject['paths']): Operation[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).filter(
      (one: unknown): one is Operation => typeof one === 'object' && one !== null && 'operationId' in one,
    ),
  );
}

/** zod writes JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
function toOpenApi(schema: unknown, { schemaType }: { schemaType: 'input' | 'output' }) {
  if (!(schema instanceof z.ZodType)) return undefined;
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io: schemaType,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return { schema: rest, components: { ...$defs } };
}
