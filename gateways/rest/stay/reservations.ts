import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Post,
  Put,
  Query,
  Req,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { stayLinks } from '../../../src/guests/operations/guest-link.ts';
import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
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
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { ForOwner, Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { ifMatch, listAnswer, SERVICES, stampReservation, stampDryRun, timed } from '../answer.ts';
import { checkedIn } from './render/check-in.ts';
import { checkedOut } from './render/check-out.ts';
import {
  cancellationOf,
  createdReservation,
  renderListedReservation,
  modification,
  paymentTaken,
  wholeReservation,
} from './render/reservation.ts';

/** The reservation service (docs/reference/reservations.md#reservations). */
@Controller('api/v1/reservations')
export class Reservations {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Books a stay: paid with a card at once, or PENDING until it is paid. */
  @Post()
  @Answers(stayAnswers.createdAnswer, 201)
  @HttpCode(201)
  @Needs('reservation.create')
  @ForOwner()
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: createBody }) body: CreateBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.createdAnswer>> {
    const answer = await timed(reply, 'actor', createReservation(this.#services, caller, body, key));
    const { reservation } = answer.result;
    stampReservation(reply, answer, reservation);
    reply.header('location', `/api/v1/reservations/${reservation.id}`);
    return createdReservation(reservation);
  }

  /** Reservations of the tenant, newest first. */
  @Get()
  @Answers(stayAnswers.reservationListAnswer)
  @Needs('reservation.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: listQuery }) query: ListQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.reservationListAnswer>> {
    const { items, tierOf, nextCursor } = await timed(reply, 'db', listReservations(this.#services, caller, query));
    const shown = items.map((reservation) => renderListedReservation(reservation, caller, tierOf(reservation)));
    return listAnswer(reply, request.url, shown, nextCursor);
  }

  @Get(':reservationId')
  @Answers(stayAnswers.reservationAnswer)
  @Needs('reservation.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.reservationAnswer>> {
    const found = await timed(reply, 'db', getReservation(this.#services, caller, id));
    const { reservation, property, tier, seq } = found;
    stampReservation(reply, { seq }, reservation);
    return wholeReservation(reservation, property, caller, tier);
  }

  /** Changes dates, room type, guests, contact data or requests; `?dryRun=true` only says what would come of it. */
  @Put(':reservationId')
  @Answers(stayAnswers.modificationAnswer)
  @Needs('reservation.modify')
  async modify(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: modifyBody }) body: ModifyBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.modificationAnswer>> {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await timed(reply, 'actor', modifyReservation(this.#services, caller, id, body, options));
    stampDryRun(reply, answer, dryRun);
    return modification(answer.result);
  }

  /**
   * The guest has come: a ready room of the type, or a better one for a member when there is none; `?dryRun=true` only
   * says which.
   */
  @Post(':reservationId/checkin')
  @Answers(stayAnswers.checkInAnswer)
  @HttpCode(200)
  @Needs('reservation.check-in')
  async checkIn(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: checkInBody }) body: CheckInBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.checkInAnswer>> {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await timed(reply, 'actor', checkIn(this.#services, caller, id, body, options));
    stampDryRun(reply, answer, dryRun);
    return checkedIn(answer.result, answer.property);
  }

  /** Takes money for a reservation; once its deposit is paid a PENDING one is CONFIRMED. */
  @Post(':reservationId/payments')
  @Answers(stayAnswers.paymentAnswer, 201)
  @HttpCode(201)
  @Needs('reservation.pay')
  async pay(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: paymentBody }) body: PaymentBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.paymentAnswer>> {
    const options = { key, ifVersion: ifMatch(match) };
    const answer = await timed(reply, 'actor', takePayment(this.#services, caller, id, body, options));
    stampReservation(reply, answer, answer.result.reservation);
    return paymentTaken(answer.result);
  }

  /** The guest has not come: his rooms are sold again, the penalty is that of a late cancel. */
  @Post(':reservationId/no-show')
  @Answers(stayAnswers.cancellationAnswer)
  @HttpCode(200)
  @Needs('reservation.no-show')
  async noShow(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: reasonBody }) { reason }: ReasonBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.cancellationAnswer>> {
    const options = { key, ifVersion: ifMatch(match), reason };
    const answer = await timed(reply, 'actor', markNoShow(this.#services, caller, id, options));
    stampReservation(reply, answer, answer.result.reservation);
    return cancellationOf(answer.result.reservation);
  }

  /**
   * The guest leaves: what is due is charged to the card on file, the room has to be cleaned; `?dryRun=true` only says
   * what the bill would be.
   */
  @Post(':reservationId/checkout')
  @Answers(stayAnswers.checkOutAnswer)
  @HttpCode(200)
  @Needs('reservation.check-out')
  async checkOut(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: checkOutBody }) body: CheckOutBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.checkOutAnswer>> {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await timed(reply, 'actor', checkOut(this.#services, caller, id, body, options));
    stampDryRun(reply, answer, dryRun);
    return checkedOut(answer.result, stayLinks(this.#services, caller.tenantId, answer.result.reservation));
  }

  /** Cancels by the policy that the reservation was booked under; `?dryRun=true` only says what it would cost. */
  @Delete(':reservationId')
  @Answers(stayAnswers.cancellationAnswer)
  @HttpCode(200)
  @Needs('reservation.cancel')
  async cancel(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: cancelBody }) body: CancelBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof stayAnswers.cancellationAnswer>> {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await timed(reply, 'actor', cancelReservation(this.#services, caller, id, body, options));
    stampDryRun(reply, answer, dryRun);
    return cancellationOf(answer.result.reservation);
  }
}
