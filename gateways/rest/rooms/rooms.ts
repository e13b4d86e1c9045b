import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import { existing } from '../../../src/kernel/operations/existing.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import {
  type CreateRoomBody,
  createRoomBody,
  type PageQuery,
  pageQuery,
  type UpdateRoomBody,
  type RoomStatusBody,
  roomStatusBody,
  updateRoomBody,
} from '../../../src/properties/contracts/properties.ts';
import * as propertyAnswers from '../../../src/properties/contracts/property-answers.ts';
import { listRooms } from '../../../src/rooms/operations/read-rooms.ts';
import { putRoom, removeRoom, restoreRoom, setRoomStatus } from '../../../src/rooms/operations/set-up-rooms.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp, timed } from '../answer.ts';

/** Rooms of a property (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/rooms')
export class Rooms {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(propertyAnswers.roomListAnswer)
  @Needs('property.read')
  async list(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Query({ schema: pageQuery }) query: PageQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomListAnswer>> {
    const { items, nextCursor, seq } = await listRooms(this.#services, { tenantId, propertyId }, query);
    stamp(reply, { seq });
    return listAnswer(reply, request.url, items, nextCursor);
  }

  @Post()
  @Answers(propertyAnswers.roomAnswer, 201)
  @HttpCode(201)
  @Needs('property.set-up')
  async create(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: createRoomBody }) body: CreateRoomBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await timed(
      reply,
      'actor',
      putRoom(this.#services, caller, to, body.roomNumber, body, 'create', key),
    );
    stamp(reply, answer);
    reply.header('location', `/api/v1/tenants/${to.tenantId}/properties/${propertyId}/rooms/${body.roomNumber}`);
    return answer.result;
  }

  @Get(':roomNumber')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('property.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomNumber') number: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomAnswer>> {
    const { seq, setup } = await this.#services.properties.view({ tenantId, propertyId });
    stamp(reply, { seq });
    return existing(
      setup.rooms.find(({ roomNumber }) => roomNumber === number),
      'ROOM_NOT_FOUND',
    );
  }

  @Put(':roomNumber')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('property.set-up')
  async replace(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomNumber') number: string,
    @Body({ schema: updateRoomBody }) body: UpdateRoomBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await timed(reply, 'actor', putRoom(this.#services, caller, to, number, body, 'replace', key));
    stamp(reply, answer);
    return answer.result;
  }

  /** Housekeeping's word on a room. */
  @Put(':roomNumber/status')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('room.status')
  async status(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomNumber') number: string,
    @Body({ schema: roomStatusBody }) body: RoomStatusBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await timed(reply, 'actor', setRoomStatus(this.#services, caller, to, number, body, key));
    stamp(reply, answer);
    return answer.result;
  }

  @Post(':roomNumber/restore')
  @Answers(propertyAnswers.roomAnswer)
  @HttpCode(200)
  @Needs('property.set-up')
  async restore(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomNumber') number: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await timed(reply, 'actor', restoreRoom(this.#services, caller, to, number, key));
    stamp(reply, answer);
    return answer.result;
  }

  @Delete(':roomNumber')
  @Answers(answers.removed)
  @Needs('property.set-up')
  async remove(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomNumber') number: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.removed>> {
    const to = { tenantId: caller.tenantId, propertyId };
    stamp(reply, await timed(reply, 'actor', removeRoom(this.#services, caller, to, number, key)));
    return { id: number, status: 'REMOVED' };
  }
}
