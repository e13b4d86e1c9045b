/**
 * What a controller says about its routes, and what it may inject:
 *
 *     @Controller('api/v1/reservations')
 *     export class Reservations {
 *       @Inject(SERVICES) protected readonly services!: Services;
 *
 *       @Post()
 *       @Answers(createdAnswer, 201)         // answers.ts: schema and status
 *       @Needs('reservation.create')         // a row of auth/permissions.ts; without it the app refuses to start
 *       async post(
 *         @TheWrite() { caller, key, response }: Write,          // rest/answer.ts; @TheRead() has no key
 *         @Body({ schema: createBody }) body: CreateBody,        // zod; every wrong field is listed
 *       ) { ...; return answer; }            // an object, or ready JSON as a string
 *     }
 *
 * Instead of @Needs: @Open() for everyone, @OperatorOnly() for scope innkeeper:operate, @BasicAuth() for the event
 * test endpoint. Refuse by throwing a DomainError: nothing else is caught on purpose.
 */
import 'reflect-metadata';
import { createParamDecorator, type ExecutionContext, Res } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import type { Caller } from '../../src/kernel/rules/caller.ts';
import type { Permission } from '../auth/permissions.ts';

/** Who may call a route: who has a permission in the tenant of the header, or one of the gates of no tenant. */
export type Access =
  | { gate: 'tenant'; permission: Permission; isCostly: boolean; orBasic: boolean; orOperator: boolean }
  | { gate: 'open' }
  | { gate: 'link' }
  | { gate: 'operator' }
  | { gate: 'basic' }
  | { gate: 'monitor' }
  | { gate: 'steer' }
  | { gate: 'glance' };

/** What the decorators of a handler have said so far. */
type Responded = {
  gate?: Access['gate'];
  permission?: Permission;
  isCostly?: boolean;
  orBasic?: boolean;
  orOperator?: boolean;
  /** Whether the handler reads the body; who does not refuses one with fields in it. */
  takesBody?: boolean;
  /** Whether a form of one of our pages may be sent there. */
  takesForm?: boolean;
  /** Whether `propertyId` of its body says whose owner answers it. */
  isForOwner?: boolean;
  /** Whether it is done by the receiving node, whatever properties it calls. */
  staysHere?: boolean;
  /** What it answers (answers.ts). */
  answer?: z.ZodType;
};

const said = new WeakMap<object, Responded>();

/**
 * What one must be allowed to do to call the route: a row of the table
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export const Needs = (permission: Permission): MethodDecorator => say({ gate: 'tenant', permission });

/** Its answer takes long to make: such routes have a limit of their own, for each tenant (rate-limit.ts). */
export const Costly = (): MethodDecorator => say({ isCostly: true });

/**
 * A browser without a token is asked for the user of `@BasicAuth`, and has no caller then: the handler shows
 * it only data of no tenant.
 */
export const OrBasic = (): MethodDecorator => say({ orBasic: true });

/** Operators may as well, whatever tenant they name; the handler has no caller then. */
export const OrOperator = (): MethodDecorator => say({ orOperator: true });

/** For everyone, without a token. */
export const OpenRoute = (): MethodDecorator => say({ gate: 'open' });

/** For holders of the link, without a token: it cannot be guessed, and attempts are limited. */
export const OpenByLink = (): MethodDecorator => say({ gate: 'link' });

/** A form of one of our own pages may be sent there, beside JSON. */
export const TakesForm = (): MethodDecorator => say({ takesForm: true });

/**
 * Its operation first calls the property that `propertyId` of the body names: where that lives on
 * another node, the request is forwarded before it is processed.
 */
export const ForOwner = (): MethodDecorator => say({ isForOwner: true });

/** It is about no one property, and writes before it calls any: it is never forwarded. */
export const StaysHere = (): MethodDecorator => say({ staysHere: true });

/** Of what shape its answer is. */
export const declareAnswer = (answer: z.ZodType): MethodDecorator => say({ answer });

/** Only with scope `innkeeper:operate`, which no role of a tenant gives. */
export const OperatorOnly = (): MethodDecorator => say({ gate: 'operator' });

/** HTTP Basic with the user and password that `createApp` was given. */
export const BasicAuth = (): MethodDecorator => say({ gate: 'basic' });

/**
 * Metrics: open in development, else for operators and holders of `METRICS_TOKEN` (docs/operations/health.md#health).
 */
export const MonitorOnly = (): MethodDecorator => say({ gate: 'monitor' });

/** What changes how a node runs: open in development, else for operators; `METRICS_TOKEN` only reads. */
export const SteerOnly = (): MethodDecorator => say({ gate: 'steer' });

/** Health: for everyone; `request.trusted` decides whether to show more than the status. */
export const Glance = (): MethodDecorator => say({ gate: 'glance' });

/** Gives the handler its `Caller`; only on routes with `@Needs`. */
export const TheCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('a handler wants its caller on a route without @Needs()');
  return caller;
}

/** Who runs the installation: `sub` of the token, and the request. */
export type Operator = { subject: string; requestId: string };

/** Gives the handler its `Operator`; only on routes with `@OperatorOnly`. */
export const TheOperator = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
  if (operator === null) throw new Error('@TheOperator() on a route without @OperatorOnly()');
  return operator;
});

/**
 * Gives the handler Fastify's reply to set headers on, while Nest still sends what the handler returns. (A decorator
 * of our own cannot: the reply has a `then`, and Nest would wait for it to be sent.)
 */
export const HttpReply = (): ParameterDecorator => Res({ passthrough: true });

/** The access rule of a handler; `undefined` when nothing is said: such a route must not be served. */
export function accessOf(handler: object): Access | undefined {
  return completed(said.get(handler));
}

/** The same from the configuration of a Fastify route, where Nest has put what the decorators said. */
export function accessOfRoute(config: FastifyContextConfig | undefined): Access | undefined {
  return completed(config?.access);
}

/** The schema of the answers of a Fastify route; `undefined` for pages, files and what our controllers do not serve. */
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
    // Nest copies this onto the route it registers with Fastify, where the hooks read it before any body is parsed.
    RouteConfig({ access: rule })(target, key, descriptor);
  };
}

/** Parameters have said what they want before the method is decorated. */
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
    /** Set once the request is admitted to a route for operators. */
    operator: Operator | null;
    /** On `@Glance()` routes: whether details may be shown. */
    trusted: boolean;
  }
}
