import { Body, Controller, Get, Inject, Put, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import * as answers from '../../src/contracts/answers.ts';
import { type BaseRatesBody, baseRatesBody, type CurrentQuery, currentQuery } from '../../src/contracts/rates.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { formatDay } from '../../src/domain/dates.ts';
import { quoteRates } from '../../src/operations/quote-rates.ts';
import type { Services } from '../../src/operations/services.ts';
import { setBaseRates } from '../../src/operations/set-base-rates.ts';
import { type Idempotency, IdempotencyKey } from '../http/idempotency.ts';
import { Answers } from '../http/answers.ts';
import { Needs, Operation, Reply, TheCaller } from '../http/route.ts';
import { SERVICES, stamp, timed } from './answer.ts';
import { quoteText } from './render/quote.ts';
import { iso } from './render/reservation.ts';

/** The rate service (specification 4.1). */
@Controller('api/v1/rates')
export class Rates {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Prices of a stay for every room type, with a token for each price that can be had. */
  @Get('current')
  @Answers(answers.quoteAnswer)
  @Needs('VIEWER')
  async current(
    @TheCaller() caller: Caller,
    @Query({ schema: currentQuery }) query: CurrentQuery,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    const quoted = await quoteRates(this.#services, caller, query);
    stamp(reply, quoted);
    return quoteText(query, quoted);
  }

  /** Base rates by weekday and seasons, over a period of nights. */
  @Put('base')
  @Answers(answers.baseRatesAnswer)
  @Needs('MANAGER')
  @Operation('sell')
  async base(
    @TheCaller() caller: Caller,
    @Body({ schema: baseRatesBody }) body: BaseRatesBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    const answer = await timed(reply, 'actor', setBaseRates(this.#services, caller, body, key));
    stamp(reply, answer);
    const { rateId, start, affectedDates, updatedAt } = answer.result;
    return {
      rateId,
      status: 'ACTIVE',
      effectiveDate: formatDay(start),
      updatedAt: iso(updatedAt),
      affectedDates,
      previewUrl: `/api/v1/rates/${rateId}/preview`,
    };
  }
}
