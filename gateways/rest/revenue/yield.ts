import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { readCompetitorSync } from '../../../src/competitors/operations/read-competitor-sync.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as answers from '../../../src/revenue/contracts/yield-answers.ts';
import {
  type AnalysisQuery,
  analysisQuery,
  type ForecastQuery,
  forecastQuery,
  type ImplementBody,
  implementBody,
  type OptimizationBody,
  optimizationBody,
  type OptimizationsQuery,
  optimizationsQuery,
} from '../../../src/revenue/contracts/yield.ts';
import { readAnalysis } from '../../../src/revenue/operations/analyze-rates.ts';
import { implementOptimization } from '../../../src/revenue/operations/implement-optimization.ts';
import { listOptimizations } from '../../../src/revenue/operations/list-optimizations.ts';
import { getOptimization, optimizeYield } from '../../../src/revenue/operations/optimize-yield.ts';
import { readForecast } from '../../../src/revenue/operations/read-forecast.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Costly, Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp, timed } from '../answer.ts';
import { renderAnalysis, renderForecast, renderImplemented, renderOptimization } from './render/yield.ts';

/** Revenue management: how rates do, and which would do better (docs/reference/rates.md#optimization). */
@Controller('api/v1/rates')
export class Yield {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Rates of a period against what they sell, what they could, and the market; at most an hour old (`Age`), made anew after a change of rates. */
  @Get('analysis')
  @Answers(answers.analysisAnswer)
  @Needs('revenue.read')
  async analysis(
    @TheCaller() caller: Caller,
    @Query({ schema: analysisQuery }) query: AnalysisQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.analysisAnswer>> {
    const [analyzed, sync] = await Promise.all([
      timed(reply, 'actor', readAnalysis(this.#services, caller, query)),
      readCompetitorSync(this.#services, caller),
    ]);
    stamp(reply, analyzed);
    reply.header('age', String(analyzed.ageSeconds));
    return renderAnalysis(analyzed.analysis, sync);
  }

  /** What each night is expected to end with, by the house's own history and its books, and how far that may be off. */
  @Get('forecast')
  @Answers(answers.forecastAnswer)
  @Needs('revenue.read')
  async forecast(
    @TheCaller() caller: Caller,
    @Query({ schema: forecastQuery }) query: ForecastQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.forecastAnswer>> {
    const forecast = await timed(reply, 'actor', readForecast(this.#services, caller, query));
    stamp(reply, forecast);
    return renderForecast(query.propertyId, forecast);
  }

  /** Rates that bring the most of what is asked for, within the constraints; 202 and RUNNING for a long period. */
  @Post('yield-optimization')
  @Answers(answers.optimizationAnswer)
  @HttpCode(200)
  @Needs('yield.optimize')
  @Costly()
  async optimize(
    @TheCaller() caller: Caller,
    @Body({ schema: optimizationBody }) body: OptimizationBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.optimizationAnswer>> {
    const answer = await timed(reply, 'actor', optimizeYield(this.#services, caller, body, key));
    stamp(reply, answer);
    const { id, status } = answer.optimization;
    if (status === 'RUNNING') void reply.status(202).header('location', `/api/v1/rates/optimizations/${id}`);
    return renderOptimization(answer.optimization);
  }

  /** Optimizations of a property, newest first. */
  @Get('optimizations')
  @Answers(answers.optimizationListAnswer)
  @Needs('revenue.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: optimizationsQuery }) query: OptimizationsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.optimizationListAnswer>> {
    const { items, nextCursor } = await listOptimizations(this.#services, caller, query);
    return listAnswer(reply, request.url, items.map(renderOptimization), nextCursor);
  }

  @Get('optimizations/:optimizationId')
  @Answers(answers.optimizationAnswer)
  @Needs('revenue.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('optimizationId') id: string,
  ): Promise<AnswerOf<typeof answers.optimizationAnswer>> {
    const { optimization } = await getOptimization(this.#services, caller, id);
    return renderOptimization(optimization);
  }

  /** Makes the recommended rates, all or those of the nights that are named, the base rates, unless one has moved. */
  @Post(':optimizationId/implement')
  @Answers(answers.implementedAnswer)
  @HttpCode(200)
  @Needs('yield.optimize')
  async implement(
    @TheCaller() caller: Caller,
    @Param('optimizationId') id: string,
    @Body({ schema: implementBody }) body: ImplementBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.implementedAnswer>> {
    const answer = await timed(reply, 'actor', implementOptimization(this.#services, caller, id, body, key));
    stamp(reply, answer);
    return renderImplemented(answer.result);
  }
}
