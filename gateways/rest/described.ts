import 'reflect-metadata';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';

import { CHANNEL_SCOPE } from '../auth/identity.ts';
import { opensToChannels, type Permission, ruleOf } from '../auth/permissions.ts';
import { STATUS } from '../http/problem.ts';
import { type Access, accessOf, type ReadParameter, parametersReadBy, summaryOf } from '../http/route.ts';

type Paths = OpenAPIObject['paths'];
type OperationObject = NonNullable<Paths[string]['get']>;
type ParameterObject = Extract<NonNullable<OperationObject['parameters']>[number], { in: string }>;
type Handler = { controller: string; name: string; prototype: object; method: object };

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'head'] as const;

/** `Rates.current` -> `ratesCurrent`. */
export function operationIdOf(controller: string, method: string): string {
  const subject = controller.replace(/Controller$/, '');
  return subject.charAt(0).toLowerCase() + subject.slice(1) + method.charAt(0).toUpperCase() + method.slice(1);
}

/**
 * @nestjs/swagger takes parameters from `design:paramtypes`, which nothing here emits, because types are stripped;
 * without it bodies and queries are missing in the document. Declares them: named parameters as strings, the others
 * as objects.
 */
export function declareParameterTypes(app: NestFastifyApplication): void {
  for (const { prototype, name } of handlersOf(app)) {
    if (Reflect.hasMetadata(PARAMTYPES_METADATA, prototype, name)) continue;
    const declared: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, name);
    const types: unknown[] = [];
    for (const { index, data } of argumentsOf(declared)) types[index] = typeof data === 'string' ? String : Object;
    Reflect.defineMetadata(
      PARAMTYPES_METADATA,
      Array.from(types, (type) => type ?? Object),
      prototype,
      name,
    );
  }
}

/**
 * Adds to each operation its summary, who may call it, common headers, and its possible problems.
 * @param isDevelopment whether metrics and log levels are open to everyone
 */
export function explainOperations(app: NestFastifyApplication, paths: Paths, isDevelopment: boolean): Paths {
  const handlers = new Map(handlersOf(app).map((one) => [operationIdOf(one.controller, one.name), one.method]));
  const explained: Paths = {};
  for (const [path, item] of Object.entries(paths)) {
    const copy = { ...item };
    for (const method of METHODS) {
      const operation = item[method];
      const handler = handlers.get(operation?.operationId ?? '');
      const access = handler && accessOf(handler);
      if (!operation || !access) continue;
      const summarized = { summary: summaryOf(handler), ...withReads(handler, withPathOf(path, operation)) };
      copy[method] = explainOne(summarized, access, method, isDevelopment);
    }
    explained[path] = copy;
  }
  return explained;
}

/** A handler need not use every path parameter (`tenantId` is checked before), but the document must name all. */
function withPathOf(path: string, operation: OperationObject): OperationObject {
  const named = new Set((operation.parameters ?? []).map((one) => ('name' in one ? one.name : '')));
  const missing = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !named.has(name));
  const added = missing.map((name) => ({ name, in: 'path' as const, required: true, schema: { type: 'string' } }));
  return { ...operation, parameters: [...added, ...(operation.parameters ?? [])] };
}

function withReads(handler: object, operation: OperationObject): OperationObject {
  const added = parametersReadBy(handler).map((name) => ({ name, ...READ_PARAMETERS[name] }));
  return { ...operation, parameters: [...(operation.parameters ?? []), ...added] };
}

function explainOne(
  operation: OperationObject,
  access: Access,
  method: string,
  isDevelopment: boolean,
): OperationObject & Record<string, unknown> {
  const writes = method !== 'get' && method !== 'head';
  const headers = access.gate === 'tenant' ? [TENANT_HEADER] : [];
  const problems: [number, NonNullable<OperationObject['responses']>[string]][] = problemsOf(access, writes).map(
    (status) => [status, { $ref: `#/components/responses/Problem${status}` }],
  );
  if (access.gate === 'glance' || access.gate === 'monitor') problems.push([404, NOTHING_THERE]);
  return {
    ...operation,
    description: [operation.description, wordsOf(access)].filter((text) => text).join('\n\n'),
    security: securityOf(access, isDevelopment),
    parameters: [...asSent(operation.parameters ?? []), ...headers],
    ...(operation.requestBody && { requestBody: bodyOf(operation.requestBody) }),
    responses: { ...Object.fromEntries(problems), ...operation.responses },
    ...(access.gate === 'tenant' && permissionShown(access.permission)),
  };
}

/** Nest marks every body as required, but a missing one counts as an empty one (gateways/http/validation.ts). */
function bodyOf(body: NonNullable<OperationObject['requestBody']>): NonNullable<OperationObject['requestBody']> {
  if (!('content' in body)) return body;
  const mayBeEmpty = ({ schema }: (typeof body.content)[string]): boolean =>
    schema !== undefined && 'type' in schema && schema.type === 'object' && (schema.required ?? []).length === 0;
  return { ...body, required: !Object.values(body.content).every(mayBeEmpty) };
}

/** Nest marks every named parameter as required. `Accept` is no parameter in OpenAPI. */
function asSent(parameters: NonNullable<OperationObject['parameters']>): NonNullable<OperationObject['parameters']> {
  const nameOf = (one: (typeof parameters)[number]): string => ('name' in one ? one.name.toLowerCase() : '');
  return parameters
    .filter((one) => nameOf(one) !== 'accept')
    .map((one) => (nameOf(one) === 'tag' ? { ...one, required: false } : one));
}

const READ_PARAMETERS: Readonly<Record<ReadParameter, Omit<ParameterObject, 'name'>>> = {
  'Idempotency-Key': {
    in: 'header',
    required: false,
    description: 'Makes a repeat safe: the same key with the same request gets the first answer, for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    in: 'header',
    required: false,
    description: 'The version that the change is about, as `ETag` of the last answer gave it; without it the newest.',
    schema: { type: 'string' },
  },
  dryRun: { in: 'query', required: false, schema: { type: 'string', enum: ['true', 'false'] } },
};

/** The permission row, for programs that read the document. */
function permissionShown(permission: Permission): Record<string, string> {
  const { role, operation } = ruleOf(permission);
  return { 'x-permission': permission, 'x-role': role, 'x-operation': operation };
}

const TENANT_HEADER = {
  name: 'X-Tenant-ID',
  in: 'header' as const,
  required: true,
  description: 'The tenant that the request is about.',
  schema: { type: 'string' },
};
/** An empty 404, as in Spring Boot (docs/operations/health.md#health). */
const NOTHING_THERE = { description: 'There is nothing of this name.' };
function wordsOf(access: Access): string {
  if (access.gate === 'tenant') {
    const channels = opensToChannels(access.permission) ? `, or a token with scope \`${CHANNEL_SCOPE}\`` : '';
    return `Needs the role ${ruleOf(access.permission).role} or a higher one in the tenant${channels}.`;
  }
  if (access.gate === 'operator') return 'Needs a token with scope `innkeeper:operate`.';
  if (access.gate === 'basic') return 'Needs user name and password.';
  if (access.gate === 'link') return 'For whoever has the link.';
  return access.gate === 'monitor' || access.gate === 'steer'
    ? 'In production for operators only.'
    : 'Open to everyone.';
}

function securityOf(access: Access, isDevelopment: boolean): Array<Record<string, string[]>> {
  const { gate } = access;
  const orNothing = isDevelopment && (gate === 'monitor' || gate === 'steer');
  const orBasic = access.gate === 'tenant' && access.orBasic;
  if (gate === 'open' || gate === 'link' || gate === 'glance') return [];
  if (gate === 'basic') return [{ basic: [] }];
  const scopes = gate === 'tenant' ? [] : ['innkeeper:operate'];
  const orChannel = access.gate === 'tenant' && opensToChannels(access.permission);
  return [
    ...(orNothing ? [{}] : []),
    { bearer: [] },
    { oidc: scopes },
    ...(orChannel ? [{ oidc: [CHANNEL_SCOPE] }] : []),
    ...(orBasic ? [{ basic: [] }] : []),
  ];
}

/** 400 is everywhere: any path or query may hold a character that cannot be stored. */
function problemsOf({ gate }: Access, writes: boolean): number[] {
  if (gate === 'open') return [400, 404, 429];
  if (gate === 'link') return writes ? [400, 404, 409, 413, 415, 429, 503] : [400, 404, 429, 503];
  if (gate === 'glance') return [400];
  if (gate === 'operator' && writes) return [400, 401, 403, 404, 409, 413, 415, 422, 429, 503];
  if (gate === 'basic') return [400, 401, 429, 503];
  if (gate === 'steer') return [400, 401, 403, 404, 413, 415, 429];
  if (gate !== 'tenant') return [400, 401, 403, 429];
  return writes ? [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503] : [400, 401, 403, 404, 422, 429, 503];
}

/** RFC 9457 with additional members (docs/reference/api.md#problems). */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'retryable'],
  properties: {
    type: { type: 'string', description: 'A page with cause and remedy.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    requestId: { type: 'string' },
    retryable: { type: 'boolean' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901).' },
          parameter: { type: 'string', description: 'Name of a query parameter or header.' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
    alternatives: { type: 'array', items: { type: 'object' } },
    date: { type: 'string', format: 'date' },
    seq: { type: 'integer' },
  },
};

const WORDS: Record<keyof typeof STATUS, string> = {
  invalid: 'The request has wrong fields; `errors` lists every one.',
  unauthenticated: 'No valid access token.',
  forbidden: 'The tenant is not yours, is not active, or your role is too low.',
  missing: 'The tenant has no such resource.',
  method: 'The method is not allowed here.',
  slow: 'The request took too long to arrive.',
  conflict: 'The current state of the resource does not allow it.',
  stale: '`If-Match` names an older version.',
  size: 'The body is over 256 KB, or a photo over 3 MB.',
  media: 'The body is not JSON.',
  rule: 'A rule of the property rejects the request; `detail` names it.',
  limit: 'Too many requests; see `Retry-After`.',
  headers: 'The request line and the headers are over 16 KB together.',
  fault: 'An error of the service.',
  unavailable: 'Temporarily unavailable; see `Retry-After`.',
};

/** `#/components/responses/Problem404` and its like. */
export const problemResponses = Object.fromEntries(
  Object.entries(STATUS).map(([kind, status]) => [
    `Problem${status}`,
    {
      description: Object.entries(WORDS).find(([key]) => key === kind)?.[1] ?? kind,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
);

function handlersOf(app: NestFastifyApplication): Handler[] {
  const modules = [...app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const prototype: unknown = metatype.prototype;
    if (typeof prototype !== 'object' || prototype === null) return [];
    return namesOf(prototype).flatMap((name): Handler[] => {
      const method: unknown = Reflect.get(prototype, name);
      const isHandler = name !== 'constructor' && typeof method === 'function';
      return isHandler ? [{ controller: metatype.name, name, prototype, method }] : [];
    });
  });
}

/** Methods of a controller, including inherited ones. */
function namesOf(prototype: object): string[] {
  const above: unknown = Object.getPrototypeOf(prototype);
  const own = Object.getOwnPropertyNames(prototype);
  const isClass = typeof above === 'object' && above !== null && above !== Object.prototype;
  return isClass ? [...new Set([...own, ...namesOf(above)])] : own;
}

function argumentsOf(declared: unknown): Array<{ index: number; data: unknown }> {
  if (typeof declared !== 'object' || declared === null) return [];
  return Object.values(declared).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const index: unknown = Reflect.get(entry, 'index');
    return typeof index === 'number' ? [{ index, data: Reflect.get(entry, 'data') as unknown }] : [];
  });
}
