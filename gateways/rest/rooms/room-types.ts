import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import { existing } from '../../../src/kernel/operations/existing.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import {
  type CreateRoomTypeBody,
  createRoomTypeBody,
  type UpdateRoomTypeBody,
  updateRoomTypeBody,
} from '../../../src/properties/contracts/properties.ts';
import * as propertyAnswers from '../../../src/properties/contracts/property-answers.ts';
import { putRoomType, removeRoomType, restoreRoomType } from '../../../src/rooms/operations/set-up-rooms.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamp } from '../answer.ts';
import { renderRoomType } from '../properties/render/property.ts';

/** Room types of a property (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/room-types')
export class RoomTypes {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(propertyAnswers.roomTypeListAnswer)
  @Needs('property.read')
  async list(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomTypeListAnswer>> {
    const { seq, setup } = await this.#services.properties.view({ tenantId, propertyId });
    stamp(reply, { seq });
    return { items: setup.roomTypes.map(renderRoomType), nextCursor: null };
  }

  @Post()
  @Answers(propertyAnswers.roomTypeAnswer, 201)
  @HttpCode(201)
  @Needs('property.set-up')
  async create(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: createRoomTypeBody }) body: CreateRoomTypeBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomTypeAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await putRoomType(this.#services, caller, to, body.roomType, body, 'create', key);
    stamp(reply, answer);
    const path = `/api/v1/tenants/${to.tenantId}/properties/${propertyId}/room-types/${body.roomType}`;
    reply.header('location', path);
    return renderRoomType(answer.result);
  }

  @Get(':roomType')
  @Answers(propertyAnswers.roomTypeAnswer)
  @Needs('property.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomType') code: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomTypeAnswer>> {
    const { seq, setup } = await this.#services.properties.view({ tenantId, propertyId });
    stamp(reply, { seq });
    return renderRoomType(
      existing(
        setup.roomTypes.find(({ roomType }) => roomType === code),
        'ROOM_TYPE_NOT_FOUND',
      ),
    );
  }

  @Put(':roomType')
  @Answers(propertyAnswers.roomTypeAnswer)
  @Needs('property.set-up')
  async replace(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomType') code: string,
    @Body({ schema: updateRoomTypeBody }) body: UpdateRoomTypeBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomTypeAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await putRoomType(this.#services, caller, to, code, body, 'replace', key);
    stamp(reply, answer);
    return renderRoomType(answer.result);
  }

  /** With its count and its rooms; its nights are those of a new type, without a rate. */
  @Post(':roomType/restore')
  @Answers(propertyAnswers.roomTypeAnswer)
  @HttpCode(200)
  @Needs('property.set-up')
  async restore(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomType') code: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.roomTypeAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await restoreRoomType(this.#services, caller, to, code, key);
    stamp(reply, answer);
    return renderRoomType(answer.result);
  }

  @Delete(':roomType')
  @Answers(answers.removed)
  @Needs('property.set-up')
  async remove(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('roomType') code: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.removed>> {
    stamp(reply, await removeRoomType(this.#services, caller, { tenantId: caller.tenantId, propertyId }, code, key));
    return { id: code, status: 'REMOVED' };
  }
}
