import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import { stayLinks } from '../../../src/guests/operations/guest-link.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import { type PaymentBody, paymentBody } from '../../../src/money/contracts/payments.ts';
import { takePayment } from '../../../src/money/operations/take-payment.ts';
import {
  type CancelBody,
  cancelBody,
  type CheckInBody,
  checkInBody,
  type CheckOutBody,
  checkOutBody,
  type CreateBody,
  createBody,
  type ListQuery,
  listQuery,
  type ModifyBody,
  modifyBody,
  type ReasonBody,
  reasonBody,
} from '../../../src/stay/contracts/reservations.ts';
import * as stayAnswers from '../../../src/stay/contracts/stay-answers.ts';
import { cancelReservation } from '../../../src/stay/operations/cancel-reservation.ts';
import { checkIn } from '../../../src/stay/operations/check-in.ts';
import { checkOut } from '../../../src/stay/operations/check-out.ts';
import { createReservation } from '../../../src/stay/operations/create-reservation.ts';
import { getReservation, listReservations } from '../../../src/stay/operations/find-reservations.ts';
import { markNoShow } from '../../../src/stay/operations/mark-no-show.ts';
import { modifyReservation } from '../../../src/stay/operations/modify-reservation.ts';
import { may, mustMay } from '../../auth/permissions.ts';
import { Answers, OrWithStatus } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { ForOwner, Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { type ReservationWrite, TheReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { checkedIn } from './render/check-in.ts';
import { checkedOut } from './render/check-out.ts';
import {
  cancellationOf,
  createdReservation,
  leftOutOf,
  renderListedReservation,
  modification,
  paymentTaken,
  wholeReservation,
} from './render/reservation.ts';

const OVERRIDING = 'To override restrictions';
const ANOTHER_RATE = 'Another rate code';

/** The reservation service (docs/reference/reservations.md#reservations). */
@Controller('api/v1/reservations')
export class Reservations {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Books a stay: paid with a card at once, or PENDING until it is paid. */
  @Post()
  @Answers(stayAnswers.createdAnswer, 201)
  @OrWithStatus(stayAnswers.createdAnswer, 200, 'Known by its `externalId`')
  @Needs('reservation.create', 'Book a stay')
  @ForOwner()
  async create(@TheWrite() { caller, key, response }: Write, @Body({ schema: createBody }) body: CreateBody) {
    if (body.override) mustMay(caller, 'restriction.override', OVERRIDING);
    if (body.comp) mustMay(caller, 'reservation.comp', 'A complimentary stay');
    const answer = await response.actor(createReservation(this.services, caller, body, key));
    const { reservation } = answer.result;
    if (answer.isKnown) response.status(200);
    response.version(reservation);
    response.header('location', `/api/v1/reservations/${reservation.id}`);
    return createdReservation(reservation);
  }

  /** Reservations of the tenant, newest first. */
  @Get()
  @Answers(stayAnswers.reservationListAnswer)
  @Needs('reservation.read', 'Search reservations')
  async list(@TheRead() { caller, response }: Read, @Query({ schema: listQuery }) query: ListQuery) {
    const { items, unreadable, tierOf, nextCursor } = await response.db(
      listReservations(this.services, caller, query),
    );
    const shown = items.map((reservation) => renderListedReservation(reservation, caller, tierOf(reservation)));
    return { ...response.list(shown, nextCursor), leftOut: leftOutOf(unreadable) };
  }

  @Get(':reservationId')
  @Answers(stayAnswers.reservationAnswer)
  @Needs('reservation.read', 'Read a reservation')
  async get(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    const found = await response.db(getReservation(this.services, caller, id));
    const { reservation, property, tier } = found;
    response.version(reservation);
    return wholeReservation(reservation, property, caller, tier);
  }

  /** Changes dates, room type, guests, contact data or requests; `?dryRun=true` only says what would come of it. */
  @Put(':reservationId')
  @Answers(stayAnswers.modificationAnswer)
  @Needs('reservation.modify', 'Change a reservation')
  async modify(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: modifyBody }) body: ModifyBody,
  ) {
    if (body.override) mustMay(caller, 'restriction.override', OVERRIDING);
    if (body.modifications.stayDetails.rateCode !== undefined) mustMay(caller, 'reservation.rate-code', ANOTHER_RATE);
    const answer = await send(modifyReservation(this.services, caller, id, body, options));
    return modification(answer.result);
  }

  /**
   * The guest has come: a ready room of the type, or a better one for a member when there is none; `?dryRun=true` only
   * says which.
   */
  @Post(':reservationId/checkin')
  @Answers(stayAnswers.checkInAnswer)
  @Needs('reservation.check-in', 'Check in')
  async checkIn(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: checkInBody }) body: CheckInBody,
  ) {
    const answer = await send(checkIn(this.services, caller, id, body, options));
    return checkedIn(answer.result, answer.property);
  }

  /** Takes money for a reservation; once its deposit is paid a PENDING one is CONFIRMED. */
  @Post(':reservationId/payments')
  @Answers(stayAnswers.paymentAnswer, 201)
  @Needs('reservation.pay', 'Take a payment')
  async pay(
    @TheReservationWrite() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: paymentBody }) body: PaymentBody,
  ) {
    const answer = await send(takePayment(this.services, caller, id, body, options));
    return paymentTaken(answer.result);
  }

  /**
   * The guest has not come: his rooms are sold again, the penalty is that of a late cancel. STAFF waits for check-in
   * time and the grace of the property. `?dryRun=true` only says what it would keep.
   */
  @Post(':reservationId/no-show')
  @Answers(stayAnswers.cancellationAnswer)
  @Needs('reservation.no-show', 'Mark a no-show')
  async noShow(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: reasonBody }) { reason }: ReasonBody,
  ) {
    const afterGrace = !may(caller, 'reservation.no-show-early');
    const answer = await send(markNoShow(this.services, caller, id, { ...options, reason, afterGrace }));
    return cancellationOf(answer.result.reservation);
  }

  /**
   * The guest leaves: what is due is charged to the card on file, the room has to be cleaned; `?dryRun=true` only says
   * what the bill would be.
   */
  @Post(':reservationId/checkout')
  @Answers(stayAnswers.checkOutAnswer)
  @Needs('reservation.check-out', 'Check out')
  async checkOut(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: checkOutBody }) body: CheckOutBody,
  ) {
    const answer = await send(checkOut(this.services, caller, id, body, options));
    return checkedOut(answer.result, stayLinks(this.services, caller.tenantId, answer.result.reservation));
  }

  /** Cancels by the policy that the reservation was booked under; `?dryRun=true` only says what it would cost. */
  @Delete(':reservationId')
  @Answers(stayAnswers.cancellationAnswer)
  @Needs('reservation.cancel', 'Cancel a reservation')
  async cancel(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: cancelBody }) body: CancelBody,
  ) {
    const answer = await send(cancelReservation(this.services, caller, id, body, options));
    return cancellationOf(answer.result.reservation);
  }
}
