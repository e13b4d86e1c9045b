import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/revenue/contracts/sales-figures.ts';
import {
  readBookingCurve,
  readCompetitorRates,
  readSalesMix,
} from '../../../src/revenue/operations/read-sales-figures.ts';
import { Answers } from '../../http/answers.ts';
import { Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { curveAnswer, competitorRates, mixAnswer } from './render/sales-figures.ts';

/** How nights were sold, through which channels, and at which prices of competitors (docs/reference/rates.md#sales-figures). */
@Controller('api/v1/analytics')
export class SalesFigureReports {
  @Inject(SERVICES) protected readonly services!: Services;

  /** What came on the books of these nights and left them, by business date. */
  @Get('booking-curve')
  @Answers(contract.bookingCurveAnswer)
  @Needs('revenue.read', 'Read the booking curve of nights')
  async curve(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.salesQuery }) query: contract.SalesQuery,
  ) {
    return curveAnswer(query, await response.db(readBookingCurve(this.services, caller, query)));
  }

  /** Sold room nights and their revenue by channel and by rate plan. */
  @Get('sales-mix')
  @Answers(contract.salesMixAnswer)
  @Needs('revenue.read', 'Read sales by channel and rate plan')
  async mix(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.salesQuery }) query: contract.SalesQuery,
  ) {
    return mixAnswer(query, await response.db(readSalesMix(this.services, caller, query)));
  }

  /** Rates of each competitor for the nights of a room type. */
  @Get('competitor-rates')
  @Answers(contract.competitorRatesAnswer)
  @Needs('revenue.read', 'Read the rates of each competitor')
  async competitors(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.competitorRatesQuery }) query: contract.CompetitorRatesQuery,
  ) {
    return competitorRates(query, await response.db(readCompetitorRates(this.services, caller, query)));
  }
}
