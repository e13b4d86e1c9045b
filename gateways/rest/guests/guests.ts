import { Body, Controller, Delete, Get, Inject, Param, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import * as answers from '../../../src/guests/contracts/guest-answers.ts';
import {
  type GuestBody,
  guestBody,
  type GuestPageQuery,
  guestPageQuery,
  type GuestsQuery,
  guestsQuery,
} from '../../../src/guests/contracts/guests.ts';
import { changeGuest } from '../../../src/guests/operations/change-guest.ts';
import { getGuest, listGuests } from '../../../src/guests/operations/find-guests.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as guestExportAnswers from '../../../src/privacy/contracts/guest-export-answers.ts';
import { eraseGuest } from '../../../src/privacy/operations/erase-guest.ts';
import { exportGuest } from '../../../src/privacy/operations/export-guest.ts';
import { reservationListAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { listStays } from '../../../src/stay/operations/find-reservations.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Costly, Needs, HttpReply, StaysHere, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stampReplay, timed } from '../answer.ts';
import { renderListedReservation } from '../stay/render/reservation.ts';
import { exportedGuest, listedGuest, wholeGuest } from './render/guest.ts';

/** Guest profiles of a tenant, over all its properties (docs/reference/reservations.md#guests). */
@Controller('api/v1/guests')
export class Guests {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Guests by words of their name or e-mail address, by e-mail address or by loyalty tier, newest first. */
  @Get()
  @Answers(answers.guestListAnswer)
  @Needs('guest.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: guestsQuery }) query: GuestsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.guestListAnswer>> {
    const { items, nextCursor } = await timed(reply, 'db', listGuests(this.#services, caller, query));
    const shown = items.map((profile) => listedGuest(profile, caller));
    return listAnswer(reply, request.url, shown, nextCursor);
  }

  /** A profile with its loyalty and its stays in short. */
  @Get(':guestId')
  @Answers(answers.guestAnswer)
  @Needs('guest.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('guestId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.guestAnswer>> {
    return wholeGuest(await timed(reply, 'db', getGuest(this.#services, caller, id)), caller);
  }

  /** Reservations of a guest, newest first. */
  @Get(':guestId/reservations')
  @Answers(reservationListAnswer)
  @Needs('guest.read')
  async stays(
    @TheCaller() caller: Caller,
    @Param('guestId') id: string,
    @Query({ schema: guestPageQuery }) query: GuestPageQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof reservationListAnswer>> {
    const { items, tierOf, nextCursor } = await timed(reply, 'db', listStays(this.#services, caller, id, query));
    const shown = items.map((reservation) => renderListedReservation(reservation, caller, tierOf(reservation)));
    return listAnswer(reply, request.url, shown, nextCursor);
  }

  /** Corrects contact data and preferences; what is not named stays, and so do the copies in reservations. */
  @Put(':guestId')
  @Answers(answers.guestAnswer)
  @Needs('guest.change')
  async change(
    @TheCaller() caller: Caller,
    @Param('guestId') id: string,
    @Body({ schema: guestBody }) body: GuestBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.guestAnswer>> {
    const done = await timed(reply, 'db', changeGuest(this.#services, caller, id, body, key));
    stampReplay(reply, done);
    return wholeGuest(done.result, caller);
  }

  /** All that is kept about a guest, as one document for himself. */
  @Get(':guestId/export')
  @Answers(guestExportAnswers.guestExportAnswer)
  @Needs('guest.export')
  @Costly()
  async export(
    @TheCaller() caller: Caller,
    @Param('guestId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof guestExportAnswers.guestExportAnswer>> {
    const exported = await timed(reply, 'db', exportGuest(this.#services, caller, id));
    reply.header('content-disposition', `attachment; filename="guest-${exported.guest.profile.guestId}.json"`);
    return exportedGuest(exported);
  }

  /** Forgets a guest whose stays are over: the books stay, the person goes. */
  @Delete(':guestId')
  @Answers(guestExportAnswers.erasureAnswer)
  @Needs('guest.erase')
  @StaysHere()
  async erase(
    @TheCaller() caller: Caller,
    @Param('guestId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof guestExportAnswers.erasureAnswer>> {
    const { erasedAt, replayed } = await timed(reply, 'actor', eraseGuest(this.#services, caller, id, key));
    stampReplay(reply, { replayed });
    return { guestId: id, status: 'ERASED', erasedAt };
  }
}
