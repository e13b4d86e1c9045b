import { Controller, Get, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

import { asyncApi, type AsyncApiSettings } from '../../../src/live/contracts/asyncapi.ts';
import { Answers } from '../../http/answers.ts';
import { OpenRoute, HttpReply } from '../../http/route.ts';

export const ASYNC_API = Symbol('asyncapi');

/** Description of topics and the live protocol (docs/reference/events.md#events). */
@Controller('v3/asyncapi.json')
export class AsyncApi {
  @Inject(ASYNC_API) protected readonly settings!: AsyncApiSettings;
  #text: string | undefined;

  /** The AsyncAPI 3 document, built once, since it is public. */
  @Get()
  @OpenRoute('Read the AsyncAPI document')
  @Answers(z.looseObject({ asyncapi: z.string() }))
  document(@HttpReply() reply: FastifyReply): string {
    reply.header('content-type', 'application/json; charset=utf-8');
    return (this.#text ??= JSON.stringify(asyncApi(this.settings)));
  }
}
