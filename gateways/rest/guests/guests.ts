import { Controller, Delete, Get, Inject, Put } from '@nestjs/common';

import * as answers from '../../../src/guests/contracts/guest-answers.ts';
import * as contract from '../../../src/guests/contracts/guests.ts';
import { changeGuest } from '../../../src/guests/operations/change-guest.ts';
import { getGuest, listGuests } from '../../../src/guests/operations/find-guests.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { GuestId } from '../../../src/kernel/rules/ids.ts';
import * as guestExportAnswers from '../../../src/privacy/contracts/guest-export-answers.ts';
import { eraseGuest } from '../../../src/privacy/operations/erase-guest.ts';
import { exportGuest } from '../../../src/privacy/operations/export-guest.ts';
import { reservationListAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { listStays } from '../../../src/stay/operations/find-reservations.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Costly, Needs, StaysHere } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { leftOutOf, renderListedReservation } from '../stay/render/reservation.ts';
import { exportedGuest, listedGuest, wholeGuest } from './render/guest.ts';

/** Guest profiles of a tenant, over all its properties (docs/reference/reservations.md#guests). */
@Controller('api/v1/guests')
export class Guests {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Guests by words of their name or e-mail address, by e-mail address, or by loyalty tier, newest first. */
  @Get()
  @Answers(answers.guestListAnswer)
  @Needs('guest.read', 'Search guests')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.guestsQuery }) query: contract.GuestsQuery,
  ) {
    const { items, nextCursor } = await response.db(listGuests(this.services, caller, query));
    const shown = items.map((profile) => listedGuest(profile, caller));
    return response.list(shown, nextCursor);
  }

  /** A profile with its loyalty and a summary of its stays. */
  @Get(':guestId')
  @Answers(answers.guestAnswer)
  @Needs('guest.read', 'Read a guest profile')
  async get(@TheRead() { caller, response }: Read, @Param('guestId') id: GuestId) {
    return wholeGuest(await response.db(getGuest(this.services, caller, id)), caller);
  }

  /** Reservations of a guest, newest first. */
  @Get(':guestId/reservations')
  @Answers(reservationListAnswer)
  @Needs('guest.read', 'List the stays of a guest')
  async stays(
    @TheRead() { caller, response }: Read,
    @Param('guestId') id: GuestId,
    @Query({ schema: contract.guestPageQuery }) query: contract.GuestPageQuery,
  ) {
    const { items, unreadable, tierOf, nextCursor } = await response.db(listStays(this.services, caller, id, query));
    const shown = items.map((reservation) => renderListedReservation(reservation, caller, tierOf(reservation)));
    return { ...response.list(shown, nextCursor), leftOut: leftOutOf(unreadable) };
  }

  /** Corrects contact data and preferences; unnamed fields stay, and so do the copies in reservations. */
  @Put(':guestId')
  @Answers(answers.guestAnswer)
  @Needs('guest.change', 'Change a guest profile')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('guestId') id: GuestId,
    @Body({ schema: contract.guestBody }) body: contract.GuestBody,
  ) {
    const done = await response.db(changeGuest(this.services, caller, id, body, key));
    return wholeGuest(done.result, caller);
  }

  /** Everything stored about a guest, as a document for the guest. */
  @Get(':guestId/export')
  @Answers(guestExportAnswers.guestExportAnswer)
  @Needs('guest.export', 'Export all data about a guest')
  @Costly()
  async export(@TheRead() { caller, response }: Read, @Param('guestId') id: GuestId) {
    const exported = await response.db(exportGuest(this.services, caller, id));
    response.header('content-disposition', `attachment; filename="guest-${exported.guest.profile.guestId}.json"`);
    return exportedGuest(exported);
  }

  /** Erases a guest whose stays are over; bookings remain without personal data. */
  @Delete(':guestId')
  @Answers(guestExportAnswers.erasureAnswer)
  @Needs('guest.erase', 'Erase a guest')
  @StaysHere()
  async erase(@TheWrite() { caller, key, response }: Write, @Param('guestId') id: GuestId) {
    const { erasedAt } = await response.actor(eraseGuest(this.services, caller, id, key));
    return { guestId: id, status: 'ERASED' as const, erasedAt };
  }
}
