import type { OpenAPIObject } from '@nestjs/swagger';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { z } from 'zod';

import { clientFrame, LIVE_SCHEMAS } from '../live/contracts/live.ts';
import { apiDocument } from './api-documents.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/**
 * `npm run client:types`: writes the types of `packages/client` from the OpenAPI documents of both services and the
 * schemas of the live protocol. They are not stored with the code: the type check and the package make them anew.
 */
const folder = join(import.meta.dirname, '../../packages/client/src/generated');
mkdirSync(folder, { recursive: true });
for (const name of ['rate', 'reservation'] as const) await write(name, withoutTenant(await apiDocument(name)));
await write('live', liveDocument());

async function write(name: string, document: object): Promise<void> {
  const types = astToString(await openapiTS(JSON.stringify(document), { alphabetize: true }));
  writeFileSync(join(folder, `${name}.ts`), `// Made by npm run client:types.\n${types}`);
}

/** The client sends the tenant's header with every request. */
function withoutTenant(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (operation?.parameters)
        operation.parameters = operation.parameters.filter((one) => !('name' in one) || one.name !== 'X-Tenant-ID');
    }
  return document;
}

/** Frames as schemas of a document without paths. A client may leave out what has a default. */
function liveDocument(): object {
  const sent = z.toJSONSchema(clientFrame, { io: 'input', unrepresentable: 'any' });
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(LIVE_SCHEMAS)) registry.add(schema, { id });
  const uri = (id: string): string => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { io: 'output', unrepresentable: 'any', uri });
  const all = Object.entries({ ...schemas, ClientFrame: sent }).map(([id, schema]) => {
    const { $schema: _, $id: _id, ...rest } = schema as Record<string, unknown>;
    return [id, rest];
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Innkeeper live protocol', version: 'v1' },
    paths: {},
    components: { schemas: Object.fromEntries(all) },
  };
}
