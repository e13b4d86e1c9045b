import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as answers from '../../../src/rates/contracts/rate-answers.ts';
import {
  type RatePlanBody,
  ratePlanBody,
  type RatePlanChange,
  ratePlanChange,
  type RatePlansQuery,
  ratePlansQuery,
} from '../../../src/rates/contracts/rate-plans.ts';
import { getRatePlan, listRatePlans, type PlanOfProperty } from '../../../src/rates/operations/find-rate-plans.ts';
import {
  changeRatePlan,
  createRatePlan,
  removeRatePlan,
  restoreRatePlan,
} from '../../../src/rates/operations/put-rate-plan.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type HttpResponse, type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { TheVersion } from '../reservation-write.ts';
import { renderPlan } from './render/rates.ts';

/** Rate plans: how prices derive from base rates, and who may book them (docs/reference/rates.md#rate-plans). */
@Controller('api/v1/rates/plans')
export class RatePlans {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Creates a plan; without a parent it has its own prices. */
  @Post()
  @Answers(answers.planAnswer, 201)
  @Needs('plan.set', 'Create a rate plan')
  async create(@TheWrite() { caller, key, response }: Write, @Body({ schema: ratePlanBody }) body: RatePlanBody) {
    const answer = await response.actor(createRatePlan(this.services, caller, body, key));
    response.header('location', `/api/v1/rates/plans/${answer.result.plan.id}`);
    return versioned(response, answer.result);
  }

  /** Plans of a property, newest first. */
  @Get()
  @Answers(answers.planListAnswer)
  @Needs('rate.read', 'List the rate plans of a property')
  async list(@TheRead() { caller, response }: Read, @Query({ schema: ratePlansQuery }) query: RatePlansQuery) {
    const { items, nextCursor } = response.stamp(await listRatePlans(this.services, caller, query));
    return response.list(items.map(renderPlan), nextCursor);
  }

  @Get(':planId')
  @Answers(answers.planAnswer)
  @Needs('rate.read', 'Read a rate plan')
  async get(@TheRead() { caller, response }: Read, @Param('planId') id: string) {
    return versioned(response, response.stamp(await getRatePlan(this.services, caller, id)));
  }

  /** Replaces a plan except its property and code. */
  @Put(':planId')
  @Answers(answers.planAnswer)
  @Needs('plan.set', 'Change a rate plan')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('planId') id: string,
    @TheVersion() ifVersion: number | undefined,
    @Body({ schema: ratePlanChange }) change: RatePlanChange,
  ) {
    const answer = await response.actor(changeRatePlan(this.services, caller, { id, change, ifVersion }, key));
    return versioned(response, answer.result);
  }

  /** Takes a plan off sale; existing reservations stay. */
  @Delete(':planId')
  @Answers(answers.planRemoved)
  @Needs('plan.set', 'Delete a rate plan')
  async remove(
    @TheWrite() { caller, key, response }: Write,
    @Param('planId') id: string,
    @TheVersion() ifVersion: number | undefined,
  ) {
    await response.actor(removeRatePlan(this.services, caller, { id, ifVersion }, key));
    return { id, status: 'REMOVED' as const };
  }

  /** Restores a removed plan as it was, without its former restrictions. */
  @Post(':planId/restore')
  @Answers(answers.planAnswer)
  @Needs('plan.restore', 'Restore a deleted rate plan')
  async restore(@TheWrite() { caller, key, response }: Write, @Param('planId') id: string) {
    const answer = await response.actor(restoreRatePlan(this.services, caller, id, key));
    return versioned(response, answer.result);
  }
}

function versioned(response: HttpResponse, found: PlanOfProperty): AnswerOf<typeof answers.planAnswer> {
  const answer = renderPlan(found);
  response.version(answer);
  return answer;
}
