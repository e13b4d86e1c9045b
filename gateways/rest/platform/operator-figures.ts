import { Controller, Get, Inject } from '@nestjs/common';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { alertsAnswer, runbookAnswer } from '../../../src/platform/coordination/contracts/alerts.ts';
import {
  seriesAnswer,
  type SeriesQuery,
  seriesQuery,
} from '../../../src/platform/coordination/contracts/figure-series.ts';
import {
  requestsAnswer,
  type RequestsQuery,
  requestsQuery,
} from '../../../src/platform/coordination/contracts/retained-requests.ts';
import { Answers } from '../../http/answers.ts';
import { Param, Query } from '../../http/parameters.ts';
import { OperatorOnly } from '../../http/route.ts';
import type { OperatorReads } from '../../http/telemetry/operator-reads.ts';

/** Provides the `OperatorReads`. */
export const OPERATOR_READS = Symbol('operator reads');

/** How the nodes have been doing, for operators (docs/operations/health.md#figures-over-time). */
@Controller('ops')
export class OperatorFigures {
  @Inject(OPERATOR_READS) protected readonly reads!: OperatorReads;

  /** Rates, latencies and lags over an hour in steps of 10 s, or over a day in steps of 5 min. */
  @Get('metrics/series')
  @Answers(seriesAnswer)
  @OperatorOnly('Read figures over time')
  series(@Query({ schema: seriesQuery }) query: SeriesQuery) {
    return this.reads.series(query);
  }

  /** The slowest requests of the last hour and those that failed, each with its spans. */
  @Get('requests')
  @Answers(requestsAnswer)
  @OperatorOnly('List slow and failed requests')
  requests(@Query({ schema: requestsQuery }) query: RequestsQuery) {
    return this.reads.requests(query);
  }

  /** The alerts of ops/alerts.yml by the service's own figures. */
  @Get('alerts')
  @Answers(alertsAnswer)
  @OperatorOnly('List alerts')
  alerts() {
    return this.reads.alerts();
  }

  @Get('alerts/:name')
  @Answers(runbookAnswer)
  @OperatorOnly('Read the page of an alert')
  async runbook(@Param('name') name: string) {
    const page = await this.reads.runbook(name);
    if (page) return page;
    throw new DomainError('ALERT_NOT_FOUND', 'There is no alert of this name.');
  }
}
