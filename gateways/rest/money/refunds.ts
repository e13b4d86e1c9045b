import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as refunds from '../../../src/money/contracts/refunds.ts';
import { listRefunds } from '../../../src/money/operations/find-refunds.ts';
import { payOutRefund } from '../../../src/money/operations/pay-out-refund.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { stampEtag } from '../../http/exchange.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { ifMatch, listAnswer, SERVICES, stamp, timed } from '../answer.ts';
import { openRefund, refundPaidOut } from './render/refund.ts';

/** Refunds that no payment provider sends: what came in cash, or on a card that takes nothing back. */
@Controller('api/v1/reservations')
export class Refunds {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Those that somebody is yet to pay out, newest first. */
  @Get('refunds')
  @Answers(refunds.refundListAnswer)
  @Needs('desk.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: refunds.refundsQuery }) query: refunds.RefundsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof refunds.refundListAnswer>> {
    const { items, nextCursor } = await timed(reply, 'db', listRefunds(this.#services, caller, query));
    return listAnswer(reply, request.url, items.map(openRefund), nextCursor);
  }

  /** Notes that a refund was paid out by hand, by whom, how and under which reference. */
  @Post(':reservationId/refunds/:refundId/pay-out')
  @Answers(refunds.payOutAnswer)
  @HttpCode(200)
  @Needs('refund.pay-out')
  async payOut(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Param('refundId') refundId: string,
    @Body({ schema: refunds.payOutBody }) body: refunds.PayOutBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof refunds.payOutAnswer>> {
    const options = { key, ifVersion: ifMatch(match) };
    const answer = await timed(reply, 'actor', payOutRefund(this.#services, caller, { id, refundId }, body, options));
    stamp(reply, answer);
    stampEtag(reply, answer.result.reservation.version);
    return refundPaidOut(answer.result);
  }
}
