import { Body, Controller, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { stayLinks } from '../../../src/guests/operations/guest-link.ts';
import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { type RefundBody, refundBody, type WaiveBody, waiveBody } from '../../../src/money/contracts/payments.ts';
import { giveRefund } from '../../../src/money/operations/give-refund.ts';
import { waivePenalty } from '../../../src/money/operations/waive-penalty.ts';
import {
  type CheckOutBody,
  checkOutBody,
  type ReasonBody,
  reasonBody,
} from '../../../src/stay/contracts/reservations.ts';
import * as stayAnswers from '../../../src/stay/contracts/stay-answers.ts';
import { checkOut } from '../../../src/stay/operations/check-out.ts';
import { confirmReservation } from '../../../src/stay/operations/confirm-reservation.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { ifMatch, SERVICES, stampReservation, stampDryRun, timed } from '../answer.ts';
import { checkedOut } from '../stay/render/check-out.ts';
import { createdReservation, penaltyWaived, refundGiven } from '../stay/render/reservation.ts';

/**
 * What the property decides about a reservation and its money beside the usual course
 * (docs/reference/reservations.md#refunds).
 */
@Controller('api/v1')
export class ReservationMoney {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Confirms a paid reservation where that is not done by itself. */
  @Post('reservations/:reservationId/confirm')
  @Answers(stayAnswers.createdAnswer)
  @HttpCode(200)
  @Needs('reservation.confirm')
  async confirm(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: reasonBody }) { reason }: ReasonBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.createdAnswer>> {
    const options = { key, ifVersion: ifMatch(match), reason };
    const answer = await timed(reply, 'actor', confirmReservation(this.#services, caller, id, options));
    stampReservation(reply, answer, answer.result.reservation);
    return createdReservation(answer.result.reservation);
  }

  /** Gives up a penalty that was kept, or a part of it: that is refunded. */
  @Post('reservations/:reservationId/waive-penalty')
  @Answers(stayAnswers.waiverAnswer)
  @HttpCode(200)
  @Needs('penalty.waive')
  async waive(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: waiveBody }) body: WaiveBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.waiverAnswer>> {
    const options = { key, ifVersion: ifMatch(match) };
    const answer = await timed(reply, 'actor', waivePenalty(this.#services, caller, id, body, options));
    stampReservation(reply, answer, answer.result.reservation);
    return penaltyWaived(answer.result, body);
  }

  /**
   * Gives back what was paid, whole or in part, never more; of one payment where it is named. `?dryRun=true` only says
   * what would come of it.
   */
  @Post('reservations/:reservationId/refunds')
  @Answers(stayAnswers.refundAnswer, 201)
  @HttpCode(201)
  @Needs('refund.give')
  async refund(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: refundBody }) body: RefundBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.refundAnswer>> {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await timed(reply, 'actor', giveRefund(this.#services, caller, id, body, options));
    stampDryRun(reply, answer, dryRun);
    return refundGiven(answer.result, body);
  }

  /** The guest leaves with what he owes: nothing is charged, the balance is kept. */
  @Post('admin/reservations/:reservationId/force-checkout')
  @Answers(stayAnswers.checkOutAnswer)
  @HttpCode(200)
  @Needs('admin.run')
  async forceCheckOut(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: checkOutBody }) body: CheckOutBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.checkOutAnswer>> {
    const options = { key, ifVersion: ifMatch(match), forced: true };
    const answer = await timed(reply, 'actor', checkOut(this.#services, caller, id, body, options));
    stampReservation(reply, answer, answer.result.reservation);
    return checkedOut(answer.result, stayLinks(this.#services, caller.tenantId, answer.result.reservation));
  }
}
