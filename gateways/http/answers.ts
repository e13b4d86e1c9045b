import { HttpCode } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { answerOfRoute, declareAnswer } from './route.ts';

/** What a route's handler returns: amounts, days and instants as values; the schema encodes them. */
export type AnswerOf<S extends z.ZodType> = z.output<S>;

/** An answer, text or bytes that are sent as they are (a page, a file, a cached answer), or nothing, as with 304. */
type Answered<S extends z.ZodType> = AnswerOf<S> | string | Buffer | undefined;
type Handler<S extends z.ZodType> = (...args: never[]) => Answered<S> | Promise<Answered<S>>;

/** What has no members that are written one by one. */
type Single =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Buffer
  | ((...args: never[]) => unknown);
/** Of a union, the members of all its types. */
type MemberNames<T> = T extends Single ? never : keyof T;
type Member<T, K> = T extends Single ? never : K extends keyof T ? T[K] : never;
/** Names of members that an answer has beyond those that its schema names, also of objects within it. */
type Unnamed<Given, Named> = Given extends Single
  ? never
  : Given extends readonly (infer Item)[]
    ? Unnamed<Item, Extract<Named, readonly unknown[]>[number]>
    : object extends Named
      ? never
      : { [K in keyof Given]-?: K extends MemberNames<Named> ? Unnamed<Given[K], Member<Named, K>> : K }[keyof Given];
type UnnamedOf<M, Named> = M extends (...args: never[]) => infer R ? Unnamed<Awaited<R>, Named> : never;

/** The compiler shows the second branch in its message. */
type TypedDecorator<H, Named> = <M extends H>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<M> &
    ([UnnamedOf<M, Named>] extends [never] ? unknown : { noSchemaNames: UnnamedOf<M, Named> }),
) => void;

/**
 * Says what a handler answers: the schema of contracts, and the status. The compiler holds the handler to it: neither
 * an amount without its unit nor a member that the schema does not name fits. The answer is encoded by it, and the API
 * description shows it.
 */
export function Answers<S extends z.ZodType>(
  schema: S,
  status = 200,
  description = 'Done',
): TypedDecorator<Handler<S>, AnswerOf<S>> {
  return (target, key, descriptor) => {
    declareAnswer(schema)(target, key, descriptor);
    HttpCode(status)(target, key, descriptor);
    ApiResponse({ status, description, standardSchema: schema })(target, key, descriptor);
  };
}

/** Another status that the handler sets itself, with the same answer: the API description names it beside the first. */
export const OrWithStatus = (schema: z.ZodType, status: number, description: string): MethodDecorator =>
  ApiResponse({ status, description, standardSchema: schema });

/** The text of an answer, for handlers that cache it. */
export function answerText<S extends z.ZodType>(schema: S, answer: AnswerOf<S>): string {
  return JSON.stringify(z.encode(schema, answer));
}

/** Encodes what handlers return by the schema of their route; problems and texts are sent as they are. */
export function encodeAnswers(instance: FastifyInstance): void {
  instance.addHook('preSerialization', (request, reply, payload, done) => {
    const schema = answerOfRoute(request.routeOptions.config);
    if (schema === undefined || reply.statusCode >= 400) done(null, payload);
    else done(null, z.encode(schema, payload));
  });
}
