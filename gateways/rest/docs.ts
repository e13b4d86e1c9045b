import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  declareParameterTypes,
  explainOperations,
  operationIdOf,
  problemResponses,
  problemSchema,
} from './described.ts';

export type DocsSettings = {
  title: string;
  description: string;
  /** Issuer of the tokens, for its discovery document. */
  issuer: string;
};

/**
 * Serves the service's OpenAPI 3.1 description at `/v3/api-docs` and `/v3/api-docs.yaml`, and the interactive page at
 * `/swagger-ui/index.html` (contracts.md 10). To be called before `listen`; the document is built when first asked for.
 */
export function setUpDocs(app: NestFastifyApplication, settings: DocsSettings): void {
  declareParameterTypes(app);
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('swagger-ui', app, () => (document ??= describe(app, settings)), {
    jsonDocumentUrl: 'v3/api-docs',
    yamlDocumentUrl: 'v3/api-docs.yaml',
    customSiteTitle: settings.title,
  });
  app.getHttpAdapter().get('/swagger-ui.html', (_request: FastifyRequest, reply: FastifyReply) => {
    void reply.redirect('/swagger-ui/index.html', 302);
  });
}

/** The document itself: bodies, queries and answers from the zod schemas, problems and roles from the decorators. */
export function describe(app: NestFastifyApplication, { title, description, issuer }: DocsSettings): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(description)
    .setVersion('v1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer')
    .addBasicAuth({ type: 'http', scheme: 'basic' }, 'basic')
    .addSecurity('oidc', {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    })
    .build();
  const document = SwaggerModule.createDocument(app, frame, {
    operationIdFactory: operationIdOf,
    standardSchemaConverter: toOpenApi,
  });
  const components = document.components ?? {};
  return {
    ...document,
    components: {
      ...components,
      schemas: { ...components.schemas, Problem: problemSchema },
      responses: { ...components.responses, ...problemResponses },
    },
    paths: explainOperations(app, document.paths),
  };
}

/** What zod writes is JSON Schema 2020-12 already, which is what OpenAPI 3.1 speaks. */
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
