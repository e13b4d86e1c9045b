import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { findRequestedJob } from '../../../src/kernel/operations/request-job.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import * as answers from '../../../src/rates/contracts/rate-answers.ts';
import { checkRates } from '../../../src/rates/operations/check-rates.ts';
import { flushRates } from '../../../src/rates/operations/flush-rates.ts';
import * as yieldAnswers from '../../../src/revenue/contracts/yield-answers.ts';
import { type RecalculationBody, recalculationBody } from '../../../src/revenue/contracts/yield.ts';
import { requestRecalculation } from '../../../src/revenue/operations/recalculate-rates.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Costly, Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamp, stamped, timed } from '../answer.ts';
import { renderRecalculation } from '../revenue/render/yield.ts';
import { findingAnswer } from './render/rates.ts';

/** Administration of rates (docs/reference/rates.md#administration). */
@Controller('api/v1/admin')
export class RateAdmin {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** What is wrong or odd about the rates of a property. */
  @Get('rates/validate/:propertyId')
  @Answers(answers.validationAnswer)
  @Needs('admin.read')
  async validate(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.validationAnswer>> {
    const { findings, seq, ...rest } = await checkRates(this.#services, caller, propertyId);
    stamp(reply, { seq });
    return { ...rest, findings: findings.map(findingAnswer) };
  }

  /** Looks at demand, market and rates of a period anew, now instead of at the next night audit. */
  @Post('rates/recalculate')
  @Answers(yieldAnswers.recalculationBegun, 202, 'Begun.')
  @HttpCode(202)
  @Needs('admin.run')
  @Costly()
  async recalculate(
    @TheCaller() caller: Caller,
    @Body({ schema: recalculationBody }) body: RecalculationBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<{ jobId: string; statusUrl: string }> {
    const { jobId, replayed } = await requestRecalculation(this.#services, caller, body, key);
    const statusUrl = `/api/v1/admin/rates/recalculate/${encodeURIComponent(jobId)}`;
    reply.header('location', statusUrl);
    if (replayed) reply.header('idempotency-replayed', 'true');
    return { jobId, statusUrl };
  }

  /** How far a recalculation is, and what it came to. */
  @Get('rates/recalculate/:jobId')
  @Answers(yieldAnswers.recalculationAnswer)
  @Needs('admin.read')
  async recalculation(
    @TheCaller() caller: Caller,
    @Param('jobId') jobId: string,
  ): Promise<AnswerOf<typeof yieldAnswers.recalculationAnswer>> {
    return renderRecalculation(await findRequestedJob(this.#services, 'rate-recalculation', caller, jobId));
  }

  /** Forgets what is cached of the tenant's rates on this node: analyses go, and rates in memory are checked anew. */
  @Delete('cache/rates')
  @Answers(answers.flushAnswer)
  @Needs('admin.run')
  async flush(
    @TheCaller() caller: Caller,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<{ evicted: number }> {
    return stamped(reply, await timed(reply, 'db', flushRates(this.#services, caller, key)));
  }
}
