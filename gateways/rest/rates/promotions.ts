import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
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
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp, timed } from '../answer.ts';
import { createdPromotion, renderPromotion } from './render/sales.ts';

/** Promotions (docs/reference/rates.md#promotions). */
@Controller('api/v1/rates')
export class Promotions {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Puts a promotion on sale; its code is made here when none is given. */
  @Post('promotional')
  @Answers(answers.createdPromotionAnswer, 201)
  @HttpCode(201)
  @Needs('promotion.set')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: promotionBody }) body: PromotionBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.createdPromotionAnswer>> {
    const answer = await timed(reply, 'actor', createPromotion(this.#services, caller, body, key));
    stamp(reply, answer);
    const { promotion, estimate } = answer.result;
    reply.header('location', `/api/v1/rates/promotions/${promotion.id}`);
    return createdPromotion(promotion, estimate);
  }

  /** Promotions of a property, newest first. */
  @Get('promotions')
  @Answers(answers.promotionListAnswer)
  @Needs('rate.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: promotionsQuery }) query: PromotionsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.promotionListAnswer>> {
    const { items, nextCursor, today, seq } = await listPromotions(this.#services, caller, query);
    stamp(reply, { seq });
    const shown = items.map((promotion) => renderPromotion(promotion, today));
    return listAnswer(reply, request.url, shown, nextCursor);
  }

  @Get('promotions/:promotionId')
  @Answers(answers.promotionAnswer)
  @Needs('rate.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('promotionId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.promotionAnswer>> {
    const { promotion, today, seq } = await getPromotion(this.#services, caller, id);
    stamp(reply, { seq });
    return renderPromotion(promotion, today);
  }

  /** Nothing more is sold with it until it is resumed; what was booked stays. */
  @Post('promotions/:promotionId/pause')
  @Answers(answers.promotionAnswer)
  @HttpCode(200)
  @Needs('promotion.set')
  pause(
    @TheCaller() caller: Caller,
    @Param('promotionId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.promotionAnswer>> {
    return this.#pause(caller, id, true, key, reply);
  }

  @Post('promotions/:promotionId/resume')
  @Answers(answers.promotionAnswer)
  @HttpCode(200)
  @Needs('promotion.set')
  resume(
    @TheCaller() caller: Caller,
    @Param('promotionId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.promotionAnswer>> {
    return this.#pause(caller, id, false, key, reply);
  }

  async #pause(
    caller: Caller,
    id: string,
    paused: boolean,
    key: Idempotency | undefined,
    reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.promotionAnswer>> {
    const answer = await timed(reply, 'actor', pausePromotion(this.#services, caller, id, paused, key));
    stamp(reply, answer);
    return renderPromotion(answer.result, answer.today);
  }
}
