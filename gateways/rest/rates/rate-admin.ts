import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

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
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Costly, Needs, TheCaller } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderRecalculation } from '../revenue/render/yield.ts';
import { findingAnswer } from './render/rates.ts';

/** Administration of rates (docs/reference/rates.md#administration). */
@Controller('api/v1/admin')
export class RateAdmin {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Errors and anomalies in the rates of a property. */
  @Get('rates/validate/:propertyId')
  @Answers(answers.validationAnswer)
  @Needs('admin.read', 'Validate the rates of a property')
  async validate(@TheRead() { caller, response }: Read, @Param('propertyId') propertyId: PropertyId) {
    const { findings, seq: _stamped, ...rest } = response.stamp(await checkRates(this.services, caller, propertyId));
    return { ...rest, findings: findings.map(findingAnswer) };
  }

  /** Recalculates demand, market and rates of a period now, instead of at the next night audit. */
  @Post('rates/recalculate')
  @Answers(yieldAnswers.recalculationBegun, 202, 'Begun.')
  @Needs('admin.run', 'Recalculate prices in the background')
  @Costly()
  async recalculate(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: recalculationBody }) body: RecalculationBody,
  ) {
    const { jobId } = response.stamp(await requestRecalculation(this.services, caller, body, key));
    const statusUrl = `/api/v1/admin/rates/recalculate/${encodeURIComponent(jobId)}`;
    response.header('location', statusUrl);
    return { jobId, statusUrl };
  }

  /** Progress and result of a recalculation. */
  @Get('rates/recalculate/:jobId')
  @Answers(yieldAnswers.recalculationAnswer)
  @Needs('admin.read', 'Read the progress of a recalculation')
  async recalculation(@TheCaller() caller: Caller, @Param('jobId') jobId: string) {
    return renderRecalculation(await findRequestedJob(this.services, 'rate-recalculation', caller, jobId));
  }

  /** Drops cached analyses of the tenant's rates on this node, and has rates in memory checked. */
  @Delete('cache/rates')
  @Answers(answers.flushAnswer)
  @Needs('admin.run', 'Empty the cache of prices')
  async flush(@TheWrite() { caller, key, response }: Write) {
    return (await response.db(flushRates(this.services, caller, key))).result;
  }
}
