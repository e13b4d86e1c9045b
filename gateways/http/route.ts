/**
 * What a controller says about its routes, and what it may inject:
 *
 *     @Controller('api/v1/reservations')
 *     export class Reservations {
 *       @Inject(SERVICES) protected readonly services!: Services;
 *
 *       @Post()
 *       @Answers(createdAnswer, 201)         // answers.ts: schema and status
 *       @Needs('reservation.create', 'Book') // a row of auth/permissions.ts, and the summary in the API document;
 *                                            // without it the app refuses to start
 *       async post(
 *         @TheWrite() { caller, key, response }: Write,          // rest/answer.ts; @TheRead() has no key
 *         @Body({ schema: createBody }) body: CreateBody,        // parameters.ts: zod; every wrong field is listed
 *       ) { ...; return answer; }            // an object, or ready JSON as a string
 *     }
 *
 * Instead of @Needs: @Open() for everyone, @OperatorOnly() for scope innkeeper:operate, @BasicAuth() for the event
 * test endpoint. Refuse by throwing a DomainError: nothing else is caught on purpose.
 */
import 'reflect-metadata';
import { type ExecutionContext, Res } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import type { Caller } from '../../src/kernel/rules/caller.ts';
import type { Permission } from '../auth/permissions.ts';
import { parameterFrom, type ParameterOf, parameterOf } from './parameters.ts';

/** Who may call a route: callers with a permission in the header's tenant, or those of another gate. */
export type Access =
  | { gate: 'tenant'; permission: Permission; isCostly: boolean; orBasic: boolean; orOperator: boolean }
  | { gate: 'agent' }
  | { gate: 'open' }
  | { gate: 'link' }
  | { gate: 'operator' }
  | { gate: 'basic' }
  | { gate: 'monitor' }
  | { gate: 'steer' }
  | { gate: 'glance' };

/** Settings that the decorators of a handler have made so far. */
type Responded = {
  gate?: Access['gate'];
  /** One line about the operation, for the API document. */
  summary?: string | undefined;
  permission?: Permission;
  isCostly?: boolean;
  orBasic?: boolean;
  orOperator?: boolean;
  /** Whether the handler reads the body. If not, a body with fields is rejected. */
  takesBody?: boolean;
  /** Whether the route accepts a form of the service's own pages. */
  takesForm?: boolean;
  /** Whether the route accepts a file of CSV beside JSON. */
  takesCsv?: boolean;
  /** Whether the route accepts a photo, as its bytes. */
  takesPhoto?: boolean;
  /** Whether the route accepts files of an import, as their bytes. */
  takesImport?: boolean;
  /** Whether the owner of the body's `propertyId` handles the request. */
  isForOwner?: boolean;
  /** Whether the receiving node handles the request, whatever properties it calls; it may depend on the body. */
  staysHere?: boolean | ((body: unknown) => boolean);
  /** How many requests the limits take it for, by its unread body; one when absent. */
  countsAs?: (body: unknown) => number;
  /** Schema of the answer (answers.ts). */
  answer?: z.ZodType;
  /** What a parameter decorator of our own reads of the request. */
  reads?: readonly ReadParameter[];
};

/** Header or query parameter that a parameter decorator of our own reads, as the API document names it. */
export type ReadParameter = 'Idempotency-Key' | 'If-Match' | 'dryRun';

const said = new WeakMap<object, Responded>();

/**
 * Permission that a route needs: a row of the table
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export const Needs = (permission: Permission, summary?: string): MethodDecorator =>
  say({ gate: 'tenant', permission, summary });

/** The answer is slow to compute: such routes have a quota of their own per tenant (rate-limit.ts). */
export const Costly = (): MethodDecorator => say({ isCostly: true });

/**
 * A browser without a token may use the `@BasicAuth` credentials. It has no caller then, and the handler shows only
 * data of no tenant.
 */
export const OrBasic = (): MethodDecorator => say({ orBasic: true });

/** Operators may call the route too, for any tenant; the handler has no caller then. */
export const OrOperator = (): MethodDecorator => say({ orOperator: true });

/** For agents: a token with scope `innkeeper:agent`, which opens nothing else (docs/reference/mcp.md#tokens). */
export const AgentsOnly = (summary?: string): MethodDecorator => say({ gate: 'agent', summary });

/** Public, without a token. */
export const OpenRoute = (summary?: string): MethodDecorator => say({ gate: 'open', summary });

/** For holders of the link, without a token: it cannot be guessed, and attempts are limited. */
export const OpenByLink = (summary?: string): MethodDecorator => say({ gate: 'link', summary });

/** The route accepts a form of the service's own pages beside JSON. */
export const TakesForm = (): MethodDecorator => say({ takesForm: true });

/** The route accepts `text/csv` beside JSON; its schema gets the text. */
export const TakesCsv = (): MethodDecorator => say({ takesCsv: true });

/** The route accepts a photo beside JSON; its schema gets the bytes. */
export const TakesPhoto = (): MethodDecorator => say({ takesPhoto: true });

/** The route accepts files of an import; its schema gets the bytes. */
export const TakesImport = (): MethodDecorator => say({ takesImport: true });

/**
 * The operation first calls the property of the body's `propertyId`: if another node owns it, the request is forwarded
 * before it is processed.
 */
export const ForOwner = (): MethodDecorator => say({ isForOwner: true });

/**
 * The request concerns no single property, and writes before it calls any: it is never forwarded.
 * @param when those of which this is true, by their body that is not checked yet; all when absent
 */
export const StaysHere = (when?: (body: unknown) => boolean): MethodDecorator => say({ staysHere: when ?? true });

/** The request does the work of many: the limits of its user and tenant count it as so many, by its unchecked body. */
export const CountsAs = (countsAs: (body: unknown) => number): MethodDecorator => say({ countsAs });

/** Declares the schema of the answer. */
export const declareAnswer = (answer: z.ZodType): MethodDecorator => say({ answer });

/**
 * A parameter decorator that says in the API document what it reads of a request: Nest only knows its own decorators.
 */
export function reading<Given>(
  reads: readonly ReadParameter[],
  read: (context: ExecutionContext) => Given,
): () => ParameterOf<Given> {
  const parameter = parameterFrom(read);
  return () => (target, key, index) => {
    const handler = Reflect.get(target, key) as object;
    // A handler may have several such parameters, which read the same.
    said.set(handler, { ...said.get(handler), reads: [...new Set([...parametersReadBy(handler), ...reads])] });
    parameter()(target, key, index);
  };
}

/** Needs scope `innkeeper:operate`, which no role of a tenant has. */
export const OperatorOnly = (summary?: string): MethodDecorator => say({ gate: 'operator', summary });

/** HTTP Basic with the credentials given to `createApp`. */
export const BasicAuth = (summary?: string): MethodDecorator => say({ gate: 'basic', summary });

/**
 * Metrics: open in development, else for operators and holders of `METRICS_TOKEN` (docs/operations/health.md#health).
 */
export const MonitorOnly = (summary?: string): MethodDecorator => say({ gate: 'monitor', summary });

/** Changes how a node runs: open in development, else for operators. `METRICS_TOKEN` only reads. */
export const SteerOnly = (summary?: string): MethodDecorator => say({ gate: 'steer', summary });

/** Health: public; `request.trusted` decides whether details are shown. */
export const Glance = (summary?: string): MethodDecorator => say({ gate: 'glance', summary });

/** Gives the handler its `Caller`; only on routes with `@Needs`. */
export const TheCaller = parameterFrom((context) => callerOf(context.switchToHttp().getRequest<FastifyRequest>()));

export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('a handler takes its caller on a route without @Needs()');
  return caller;
}

/** An operator of the installation: `sub` of the token, and the request. */
export type Operator = { subject: string; requestId: string };

/** Gives the handler its `Operator`; only on routes with `@OperatorOnly`. */
export const TheOperator = parameterFrom((context): Operator => {
  const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
  if (operator === null) throw new Error('@TheOperator() on a route without @OperatorOnly()');
  return operator;
});

/**
 * Injects Fastify's reply to set headers, while Nest still sends what the handler returns. (A parameter decorator of
 * our own cannot: the reply has a `then`, and Nest would await it.)
 */
export const HttpReply = (): ParameterOf<FastifyReply> => parameterOf(Res({ passthrough: true }));

/** The access rule of a handler; `undefined` when none is declared: such a route must not be served. */
export function accessOf(handler: object): Access | undefined {
  return completed(said.get(handler));
}

/** One line about the operation of a handler. */
export function summaryOf(handler: object): string | undefined {
  return said.get(handler)?.summary;
}

/** What parameter decorators of our own read for a handler. */
export function parametersReadBy(handler: object): readonly ReadParameter[] {
  return said.get(handler)?.reads ?? [];
}

/** The access rule in a Fastify route's configuration, where Nest has put the decorators' metadata. */
export function accessOfRoute(config: FastifyContextConfig | undefined): Access | undefined {
  return completed(config?.access);
}

/** The answer schema of a Fastify route; `undefined` for pages, files and routes without a controller. */
export function answerOfRoute(config: FastifyContextConfig): z.ZodType | undefined {
  return config.access?.answer;
}

function completed(rule: Responded | undefined): Access | undefined {
  const { gate, permission, isCostly = false, orBasic = false, orOperator = false } = rule ?? {};
  if (gate !== 'tenant') return gate === undefined ? undefined : { gate };
  return permission === undefined ? undefined : { gate, permission, isCostly, orBasic, orOperator };
}

function say(part: Responded): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value;
    if (typeof handler !== 'function') throw new Error(`${String(key)} is not a method`);
    const rule = { ...said.get(handler), ...part, takesBody: takesBody(target, key) };
    said.set(handler, rule);
    // Nest copies this into the Fastify route, where hooks read it before any body is parsed.
    RouteConfig({ access: rule })(target, key, descriptor);
  };
}

/** Parameter decorators have run before the method's. */
function takesBody(target: object, key: PropertyKey): boolean {
  const wanted: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key.toString());
  const isBody = (name: string): boolean => name.startsWith(`${RouteParamtypes.BODY}:`);
  return typeof wanted === 'object' && wanted !== null && Object.keys(wanted).some(isBody);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Responded;
  }
  interface FastifyRequest {
    /** Set once the request is admitted to a route of a tenant. */
    caller: Caller | null;
    /** Called when its handler has an answer, or an error. */
    answered: (() => void) | null;
    /** Set once the request is admitted to a route for operators. */
    operator: Operator | null;
    /** On `@Glance()` routes: whether details may be shown. */
    trusted: boolean;
  }
}
