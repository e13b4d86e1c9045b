import { Controller, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  type ChargebackBody,
  chargebackBody,
  type CloseChargebackBody,
  closeChargebackBody,
  type WonChargebackBody,
  wonChargebackBody,
} from '../../../src/money/contracts/payments.ts';
import { chargeBack } from '../../../src/money/operations/charge-back.ts';
import { closeChargeback } from '../../../src/money/operations/close-chargeback.ts';
import { winChargeback } from '../../../src/money/operations/win-chargeback.ts';
import * as stayAnswers from '../../../src/stay/contracts/stay-answers.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { chargebackClosed, chargebackWon, chargedBack } from './render/chargeback.ts';

/** Chargebacks: payments that the card issuer has taken back (docs/reference/chargebacks.md#record). */
@Controller('api/v1/reservations/:reservationId/payments/:paymentId/chargeback')
export class Chargebacks {
  @Inject(SERVICES) protected readonly services!: Services;

  /**
   * Records a chargeback: the card issuer has taken the payment back, and the guest owes it again. `?dryRun=true` only
   * returns the result.
   */
  @Post()
  @Answers(stayAnswers.chargebackAnswer, 201)
  @Needs('refund.give', 'Record that the card issuer has taken a payment back')
  async put(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Param('paymentId') paymentId: string,
    @Body({ schema: chargebackBody }) body: ChargebackBody,
  ) {
    const answer = await send(chargeBack(this.services, caller, { id, paymentId }, body, options));
    return chargedBack(answer.result, paymentId, body);
  }

  /**
   * Records that the dispute was won: the card issuer has returned the money. `?dryRun=true` only returns the result.
   */
  @Post('win')
  @Answers(stayAnswers.chargebackWonAnswer, 201)
  @Needs('refund.give', 'Record that the card issuer has given a payment back')
  async win(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Param('paymentId') paymentId: string,
    @Body({ schema: wonChargebackBody }) body: WonChargebackBody,
  ) {
    const answer = await send(winChargeback(this.services, caller, { id, paymentId }, body, options));
    return chargebackWon(answer.result, paymentId);
  }

  /**
   * Closes the chargeback, and its task of the desk: the unpaid amount is written off, or stays owed. `?dryRun=true`
   * only returns the result.
   */
  @Post('close')
  @Answers(stayAnswers.chargebackClosedAnswer)
  @Needs('refund.give', 'Close a chargeback')
  async close(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Param('paymentId') paymentId: string,
    @Body({ schema: closeChargebackBody }) body: CloseChargebackBody,
  ) {
    const answer = await send(closeChargeback(this.services, caller, { id, paymentId }, body, options));
    return chargebackClosed(answer.result, paymentId);
  }
}
