import { HttpCode } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import { answerOfRoute, declareAnswer } from './route.ts';

/** What a handler of a route answers with: amounts, days and moments as they are; its schema writes them. */
export type AnswerOf<S extends z.ZodType> = z.output<S>;

/** An answer; or text that is ready: a page, a file, an answer requested too often to be rendered each time. */
type Answered<S extends z.ZodType> = AnswerOf<S> | string | Buffer;
type Handler<S extends z.ZodType> = (...args: never[]) => Answered<S> | Promise<Answered<S>>;

type TypedDecorator<H> = <M extends H>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>) => void;

/**
 * Says what a handler answers: the schema of contracts, and the status. The compiler holds the handler to it, the
 * answer is encoded by it, and the API description shows it.
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

/** Encodes what handlers return by the schema that their route declares; problems and ready texts stay as they are. */
export function encodeAnswers(instance: FastifyInstance): void {
  instance.addHook('preSerialization', (request, reply, payload, done) => {
    const schema = answerOfRoute(request.routeOptions.config);
    if (schema === undefined || reply.statusCode >= 400) done(null, payload);
    else done(null, z.encode(schema, payload));
  });
}
