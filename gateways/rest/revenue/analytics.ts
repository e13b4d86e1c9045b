import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/revenue/contracts/analytics.ts';
import { getReport, listMetrics, listReports } from '../../../src/revenue/operations/find-reports.ts';
import { Answers } from '../../http/answers.ts';
import { Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { wireReport } from './render/analytics.ts';

/** Night audit reports by business date, whole and by figure. */
@Controller('api/v1/analytics')
export class AnalyticsReports {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Reports of a property, newest date first; both days inclusive. */
  @Get('reports')
  @Answers(contract.reportListAnswer)
  @Needs('revenue.read', 'List daily reports')
  async reports(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.reportsQuery }) query: contract.ReportsQuery,
  ) {
    const { items, nextCursor } = await response.db(listReports(this.services, caller, query));
    return response.list(items.map(wireReport), nextCursor);
  }

  @Get('reports/:reportId')
  @Answers(contract.reportAnswer)
  @Needs('revenue.read', 'Read a daily report')
  async report(@TheRead() { caller, response }: Read, @Param('reportId') id: string) {
    return wireReport(await response.db(getReport(this.services, caller, id)));
  }

  /** Occupancy, ADR, RevPAR, cancellation rate and pickup of each date, of the property and of its room types. */
  @Get('metrics')
  @Answers(contract.metricListAnswer)
  @Needs('revenue.read', 'List daily figures')
  async metrics(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.metricsQuery }) query: contract.MetricsQuery,
  ) {
    const { items, nextCursor } = await response.db(listMetrics(this.services, caller, query));
    const shown = items.map((metric) => contract.renderMetric(query.propertyId, metric));
    return response.list(shown, nextCursor);
  }
}
