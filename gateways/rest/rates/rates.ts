import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as quoteAnswers from '../../../src/rates/contracts/quote-answers.ts';
import * as more from '../../../src/rates/contracts/rate-answers.ts';
import {
  type BaseRatesBody,
  baseRatesBody,
  rateCalendarQuery,
  type RateCalendarQuery,
  type CurrentQuery,
  currentQuery,
  type RatesDryRunQuery,
  ratesDryRunQuery,
} from '../../../src/rates/contracts/rates.ts';
import type { RatePreview } from '../../../src/rates/operations/preview-rates.ts';
import { quoteRates } from '../../../src/rates/operations/quote-rates.ts';
import { readCalendar } from '../../../src/rates/operations/read-calendar.ts';
import { previewBaseRates, setBaseRates } from '../../../src/rates/operations/set-base-rates.ts';
import { previewRateChange } from '../../../src/revenue/operations/preview-change.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamp, timed } from '../answer.ts';
import { quoteText } from './render/quote.ts';
import { calendarDay, renderPreview } from './render/rates.ts';

/** The rate service (docs/reference/rates.md#rates). */
@Controller('api/v1/rates')
export class Rates {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Prices of a stay for every room type, with a token for each price that can be had. */
  @Get('current')
  @Answers(quoteAnswers.quoteAnswer)
  @Needs('rate.read')
  async current(
    @TheCaller() caller: Caller,
    @Query({ schema: currentQuery }) query: CurrentQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    const quoted = await quoteRates(this.#services, caller, query);
    stamp(reply, quoted);
    return quoteText(query, quoted);
  }

  /** The cheapest price of each day that can be had, with its restrictions; at most 366 days. */
  @Get('calendar')
  @Answers(more.calendarAnswer)
  @Needs('rate.read')
  async calendar(
    @TheCaller() caller: Caller,
    @Query({ schema: rateCalendarQuery }) query: RateCalendarQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof more.calendarAnswer>> {
    const { items, seq, ...rest } = await readCalendar(this.#services, caller, query);
    stamp(reply, { seq });
    return { ...rest, items: items.map(calendarDay), seq };
  }

  /** Base rates by weekday and seasons, over a period of nights. */
  @Put('base')
  @Answers(more.baseRatesAnswer)
  @Needs('rate.set')
  async base(
    @TheCaller() caller: Caller,
    @Query({ schema: ratesDryRunQuery }) { dryRun }: RatesDryRunQuery,
    @Body({ schema: baseRatesBody }) body: BaseRatesBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof more.baseRatesAnswer>> {
    if (dryRun) return this.#preview(reply, caller, previewBaseRates(this.#services, caller, body));
    const answer = await timed(reply, 'actor', setBaseRates(this.#services, caller, body, key));
    stamp(reply, answer);
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

  /** What a change of base rates changed, and what its nights are expected to earn. */
  @Get(':rateId/preview')
  @Answers(more.previewAnswer)
  @Needs('rate.read')
  preview(
    @TheCaller() caller: Caller,
    @Param('rateId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof more.previewAnswer>> {
    return this.#preview(reply, caller, previewRateChange(this.#services, caller, id));
  }

  async #preview(
    reply: FastifyReply,
    caller: Caller,
    preview: Promise<RatePreview>,
  ): Promise<AnswerOf<typeof more.previewAnswer>> {
    const told = await timed(reply, 'actor', preview);
    stamp(reply, told);
    return renderPreview(told, caller);
  }
}
