import { Controller, Inject, Post } from '@nestjs/common';

import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
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
import { Body, Header, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { ifMatch, SERVICES, TheWrite, type Write } from '../answer.ts';
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
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Param('paymentId') paymentId: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: chargebackBody }) body: ChargebackBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(chargeBack(this.services, caller, { id, paymentId }, body, options));
    if (!dryRun) response.version(answer.result.reservation);
    return chargedBack(answer.result, paymentId, body);
  }

  /** Puts on record that the card issuer has given back what it took. `?dryRun=true` as above. */
  @Post('win')
  @Answers(stayAnswers.chargebackWonAnswer, 201)
  @Needs('refund.give', 'Record that the card issuer has given a payment back')
  async win(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Param('paymentId') paymentId: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: wonChargebackBody }) body: WonChargebackBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(winChargeback(this.services, caller, { id, paymentId }, body, options));
    if (!dryRun) response.version(answer.result.reservation);
    return chargebackWon(answer.result, paymentId);
  }

  /** Ends the task of the desk: what is not paid again is written off, or owed on. `?dryRun=true` as above. */
  @Post('close')
  @Answers(stayAnswers.chargebackClosedAnswer)
  @Needs('refund.give', 'Close a chargeback')
  async close(
    @TheWrite() { caller, key, response }: Write,
    @Param('reservationId') id: ReservationId,
    @Param('paymentId') paymentId: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: closeChargebackBody }) body: CloseChargebackBody,
    @Header('if-match') match: string | undefined,
  ) {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await response.actor(closeChargeback(this.services, caller, { id, paymentId }, body, options));
    if (!dryRun) response.version(answer.result.reservation);
    return chargebackClosed(answer.result, paymentId);
  }
}
