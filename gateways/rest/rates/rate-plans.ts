import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as answers from '../../../src/rates/contracts/rate-answers.ts';
import {
  type RatePlanBody,
  ratePlanBody,
  type RatePlanChange,
  ratePlanChange,
  type RatePlansQuery,
  ratePlansQuery,
} from '../../../src/rates/contracts/rate-plans.ts';
import { getRatePlan, listRatePlans } from '../../../src/rates/operations/find-rate-plans.ts';
import {
  changeRatePlan,
  createRatePlan,
  removeRatePlan,
  restoreRatePlan,
} from '../../../src/rates/operations/put-rate-plan.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp, timed } from '../answer.ts';
import { renderPlan } from './render/rates.ts';

/** Rate plans: how base rates become prices, and who may book them (docs/reference/rates.md#rate-plans). */
@Controller('api/v1/rates/plans')
export class RatePlans {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** A new plan; without a parent it prices by itself. */
  @Post()
  @Answers(answers.planAnswer, 201)
  @HttpCode(201)
  @Needs('plan.set')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: ratePlanBody }) body: RatePlanBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.planAnswer>> {
    const answer = await timed(reply, 'actor', createRatePlan(this.#services, caller, body, key));
    stamp(reply, answer);
    reply.header('location', `/api/v1/rates/plans/${answer.result.plan.id}`);
    return renderPlan(answer.result);
  }

  /** Plans of a property, newest first. */
  @Get()
  @Answers(answers.planListAnswer)
  @Needs('rate.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: ratePlansQuery }) query: RatePlansQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.planListAnswer>> {
    const { items, nextCursor, seq } = await listRatePlans(this.#services, caller, query);
    stamp(reply, { seq });
    return listAnswer(reply, request.url, items.map(renderPlan), nextCursor);
  }

  @Get(':planId')
  @Answers(answers.planAnswer)
  @Needs('rate.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('planId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.planAnswer>> {
    const found = await getRatePlan(this.#services, caller, id);
    stamp(reply, found);
    return renderPlan(found);
  }

  /** Replaces a plan but for its property and code. */
  @Put(':planId')
  @Answers(answers.planAnswer)
  @Needs('plan.set')
  async change(
    @TheCaller() caller: Caller,
    @Param('planId') id: string,
    @Body({ schema: ratePlanChange }) body: RatePlanChange,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.planAnswer>> {
    const answer = await timed(reply, 'actor', changeRatePlan(this.#services, caller, id, body, key));
    stamp(reply, answer);
    return renderPlan(answer.result);
  }

  /** Takes a plan from sale; reservations made under it stay. */
  @Delete(':planId')
  @Answers(answers.planRemoved)
  @Needs('plan.set')
  async remove(
    @TheCaller() caller: Caller,
    @Param('planId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.planRemoved>> {
    const answer = await timed(reply, 'actor', removeRatePlan(this.#services, caller, id, key));
    stamp(reply, answer);
    return { id, status: 'REMOVED' };
  }

  /** Sells under a removed plan again, as it was, without the restrictions that it had. */
  @Post(':planId/restore')
  @HttpCode(200)
  @Answers(answers.planAnswer)
  @Needs('plan.restore')
  async restore(
    @TheCaller() caller: Caller,
    @Param('planId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.planAnswer>> {
    const answer = await timed(reply, 'actor', restoreRatePlan(this.#services, caller, id, key));
    stamp(reply, answer);
    return renderPlan(answer.result);
  }
}
