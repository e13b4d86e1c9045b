import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { holdAnswer as holdSchema } from '../../../src/stay/contracts/hold-answers.ts';
import { type HoldBody, holdBody } from '../../../src/stay/contracts/holds.ts';
import { extendHold } from '../../../src/stay/operations/extend-hold.ts';
import { getHold } from '../../../src/stay/operations/find-hold.ts';
import { placeHold } from '../../../src/stay/operations/place-hold.ts';
import { releaseHold } from '../../../src/stay/operations/release-hold.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { ForOwner, Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamp, timed } from '../answer.ts';
import { renderHold, releasedHold } from './render/hold.ts';

/** Rooms set aside for a while at a price that is kept (docs/reference/reservations.md#holds). */
@Controller('api/v1/reservations/holds')
export class Holds {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Holds 1 to 10 rooms; creates that name the hold book one of them each, at its price. */
  @Post()
  @Answers(holdSchema, 201)
  @HttpCode(201)
  @Needs('hold.place')
  @ForOwner()
  async place(
    @TheCaller() caller: Caller,
    @Body({ schema: holdBody }) body: HoldBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof holdSchema>> {
    const answer = await timed(reply, 'actor', placeHold(this.#services, caller, body, key));
    stamp(reply, answer);
    reply.header('location', `/api/v1/reservations/holds/${answer.result.id}`);
    return renderHold(answer.result, body.propertyId);
  }

  @Get(':holdId')
  @Answers(holdSchema)
  @Needs('reservation.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('holdId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof holdSchema>> {
    const { hold, propertyId, seq } = await timed(reply, 'db', getHold(this.#services, caller, id));
    stamp(reply, { seq });
    return renderHold(hold, propertyId, this.#services.clock.now());
  }

  /** Gives the hold its time once more, counted from now. */
  @Post(':holdId/extend')
  @Answers(holdSchema)
  @HttpCode(200)
  @Needs('hold.place')
  async extend(
    @TheCaller() caller: Caller,
    @Param('holdId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof holdSchema>> {
    const answer = await timed(reply, 'actor', extendHold(this.#services, caller, id, key));
    stamp(reply, answer);
    return renderHold(answer.result, answer.to.propertyId);
  }

  /** Rooms that were not booked are free at once. */
  @Delete(':holdId')
  @Answers(holdSchema)
  @Needs('hold.release')
  async release(
    @TheCaller() caller: Caller,
    @Param('holdId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof holdSchema>> {
    const answer = await timed(reply, 'actor', releaseHold(this.#services, caller, id, key));
    stamp(reply, answer);
    return releasedHold(answer.result, answer.to.propertyId);
  }
}
