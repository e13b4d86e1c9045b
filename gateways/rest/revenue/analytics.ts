import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import {
  metricListAnswer,
  type MetricsQuery,
  metricsQuery,
  renderMetric,
  reportAnswer,
  reportListAnswer,
  type ReportsQuery,
  reportsQuery,
} from '../../../src/revenue/contracts/analytics.ts';
import { getReport, listMetrics, listReports } from '../../../src/revenue/operations/find-reports.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, timed } from '../answer.ts';
import { wireReport } from './render/analytics.ts';

/** What the night audit says of each business date, whole and figure by figure. */
@Controller('api/v1/analytics')
export class AnalyticsReports {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Reports of a property, newest date first; both days inclusive. */
  @Get('reports')
  @Answers(reportListAnswer)
  @Needs('revenue.read')
  async reports(
    @TheCaller() caller: Caller,
    @Query({ schema: reportsQuery }) query: ReportsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof reportListAnswer>> {
    const { items, nextCursor } = await timed(reply, 'db', listReports(this.#services, caller, query));
    return listAnswer(reply, request.url, items.map(wireReport), nextCursor);
  }

  @Get('reports/:reportId')
  @Answers(reportAnswer)
  @Needs('revenue.read')
  async report(
    @TheCaller() caller: Caller,
    @Param('reportId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof reportAnswer>> {
    return wireReport(await timed(reply, 'db', getReport(this.#services, caller, id)));
  }

  /** Occupancy, ADR, RevPAR, cancellation rate and pickup of each date, of the property and of its room types. */
  @Get('metrics')
  @Answers(metricListAnswer)
  @Needs('revenue.read')
  async metrics(
    @TheCaller() caller: Caller,
    @Query({ schema: metricsQuery }) query: MetricsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof metricListAnswer>> {
    const { items, nextCursor } = await timed(reply, 'db', listMetrics(this.#services, caller, query));
    const shown = items.map((metric) => renderMetric(query.propertyId, metric));
    return listAnswer(reply, request.url, shown, nextCursor);
  }
}
