import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import { readCompetitorSync } from '../../../src/competitors/operations/read-competitor-sync.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as rules from '../../../src/revenue/contracts/acceptance-rule.ts';
import * as demand from '../../../src/revenue/contracts/demand-model.ts';
import * as group from '../../../src/revenue/contracts/group-quote.ts';
import * as outcomes from '../../../src/revenue/contracts/outcomes.ts';
import * as answers from '../../../src/revenue/contracts/yield-answers.ts';
import * as contract from '../../../src/revenue/contracts/yield.ts';
import { readAcceptanceRule, setAcceptanceRule } from '../../../src/revenue/operations/acceptance-rule.ts';
import { readOutcomes } from '../../../src/revenue/operations/accepted-rates.ts';
import { readAnalysis } from '../../../src/revenue/operations/analyze-rates.ts';
import { quoteGroup } from '../../../src/revenue/operations/bid-prices/quote-group.ts';
import { readDemandModel } from '../../../src/revenue/operations/demand/read-demand-model.ts';
import { implementOptimization } from '../../../src/revenue/operations/implement-optimization.ts';
import { listOptimizations } from '../../../src/revenue/operations/list-optimizations.ts';
import { getOptimization, optimizeYield } from '../../../src/revenue/operations/optimize-yield.ts';
import { readForecast } from '../../../src/revenue/operations/read-forecast.ts';
import { whoNames } from '../../../src/tenants/operations/who-names.ts';
import { Answers, OrWithStatus } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Costly, Needs, TheCaller } from '../../http/route.ts';
import {
  type PropertyRead,
  type PropertyWrite,
  type Read,
  SERVICES,
  ThePropertyRead,
  ThePropertyWrite,
  TheRead,
  TheWrite,
  type Write,
} from '../answer.ts';
import { renderDemandModel } from './render/demand-model.ts';
import {
  renderAcceptanceRule,
  renderAnalysis,
  renderForecast,
  renderGroupQuote,
  renderImplemented,
  renderOptimization,
  renderOutcomes,
} from './render/yield.ts';

/** Revenue management: analysis and optimization of rates (docs/reference/rates.md#optimization). */
@Controller('api/v1/rates')
export class Yield {
  @Inject(SERVICES) protected readonly services!: Services;

  /**
   * Rates of a period compared with sales, potential and market; at most an hour old (`Age`), computed anew after a
   * change of rates.
   */
  @Get('analysis')
  @Answers(answers.analysisAnswer)
  @Needs('revenue.read', 'Analyse rates, occupancy and market')
  async analysis(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.analysisQuery }) query: contract.AnalysisQuery,
  ) {
    const [analyzed, sync] = await Promise.all([
      response.actor(readAnalysis(this.services, caller, query)),
      readCompetitorSync(this.services, caller),
    ]);
    response.header('age', String(analyzed.ageSeconds));
    return renderAnalysis(analyzed.analysis, sync);
  }

  /** Forecast of each night from the property's history and bookings, with its error range. */
  @Get('forecast')
  @Answers(answers.forecastAnswer)
  @Needs('revenue.read', 'Forecast demand by night')
  async forecast(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.forecastQuery }) query: contract.ForecastQuery,
  ) {
    const forecast = await response.actor(readForecast(this.services, caller, query));
    return renderForecast(query.propertyId, forecast);
  }

  /** The least rates at which a block of rooms pays for what it displaces. */
  @Post('group-quote')
  @Answers(group.groupQuoteAnswer)
  @Needs('revenue.read', 'Quote the least rates of a group')
  @Costly()
  async quoteGroup(
    @TheRead() { caller, response }: Read,
    @Body({ schema: group.groupQuoteBody }) body: group.GroupQuoteBody,
  ) {
    return renderGroupQuote(body.propertyId, await response.actor(quoteGroup(this.services, caller, body)));
  }

  /** How much guests mind prices, and how long they stay, as far as quotes and bookings say. */
  @Get('demand-model')
  @Answers(demand.demandModelAnswer)
  @Needs('revenue.read', 'Read what is learned about guests')
  async demandModel(
    @TheRead() { caller, response }: Read,
    @Query({ schema: demand.demandModelQuery }) query: demand.DemandModelQuery,
  ) {
    const read = await response.actor(readDemandModel(this.services, caller, query));
    return renderDemandModel(query.propertyId, read);
  }

  /** Computes the rates with the best objective within the constraints; 202 and RUNNING for a long period. */
  @Post('yield-optimization')
  @Answers(answers.optimizationAnswer)
  @OrWithStatus(answers.optimizationAnswer, 202, 'Begun, for a long period')
  @Needs('yield.optimize', 'Recommend rates for a period')
  @Costly()
  async optimize(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.optimizationBody }) body: contract.OptimizationBody,
  ) {
    const answer = await response.actor(optimizeYield(this.services, caller, body, key));
    const { id, status } = answer.optimization;
    if (status === 'RUNNING') {
      response.status(202);
      response.header('location', `/api/v1/rates/optimizations/${id}`);
    }
    return renderOptimization(answer.optimization);
  }

  /** Which recommended rates the service accepts by itself. */
  @Get('yield-optimization/rule/:propertyId')
  @Answers(rules.acceptanceRuleAnswer)
  @Needs('revenue.read', 'Read the rule of acceptance')
  async rule(@ThePropertyRead() { caller, to, response }: PropertyRead) {
    const { rule, seq } = await response.actor(readAcceptanceRule(this.services, to));
    const names = await whoNames(this.services, caller, [rule?.setBy]);
    return renderAcceptanceRule(to.propertyId, { rule, seq, names });
  }

  @Put('yield-optimization/rule/:propertyId')
  @Answers(rules.acceptanceRuleAnswer)
  @Needs('yield.optimize', 'Set the rule of acceptance')
  async setRule(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: rules.acceptanceRuleBody }) body: rules.AcceptanceRuleBody,
  ) {
    const { result, seq } = await response.actor(setAcceptanceRule(this.services, caller, to, body, key));
    const names = await whoNames(this.services, caller, [result.setBy]);
    return renderAcceptanceRule(to.propertyId, { rule: result, seq, names });
  }

  /** Optimizations of a property, newest first. */
  @Get('optimizations')
  @Answers(answers.optimizationListAnswer)
  @Needs('revenue.read', 'List earlier optimizations')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.optimizationsQuery }) query: contract.OptimizationsQuery,
  ) {
    const { items, nextCursor } = await listOptimizations(this.services, caller, query);
    return response.list(items.map(renderOptimization), nextCursor);
  }

  @Get('optimizations/:optimizationId')
  @Answers(answers.optimizationAnswer)
  @Needs('revenue.read', 'Read an optimization')
  async get(@TheCaller() caller: Caller, @Param('optimizationId') id: string) {
    const { optimization } = await getOptimization(this.services, caller, id);
    return renderOptimization(optimization);
  }

  /** What came of recommendations that were accepted. */
  @Get('recommendations/outcomes')
  @Answers(outcomes.outcomesAnswer)
  @Needs('revenue.read', 'What came of accepted recommendations')
  async outcomes(
    @TheRead() { caller, response }: Read,
    @Query({ schema: outcomes.outcomesQuery }) query: outcomes.OutcomesQuery,
  ) {
    const found = await response.actor(readOutcomes(this.services, caller, query));
    return renderOutcomes(query.propertyId, found);
  }

  /** Makes the recommended rates, all or those of the named nights, the base rates, unless one has changed. */
  @Post(':optimizationId/implement')
  @Answers(answers.implementedAnswer)
  @Needs('yield.optimize', 'Apply recommended rates')
  async implement(
    @TheWrite() { caller, key, response }: Write,
    @Param('optimizationId') id: string,
    @Body({ schema: contract.implementBody }) body: contract.ImplementBody,
  ) {
    const answer = await response.actor(implementOptimization(this.services, caller, id, body, key));
    return renderImplemented(answer.result);
  }
}
