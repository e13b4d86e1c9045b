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

/** Payments that a card issuer has taken back (docs/reference/chargebacks.md#record). */
@Controller('api/v1/reservations/:reservationId/payments/:paymentId/chargeback')
export class Chargebacks {
  @Inject(SERVICES) protected readonly services!: Services;

  /**
   * Puts on record that the card issuer has taken a payment back: the guest owes it again. `?dryRun=true` only says what
   * would come of it.
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

  /** Puts on record that the card issuer has given back what it took. `?dryRun=true` as above. */
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

  /** Ends the task of the desk: what is not paid again is written off, or owed on. `?dryRun=true` as above. */
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
