import { Controller, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as refunds from '../../../src/money/contracts/refunds.ts';
import { listRefunds } from '../../../src/money/operations/find-refunds.ts';
import { payOutRefund } from '../../../src/money/operations/pay-out-refund.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { type ReservationWrite, TheReservationWrite } from '../reservation-write.ts';
import { openRefund, refundPaidOut } from './render/refund.ts';

/** Refunds that no payment provider sends: of cash, or of a card that accepts none. */
@Controller('api/v1/reservations')
export class Refunds {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Refunds still to be paid out, newest first. */
  @Get('refunds')
  @Answers(refunds.refundListAnswer)
  @Needs('desk.read', 'List refunds that are still to be paid out')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: refunds.refundsQuery }) query: refunds.RefundsQuery,
  ) {
    const { items, nextCursor } = await response.db(listRefunds(this.services, caller, query));
    return response.list(items.map(openRefund), nextCursor);
  }

  /** Records that a refund was paid out by hand: by whom, how, under which reference. */
  @Post(':reservationId/refunds/:refundId/pay-out')
  @Answers(refunds.payOutAnswer)
  @Needs('refund.pay-out', 'Record that a refund was paid out')
  async payOut(
    @TheReservationWrite() { caller, id, options, send }: ReservationWrite,
    @Param('refundId') refundId: string,
    @Body({ schema: refunds.payOutBody }) body: refunds.PayOutBody,
  ) {
    const answer = await send(payOutRefund(this.services, caller, { id, refundId }, body, options));
    return refundPaidOut(answer.result);
  }
}
