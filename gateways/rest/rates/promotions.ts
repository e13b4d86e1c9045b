import { Controller, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  type PromotionBody,
  promotionBody,
  type PromotionsQuery,
  promotionsQuery,
} from '../../../src/rates/contracts/promotions.ts';
import * as answers from '../../../src/rates/contracts/sales-answers.ts';
import { createPromotion } from '../../../src/rates/operations/create-promotion.ts';
import { getPromotion, listPromotions } from '../../../src/rates/operations/find-promotions.ts';
import { pausePromotion } from '../../../src/rates/operations/pause-promotion.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { createdPromotion, renderPromotion } from './render/sales.ts';

/** Promotions (docs/reference/rates.md#promotions). */
@Controller('api/v1/rates')
export class Promotions {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Creates a promotion; its code is generated when none is given. */
  @Post('promotional')
  @Answers(answers.createdPromotionAnswer, 201)
  @Needs('promotion.set', 'Create a promotion')
  async create(@TheWrite() { caller, key, response }: Write, @Body({ schema: promotionBody }) body: PromotionBody) {
    const answer = await response.actor(createPromotion(this.services, caller, body, key));
    const { promotion, estimate } = answer.result;
    response.header('location', `/api/v1/rates/promotions/${promotion.id}`);
    return createdPromotion(promotion, estimate);
  }

  /** Promotions of a property, newest first. */
  @Get('promotions')
  @Answers(answers.promotionListAnswer)
  @Needs('rate.read', 'List the promotions of a property')
  async list(@TheRead() { caller, response }: Read, @Query({ schema: promotionsQuery }) query: PromotionsQuery) {
    const { items, nextCursor, today } = response.stamp(await listPromotions(this.services, caller, query));
    const shown = items.map((promotion) => renderPromotion(promotion, today));
    return response.list(shown, nextCursor);
  }

  @Get('promotions/:promotionId')
  @Answers(answers.promotionAnswer)
  @Needs('rate.read', 'Read a promotion')
  async get(@TheRead() { caller, response }: Read, @Param('promotionId') id: string) {
    const { promotion, today } = response.stamp(await getPromotion(this.services, caller, id));
    return renderPromotion(promotion, today);
  }

  /** Pauses the sale of a promotion; existing bookings keep it. */
  @Post('promotions/:promotionId/pause')
  @Answers(answers.promotionAnswer)
  @Needs('promotion.set', 'Pause a promotion')
  pause(@TheWrite() write: Write, @Param('promotionId') id: string) {
    return this.#pause(write, id, true);
  }

  @Post('promotions/:promotionId/resume')
  @Answers(answers.promotionAnswer)
  @Needs('promotion.set', 'Resume a promotion')
  resume(@TheWrite() write: Write, @Param('promotionId') id: string) {
    return this.#pause(write, id, false);
  }

  async #pause({ caller, key, response }: Write, id: string, paused: boolean) {
    const answer = await response.actor(pausePromotion(this.services, caller, id, paused, key));
    return renderPromotion(answer.result, answer.today);
  }
}
