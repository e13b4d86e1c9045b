import { Controller, Inject, Post } from '@nestjs/common';

import { stayLinks } from '../../../src/guests/operations/guest-link.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { type RefundBody, refundBody, type WaiveBody, waiveBody } from '../../../src/money/contracts/payments.ts';
import { giveRefund } from '../../../src/money/operations/give-refund.ts';
import { waivePenalty } from '../../../src/money/operations/waive-penalty.ts';
import {
  type CheckOutBody,
  checkOutBody,
  type ReasonBody,
  reasonBody,
  type ReinstateBody,
  reinstateBody,
} from '../../../src/stay/contracts/reservations.ts';
import * as stayAnswers from '../../../src/stay/contracts/stay-answers.ts';
import { walkAnswer, type WalkBody, walkBody } from '../../../src/stay/contracts/walk.ts';
import { walkGuest } from '../../../src/stay/operations/cancel-reservation.ts';
import { checkOut } from '../../../src/stay/operations/check-out.ts';
import { confirmReservation } from '../../../src/stay/operations/confirm-reservation.ts';
import { reinstateReservation } from '../../../src/stay/operations/reinstate-reservation.ts';
import { Answers } from '../../http/answers.ts';
import { Body } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';
import { type ReservationWrite, TheReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { checkedOut } from '../stay/render/check-out.ts';
import { createdReservation, guestWalked, penaltyWaived, refundGiven } from '../stay/render/reservation.ts';

/** Decisions of the property about a reservation and its money (docs/reference/reservations.md#refunds). */
@Controller('api/v1')
export class ReservationMoney {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Confirms a paid reservation where that is not automatic. */
  @Post('reservations/:reservationId/confirm')
  @Answers(stayAnswers.createdAnswer)
  @Needs('reservation.confirm', 'Confirm a pending reservation')
  async confirm(
    @TheReservationWrite() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: reasonBody }) { reason }: ReasonBody,
  ) {
    const answer = await send(confirmReservation(this.services, caller, id, { ...options, reason }));
    return createdReservation(answer.result.reservation);
  }

  /**
   * Reinstates a cancelled reservation or a no-show with its nights and price, until the roll after next;
   * `?dryRun=true` only returns the result.
   */
  @Post('reservations/:reservationId/reinstate')
  @Answers(stayAnswers.createdAnswer)
  @Needs('reservation.reinstate', 'Take a cancel or a no-show back')
  async reinstate(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: reinstateBody }) body: ReinstateBody,
  ) {
    const answer = await send(reinstateReservation(this.services, caller, id, body, options));
    return createdReservation(answer.result.reservation);
  }

  /**
   * Sends a guest who arrives today to another hotel: everything paid goes back, nothing is retained; `?dryRun=true`
   * only returns the result.
   */
  @Post('reservations/:reservationId/walk')
  @Answers(walkAnswer)
  @Needs('reservation.walk', 'Send a guest to another hotel')
  async walk(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: walkBody }) body: WalkBody,
  ) {
    const answer = await send(walkGuest(this.services, caller, id, body, options));
    return guestWalked(answer.result.reservation);
  }

  /** Waives a retained penalty or a part of it, which is refunded; `?dryRun=true` only returns the result. */
  @Post('reservations/:reservationId/waive-penalty')
  @Answers(stayAnswers.waiverAnswer)
  @Needs('penalty.waive', 'Waive a cancellation penalty')
  async waive(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: waiveBody }) body: WaiveBody,
  ) {
    const answer = await send(waivePenalty(this.services, caller, id, body, options));
    return penaltyWaived(answer.result, body);
  }

  /**
   * Refunds what was paid, in full or in part, never more; of one payment where it is named. `?dryRun=true` only
   * returns the result.
   */
  @Post('reservations/:reservationId/refunds')
  @Answers(stayAnswers.refundAnswer, 201)
  @Needs('refund.give', 'Give back what was paid')
  async refund(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: refundBody }) body: RefundBody,
  ) {
    const answer = await send(giveRefund(this.services, caller, id, body, options));
    return refundGiven(answer.result, body);
  }

  /**
   * Checks a guest out with an open balance: nothing is charged, and the balance stays. `?dryRun=true` only returns the
   * bill.
   */
  @Post('admin/reservations/:reservationId/force-checkout')
  @Answers(stayAnswers.checkOutAnswer)
  @Needs('admin.run', 'Check out with an open balance')
  async forceCheckOut(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: checkOutBody }) body: CheckOutBody,
  ) {
    const answer = await send(checkOut(this.services, caller, id, body, { ...options, forced: true }));
    return checkedOut(answer.result, stayLinks(this.services, caller.tenantId, answer.result.reservation));
  }
}
