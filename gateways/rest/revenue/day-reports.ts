import { Controller, Get, Inject } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import { z } from 'zod';

import type { Services } from '../../../src/kernel/operations/services.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { InUnit } from '../../../src/kernel/rules/unit.ts';
import * as contract from '../../../src/revenue/contracts/day-reports.ts';
import { readRevenueReport, readStayReport } from '../../../src/revenue/operations/read-day-report.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Header, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type HttpResponse, type Read, SERVICES, TheRead } from '../answer.ts';
import { csvFile, wantsFile } from '../csv.ts';
import { revenueFileLines, revenueReport, stayReport } from './render/day-reports.ts';

/** Default page size (docs/reference/api.md#lists). */
const LISTED = 50;

/** Reports that a hotel prints each morning (docs/concepts/night-audit.md#reports-of-a-day). */
@Controller('api/v1/reports')
export class DayReportLists {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Revenue and tax of a date by group; of the current date so far. */
  @Get('revenue')
  @Answers(contract.revenueReportAnswer)
  @ApiProduces('application/json', 'text/csv')
  @Needs('revenue.read', 'Read the revenue of a date by group and tax')
  async revenue(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.revenueReportQuery }) query: contract.RevenueReportQuery,
    @Header('accept') accept: string | undefined,
  ): Promise<AnswerOf<typeof contract.revenueReportAnswer> | Buffer> {
    const answer = revenueReport(await response.db(readRevenueReport(this.services, caller, query)));
    response.header('vary', 'accept');
    if (!wantsFile(query, accept)) return answer;
    const lines = revenueFileLines(z.encode(contract.revenueReportAnswer, answer));
    return fileOf(response, answer, contract.revenueFileLine, lines);
  }

  /** Stays of a date: arrivals, departures, in-house, no-shows, cancellations, balances or deposits. */
  @Get(':report')
  @Answers(contract.stayReportAnswer)
  @ApiProduces('application/json', 'text/csv')
  @Needs('desk.read', 'Read a list of the stays of a date')
  async stays(
    @TheRead() { caller, response }: Read,
    @Param('report') report: string,
    @Query({ schema: contract.stayReportQuery }) query: contract.StayReportQuery,
    @Header('accept') accept: string | undefined,
  ): Promise<AnswerOf<typeof contract.stayReportAnswer> | Buffer> {
    const asFile = wantsFile(query, accept);
    const limit = query.limit ?? (asFile ? contract.MAX_IN_A_FILE : LISTED);
    const read = await response.db(readStayReport(this.services, caller, report, { ...query, limit }));
    const { nextCursor } = response.list(read.items, read.nextCursor);
    const answer = stayReport(read, nextCursor);
    response.header('vary', 'accept');
    if (!asFile) return answer;
    if (nextCursor !== null) response.header('x-next-cursor', nextCursor);
    return fileOf(response, answer, contract.reportedStay, z.encode(contract.stayReportAnswer, answer).items);
  }
}

function fileOf(
  response: HttpResponse,
  { report, propertyId, date }: { report: string; propertyId: PropertyId; date: InUnit<'day'> },
  item: z.ZodObject,
  items: readonly object[],
): Buffer {
  return csvFile(response, `${report}-${propertyId}-${formatDay(date as Day)}`, item, items);
}
