import { HttpCode } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { answerOfRoute, declareAnswer } from './route.ts';

/** What a route's handler returns: amounts, days and instants as values; the schema encodes them. */
export type AnswerOf<S extends z.ZodType> = z.output<S>;

/** An answer, or text that is sent as it is: a page, a file, or a cached answer. */
type Answered<S extends z.ZodType> = AnswerOf<S> | string | Buffer;
type Handler<S extends z.ZodType> = (...args: never[]) => Answered<S> | Promise<Answered<S>>;

type TypedDecorator<H> = <M extends H>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>) => void;

/**
 * Declares a handler's answer: its schema and status. The compiler checks the handler against it, the answer is
 * encoded by it, and the API description shows it.
 */
export function Answers<S extends z.ZodType>(
  schema: S,
  status = 200,
  description = 'Done',
): TypedDecorator<Handler<S>> {
  return (target, key, descriptor) => {
    declareAnswer(schema)(target, key, descriptor);
    HttpCode(status)(target, key, descriptor);
    ApiResponse({ status, description, standardSchema: schema })(target, key, descriptor);
  };
}

/** Encodes what handlers return by the schema of their route; problems and texts are sent as they are. */
export function encodeAnswers(instance: FastifyInstance): void {
  instance.addHook('preSerialization', (request, reply, payload, done) => {
    const schema = answerOfRoute(request.routeOptions.config);
    if (schema === undefined || reply.statusCode >= 400) done(null, payload);
    else done(null, z.encode(schema, payload));
  });
}
