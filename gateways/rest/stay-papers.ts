import { Body, Controller, Get, Headers, Inject, Param, Put } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import * as papers from '../../src/contracts/stay-papers.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { assignRoom } from '../../src/operations/assign-rooms.ts';
import { getReservation } from '../../src/operations/find-reservations.ts';
import { openReceipt, receiptLink } from '../../src/operations/receipt-link.ts';
import type { Services } from '../../src/operations/services.ts';
import { Answers } from '../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../http/idempotency.ts';
import { Needs, Open, Reply, TheCaller } from '../http/route.ts';
import { ifMatch, SERVICES, stamp, stampReservation, timed } from './answer.ts';
import { page } from './page.ts';
import { assignedRoom, invoice, receipt, reservationHistory, verification } from './render/stay-papers.ts';

/** What belongs to one stay beside itself: its room, its history and its papers (contracts.md 7). */
@Controller('api/v1/reservations/:reservationId')
export class StayPapers {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Gives the stay a room; a guest in house moves there at once. */
  @Put('room')
  @Answers(papers.assignedRoomAnswer)
  @Needs('reservation.room')
  async room(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: papers.assignRoomBody }) { roomNumber }: papers.AssignRoomBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    const options = { key, ifVersion: ifMatch(match) };
    const answer = await timed(reply, 'actor', assignRoom(this.#services, caller, id, roomNumber, options));
    stampReservation(reply, answer, answer.result.reservation);
    return assignedRoom(answer.result);
  }

  /** Everything that became of it, by whom and why. */
  @Get('history')
  @Answers(papers.reservationHistoryAnswer)
  @Needs('reservation.read')
  async history(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
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
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    const { reservation, property, seq } = await timed(reply, 'db', getReservation(this.#services, caller, id));
    stamp(reply, { seq });
    return invoice(reservation, property, caller, receiptLink(this.#services, caller.tenantId, id));
  }

  /** Whether the desk has seen who the guest is. */
  @Get('guest-verification')
  @Answers(papers.verificationAnswer)
  @Needs('desk.read')
  async verification(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    const { reservation, seq } = await timed(reply, 'db', getReservation(this.#services, caller, id));
    stamp(reply, { seq });
    return verification(reservation);
  }
}

/** Receipts for guests, who have a link and no account. */
@Controller('receipts')
export class Receipts {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get(':link')
  @Open()
  async show(@Param('link') link: string, @Reply() reply: FastifyReply): Promise<string> {
    const { reservation, property } = await openReceipt(this.#services, link);
    reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
    return page(reply, `Receipt of ${property.name}`, receipt(reservation, property));
  }
}
