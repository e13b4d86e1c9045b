import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as quoteAnswers from '../../../src/rates/contracts/quote-answers.ts';
import { type QuotesBody, quotesBody } from '../../../src/rates/contracts/quotes.ts';
import * as more from '../../../src/rates/contracts/rate-answers.ts';
import * as contract from '../../../src/rates/contracts/rates.ts';
import type { RatePreview } from '../../../src/rates/operations/preview-rates.ts';
import { quoteRates } from '../../../src/rates/operations/quote-rates.ts';
import { readBaseRates } from '../../../src/rates/operations/read-base-rates.ts';
import { readCalendar } from '../../../src/rates/operations/read-calendar.ts';
import { previewBaseRates, setBaseRates } from '../../../src/rates/operations/set-base-rates.ts';
import { previewNightRates, setNightRates } from '../../../src/rates/operations/set-night-rates.ts';
import { previewRateChange } from '../../../src/revenue/operations/preview-change.ts';
import { type AnswerOf, Answers, answerText } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { CountsAs, Needs, StaysHere } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { answerStays, countOfStays, namesSeveralProperties } from './many-quotes.ts';
import { quoteText } from './render/quote.ts';
import { quotesText } from './render/quotes.ts';
import { baseNight, calendarDay, moveAnswer, renderPreview } from './render/rates.ts';

/** The rate service (docs/reference/rates.md#rates). */
@Controller('api/v1/rates')
export class Rates {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Prices of a stay for every room type, with a quote token for each available price. */
  @Get('current')
  @Answers(quoteAnswers.quoteAnswer)
  @Needs('rate.read', 'Quote the prices of a stay')
  async current(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.currentQuery }) query: contract.CurrentQuery,
  ): Promise<string | undefined> {
    const quoted = response.stamp(await quoteRates(this.services, caller, query, response.heldTags()));
    const { tag, isHeld = false } = quoted;
    if (tag !== undefined) response.held(tag, isHeld);
    return isHeld ? undefined : quoteText(query, quoted);
  }

  /** Prices of up to 100 stays at one or many properties, each answered by itself in the order of the request. */
  @Post('quotes')
  @Answers(quoteAnswers.quotesAnswer)
  @Needs('rate.read', 'Quote the prices of many stays')
  @CountsAs(countOfStays)
  @StaysHere(namesSeveralProperties)
  async quotes(
    @TheRead() { caller, response }: Read,
    @Body({ schema: quotesBody }) { stays }: QuotesBody,
  ): Promise<string> {
    return quotesText(await response.actor(answerStays(this.services, caller, stays)));
  }

  /** The cheapest available price of each day, with its restrictions; at most 366 days. */
  @Get('calendar')
  @Answers(more.calendarAnswer)
  @Needs('rate.read', 'Read the cheapest price of each day')
  async calendar(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.rateCalendarQuery }) query: contract.RateCalendarQuery,
  ) {
    const { state, read } = response.stamp(await readCalendar(this.services, caller, query));
    return response.ofState(state, () => {
      const { items, ...rest } = read();
      return answerText(more.calendarAnswer, { ...rest, items: items.map(calendarDay) });
    });
  }

  /** Base rates and seasons with the BAR price of each night; at most 366 days. */
  @Get('base')
  @Answers(more.setRatesAnswer)
  @Needs('rate.read', 'Read base rates and seasons as they are set')
  async readBase(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.baseRatesQuery }) query: contract.BaseRatesQuery,
  ) {
    const { state, read } = response.stamp(await readBaseRates(this.services, caller, query));
    return response.ofState(state, () => {
      const { items, ...rest } = read();
      return answerText(more.setRatesAnswer, { ...rest, items: items.map(baseNight) });
    });
  }

  /** Sets base rates by weekday and seasons over a period. */
  @Put('base')
  @Answers(more.baseRatesAnswer)
  @Needs('rate.set', 'Set base rates by weekday and season')
  async base(
    @TheWrite() { caller, key, response }: Write,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contract.baseRatesBody }) body: contract.BaseRatesBody,
  ): Promise<AnswerOf<typeof more.baseRatesAnswer>> {
    if (dryRun) return previewed({ caller, response }, previewBaseRates(this.services, caller, body));
    const answer = await response.actor(setBaseRates(this.services, caller, body, key));
    const { rateId, start, affectedDates, updatedAt } = answer.result;
    return {
      rateId,
      status: 'ACTIVE',
      effectiveDate: start,
      updatedAt,
      affectedDates,
      previewUrl: `/api/v1/rates/${rateId}/preview`,
    };
  }

  /** Sets what single nights cost under the best available rate; all or none. */
  @Put('nights')
  @Answers(more.nightRatesAnswer)
  @Needs('rate.set', 'Set the rates of single nights')
  async nights(
    @TheWrite() { caller, key, response }: Write,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contract.nightRatesBody }) body: contract.NightRatesBody,
  ): Promise<AnswerOf<typeof more.nightRatesAnswer>> {
    if (dryRun) return previewed({ caller, response }, previewNightRates(this.services, caller, body));
    const answer = await response.actor(setNightRates(this.services, caller, body, key));
    const { rateId, changes, updatedAt } = answer.result;
    const previewUrl = `/api/v1/rates/${rateId}/preview`;
    return { rateId, items: changes.map(moveAnswer), updatedAt, previewUrl };
  }

  /** What a change of base rates has changed, and the expected revenue of its nights. */
  @Get(':rateId/preview')
  @Answers(more.previewAnswer)
  @Needs('rate.read', 'Preview a rate change or an optimization')
  preview(@TheRead() read: Read, @Param('rateId') id: string) {
    return previewed(read, previewRateChange(this.services, read.caller, id));
  }
}

async function previewed({ caller, response }: Read, preview: Promise<RatePreview>) {
  return renderPreview(await response.actor(preview), caller);
}
