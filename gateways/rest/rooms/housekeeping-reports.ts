import { Controller, Get, Inject } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import { z } from 'zod';

import type { Services } from '../../../src/kernel/operations/services.ts';
import { formatDay } from '../../../src/kernel/rules/dates.ts';
import * as contract from '../../../src/rooms/contracts/housekeeping-report.ts';
import { readHousekeepingReport } from '../../../src/rooms/operations/read-housekeeping-report.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Header, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { csvFile, wantsFile } from '../csv.ts';
import { renderHousekeepingReport } from './render/housekeeping.ts';

/** Minutes that rooms have taken (docs/reference/set-up.md#minutes-per-room). */
@Controller('api/v1/reports')
export class HousekeepingReports {
  @Inject(SERVICES) protected readonly services!: Services;

  /** By attendant and type of task, over business dates; the file has the lines alone. */
  @Get('housekeeping')
  @Answers(contract.housekeepingReportAnswer)
  @ApiProduces('application/json', 'text/csv')
  @Needs('desk.read', 'Read the minutes per room of housekeeping')
  async minutes(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.housekeepingReportQuery }) query: contract.HousekeepingReportQuery,
    @Header('accept') accept: string | undefined,
  ): Promise<AnswerOf<typeof contract.housekeepingReportAnswer> | Buffer> {
    const read = await response.db(readHousekeepingReport(this.services, caller, query));
    const answer = renderHousekeepingReport(read);
    response.header('vary', 'accept');
    if (!wantsFile(query, accept)) return answer;
    const name = `housekeeping-${read.propertyId}-${formatDay(read.from)}-${formatDay(read.to)}`;
    const { items } = z.encode(contract.housekeepingReportAnswer, answer);
    return csvFile(response, name, contract.housekeepingReportLine, items);
  }
}
