import { Controller, Delete, Get, Inject, Param } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import * as answers from '../../src/contracts/rate-answers.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { checkRates } from '../../src/operations/check-rates.ts';
import { flushRates } from '../../src/operations/flush-rates.ts';
import type { Services } from '../../src/operations/services.ts';
import { Answers } from '../http/answers.ts';
import { Needs, Operation, Reply, TheCaller } from '../http/route.ts';
import { SERVICES, stamp } from './answer.ts';
import { findingAnswer } from './render/rates.ts';

/** Administration of rates (specification 4.1, contracts.md 6). */
@Controller('api/v1/admin')
export class RateAdmin {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** What is wrong or odd about the rates of a property. */
  @Get('rates/validate/:propertyId')
  @Answers(answers.validationAnswer)
  @Needs('ADMIN')
  async validate(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: string,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    const { findings, seq, ...rest } = await checkRates(this.#services, caller, propertyId);
    stamp(reply, { seq });
    return { ...rest, findings: findings.map(findingAnswer) };
  }

  /** Forgets what is cached of the tenant's rates on this node: analyses go, and rates in memory are checked anew. */
  @Delete('cache/rates')
  @Answers(answers.flushAnswer)
  @Needs('ADMIN')
  @Operation('run')
  flush(@TheCaller() caller: Caller): { evicted: number } {
    return flushRates(this.#services, caller);
  }
}
