import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';

import { asyncApi, type AsyncApiSettings } from '../../src/contracts/asyncapi.ts';
import { Answers } from '../http/answers.ts';
import { Open } from '../http/route.ts';

export const ASYNC_API = Symbol('asyncapi');

/** Topics and live protocol, described (contracts.md 8). */
@Controller('v3/asyncapi.json')
export class AsyncApi {
  readonly #settings: AsyncApiSettings;
  #document: Record<string, unknown> | undefined;

  constructor(@Inject(ASYNC_API) settings: AsyncApiSettings) {
    this.#settings = settings;
  }

  /** The AsyncAPI 3 document. */
  @Get()
  @Open()
  @Answers(z.looseObject({ asyncapi: z.string() }))
  document(): Record<string, unknown> {
    return (this.#document ??= asyncApi(this.#settings));
  }
}
