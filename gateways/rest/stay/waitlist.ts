import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { WaitlistId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/stay/contracts/waitlist.ts';
import {
  joinWaitlist,
  leaveWaitlist,
  listWaitlist,
  readWaiting,
} from '../../../src/stay/operations/wait-for-room.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { ForOwner, Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderWaiting } from './render/waitlist.ts';

/** Refused requests that wait for a room (docs/reference/waitlist.md#waitlist). */
@Controller('api/v1/reservations/waitlist')
export class Waitlist {
  @Inject(SERVICES) private readonly services!: Services;

  /** Puts a request at the end of the list, unless the stay can be booked now. */
  @Post()
  @Answers(contract.joinedAnswer, 201)
  @Needs('waitlist.join', 'Wait for a room')
  @ForOwner()
  async join(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.waitlistBody }) body: contract.WaitlistBody,
  ) {
    const { result } = await response.actor(joinWaitlist(this.services, caller, body, key));
    response.header('location', `/api/v1/reservations/waitlist/${result.waitlistId}`);
    return result;
  }

  /** Requests of a property, in order of their arrival. */
  @Get()
  @Answers(contract.waitlistListAnswer)
  @Needs('reservation.read', 'List the waitlist')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.waitlistQuery }) query: contract.WaitlistQuery,
  ) {
    const { items, nextCursor } = await response.db(listWaitlist(this.services, caller, query));
    return response.list(
      items.map((one) => renderWaiting(one, caller)),
      nextCursor,
    );
  }

  @Get(':waitlistId')
  @Answers(contract.waitlistAnswer)
  @Needs('reservation.read', 'Read a request on the waitlist')
  async get(@TheRead() { caller, response }: Read, @Param('waitlistId') id: WaitlistId) {
    return renderWaiting(await response.db(readWaiting(this.services, caller, id)), caller);
  }

  /** A room that is held for it is free at once. */
  @Delete(':waitlistId')
  @Answers(contract.leftAnswer)
  @Needs('waitlist.leave', 'Take a request off the waitlist')
  async leave(@TheWrite() { caller, key, response }: Write, @Param('waitlistId') id: WaitlistId) {
    return (await response.actor(leaveWaitlist(this.services, caller, id, key))).result;
  }
}
