import { Controller, Get, Inject, Put } from '@nestjs/common';

import { surveyAnswer } from '../../../src/guests/contracts/stay-survey.ts';
import { guestLink } from '../../../src/guests/operations/guest-link.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import { assignRoom } from '../../../src/rooms/operations/assign-rooms.ts';
import * as papers from '../../../src/stay/contracts/stay-documents.ts';
import { getReservation } from '../../../src/stay/operations/find-reservations.ts';
import { readInvoice } from '../../../src/stay/operations/read-invoice.ts';
import { whoNames } from '../../../src/tenants/operations/who-names.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { survey } from '../guests/render/survey.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { invoice } from './render/invoice.ts';
import { assignedRoom, reservationHistory, verification } from './render/stay-documents.ts';

/**
 * Room, history, documents and ID check of a stay
 * (docs/reference/reservations.md#reservations).
 */
@Controller('api/v1/reservations/:reservationId')
export class StayDocuments {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Gives the stay a room; a guest in house moves there at once. `?dryRun=true` only says whether he would. */
  @Put('room')
  @Answers(papers.assignedRoomAnswer)
  @Needs('reservation.room', 'Move a stay to another room')
  async room(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: papers.assignRoomBody }) { roomNumber }: papers.AssignRoomBody,
  ) {
    const answer = await send(assignRoom(this.services, caller, id, roomNumber, options));
    return assignedRoom(answer.result);
  }

  /** Status history: each change with its user and reason. */
  @Get('history')
  @Answers(papers.reservationHistoryAnswer)
  @Needs('reservation.read', 'Read the history of a reservation')
  async history(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    const { reservation } = await response.db(getReservation(this.services, caller, id));
    const changes = this.services.reservations.statusHistory(caller.tenantId, id);
    const who = reservation.timeline.map(({ by }) => by);
    const names = await whoNames(this.services, caller, who);
    return reservationHistory(reservation, await response.db(changes), names);
  }

  /** The invoice with its credit notes; before the end of the stay, a preview. */
  @Get('invoice')
  @Answers(papers.invoiceAnswer)
  @Needs('reservation.read', 'Read the invoice')
  async invoice(
    @TheRead() { caller, response }: Read,
    @Param('reservationId') id: ReservationId,
    @Query({ schema: papers.stayInvoiceQuery }) { window }: papers.StayInvoiceQuery,
  ) {
    const { property, ...invoiced } = await response.db(readInvoice(this.services, caller, id, window ?? 'REST'));
    const link = guestLink(this.services, 'receipt', caller.tenantId, invoiced.reservation);
    return invoice(invoiced, property, caller, link);
  }

  /** Answers of the guest to the survey after the stay. */
  @Get('survey')
  @Answers(surveyAnswer)
  @Needs('reservation.read', 'Read the answers to the survey')
  async survey(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    await response.db(getReservation(this.services, caller, id));
    return survey(id, await response.db(this.services.surveys.of(caller.tenantId, id)), caller);
  }

  /** ID check of the guest. */
  @Get('guest-verification')
  @Answers(papers.verificationAnswer)
  @Needs('desk.read', 'Read the identity check')
  async verification(@TheRead() { caller, response }: Read, @Param('reservationId') id: ReservationId) {
    const { reservation } = await response.db(getReservation(this.services, caller, id));
    return verification(reservation);
  }
}
