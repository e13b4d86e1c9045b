import { Controller, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { BookingId } from '../../../src/kernel/rules/ids.ts';
import { type BookingBody, bookingBody } from '../../../src/stay/contracts/reservations.ts';
import * as stayAnswers from '../../../src/stay/contracts/stay-answers.ts';
import { createBooking, getBooking } from '../../../src/stay/operations/create-booking.ts';
import { Answers, OrWithStatus } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { ForOwner, Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { bookingNow, createdBooking } from './render/reservation.ts';

/** Several rooms that are booked together (docs/reference/bookings.md#several-rooms). */
@Controller('api/v1/bookings')
export class Bookings {
  @Inject(SERVICES) private readonly services!: Services;

  /** Books all of the rooms, or none of them. */
  @Post()
  @Answers(stayAnswers.bookingAnswer, 201)
  @OrWithStatus(stayAnswers.bookingAnswer, 200, 'Known by its `externalId`')
  @Needs('reservation.create', 'Book several rooms')
  @ForOwner()
  async create(@TheWrite() { caller, key, response }: Write, @Body({ schema: bookingBody }) body: BookingBody) {
    const { result, isKnown } = await response.actor(createBooking(this.services, caller, body, key));
    if (isKnown) response.status(200);
    response.header('location', `/api/v1/bookings/${result[0]!.bookingId}`);
    return createdBooking(result);
  }

  /** The reservations of a booking, as they are now. */
  @Get(':bookingId')
  @Answers(stayAnswers.bookingNowAnswer)
  @Needs('reservation.read', 'Read a booking')
  async read(@TheRead() { caller, response }: Read, @Param('bookingId') id: BookingId) {
    const { reservations, tierOf } = await response.db(getBooking(this.services, caller, id));
    return bookingNow(reservations, caller, tierOf);
  }
}
