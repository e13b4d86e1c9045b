import { Body, Controller, Get, Headers, Inject, Param, Put, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { surveyAnswer } from '../../../src/guests/contracts/stay-survey.ts';
import { guestLink } from '../../../src/guests/operations/guest-link.ts';
import { isErased } from '../../../src/guests/rules/erasure.ts';
import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { assignRoom } from '../../../src/rooms/operations/assign-rooms.ts';
import * as papers from '../../../src/stay/contracts/stay-papers.ts';
import { getReservation } from '../../../src/stay/operations/find-reservations.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { ifMatch, SERVICES, stamp, stampDryRun, timed } from '../answer.ts';
import { survey } from '../guests/render/survey.ts';
import { assignedRoom, invoice, reservationHistory, verification } from './render/stay-papers.ts';

/**
 * What belongs to one stay beside itself: its room, its history and its papers
 * (docs/reference/reservations.md#reservations).
 */
@Controller('api/v1/reservations/:reservationId')
export class StayPapers {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Gives the stay a room; a guest in house moves there at once. `?dryRun=true` only says whether he would. */
  @Put('room')
  @Answers(papers.assignedRoomAnswer)
  @Needs('reservation.room')
  async room(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: papers.assignRoomBody }) { roomNumber }: papers.AssignRoomBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.assignedRoomAnswer>> {
    const options = { key, ifVersion: ifMatch(match), dryRun };
    const answer = await timed(reply, 'actor', assignRoom(this.#services, caller, id, roomNumber, options));
    stampDryRun(reply, answer, dryRun);
    return assignedRoom(answer.result);
  }

  /** Everything that became of it, by whom and why. */
  @Get('history')
  @Answers(papers.reservationHistoryAnswer)
  @Needs('reservation.read')
  async history(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.reservationHistoryAnswer>> {
    const { reservation, seq } = await timed(reply, 'db', getReservation(this.#services, caller, id));
    stamp(reply, { seq });
    const changes = this.#services.reservations.statusHistory(caller.tenantId, id);
    return reservationHistory(reservation, await timed(reply, 'db', changes));
  }

  /** The invoice; until the guest has left what it would be. */
  @Get('invoice')
  @Answers(papers.invoiceAnswer)
  @Needs('reservation.read')
  async invoice(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.invoiceAnswer>> {
    const { reservation, property, seq } = await timed(reply, 'db', getReservation(this.#services, caller, id));
    stamp(reply, { seq });
    const to = isErased(reservation) ? await this.#services.guestErasure.issuedTo(caller.tenantId, id) : undefined;
    const link = guestLink(this.#services, 'receipt', caller.tenantId, reservation);
    return invoice({ reservation, to }, property, caller, link);
  }

  /** What the guest said of the stay, when it was over. */
  @Get('survey')
  @Answers(surveyAnswer)
  @Needs('reservation.read')
  async survey(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof surveyAnswer>> {
    const { seq } = await timed(reply, 'db', getReservation(this.#services, caller, id));
    stamp(reply, { seq });
    return survey(id, await timed(reply, 'db', this.#services.surveys.of(caller.tenantId, id)), caller);
  }

  /** Whether the desk has seen who the guest is. */
  @Get('guest-verification')
  @Answers(papers.verificationAnswer)
  @Needs('desk.read')
  async verification(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.verificationAnswer>> {
    const { reservation, seq } = await timed(reply, 'db', getReservation(this.#services, caller, id));
    stamp(reply, { seq });
    return verification(reservation);
  }
}
