import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { HoldId } from '../../../src/kernel/rules/ids.ts';
import { holdAnswer as holdSchema } from '../../../src/stay/contracts/hold-answers.ts';
import { type HoldBody, holdBody } from '../../../src/stay/contracts/holds.ts';
import { extendHold, releaseHold } from '../../../src/stay/operations/holds/change-hold.ts';
import { getHold } from '../../../src/stay/operations/holds/find-hold.ts';
import { placeHold } from '../../../src/stay/operations/holds/place-hold.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { ForOwner, Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderHold, releasedHold } from './render/hold.ts';

/** Rooms set aside for a while at a price that is kept (docs/reference/reservations.md#holds). */
@Controller('api/v1/reservations/holds')
export class Holds {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Holds 1 to 10 rooms; creates that name the hold book one of them each, at its price. */
  @Post()
  @Answers(holdSchema, 201)
  @Needs('hold.place', 'Hold rooms for a short time')
  @ForOwner()
  async place(@TheWrite() { caller, key, response }: Write, @Body({ schema: holdBody }) body: HoldBody) {
    const answer = await response.actor(placeHold(this.services, caller, body, key));
    response.header('location', `/api/v1/reservations/holds/${answer.result.id}`);
    return renderHold(answer.result, body.propertyId);
  }

  @Get(':holdId')
  @Answers(holdSchema)
  @Needs('reservation.read', 'Read a hold')
  async get(@TheRead() { caller, response }: Read, @Param('holdId') id: HoldId) {
    const { hold, propertyId } = await response.db(getHold(this.services, caller, id));
    return renderHold(hold, propertyId, this.services.clock.now());
  }

  /** Gives the hold its time once more, counted from now. */
  @Post(':holdId/extend')
  @Answers(holdSchema)
  @Needs('hold.place', 'Extend a hold')
  async extend(@TheWrite() { caller, key, response }: Write, @Param('holdId') id: HoldId) {
    const answer = await response.actor(extendHold(this.services, caller, id, key));
    return renderHold(answer.result, answer.to.propertyId);
  }

  /** Rooms that were not booked are free at once. */
  @Delete(':holdId')
  @Answers(holdSchema)
  @Needs('hold.release', 'Release a hold')
  async release(@TheWrite() { caller, key, response }: Write, @Param('holdId') id: HoldId) {
    const answer = await response.actor(releaseHold(this.services, caller, id, key));
    return releasedHold(answer.result, answer.to.propertyId);
  }
}
