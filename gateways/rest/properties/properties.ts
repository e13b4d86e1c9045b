import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import {
  type CreatePropertyBody,
  createPropertyBody,
  type PageQuery,
  pageQuery,
  type UpdatePropertyBody,
  updatePropertyBody,
} from '../../../src/properties/contracts/properties.ts';
import * as propertyAnswers from '../../../src/properties/contracts/property-answers.ts';
import { listProperties } from '../../../src/properties/operations/list-properties.ts';
import {
  createProperty,
  deleteProperty,
  restoreProperty,
  updateProperty,
} from '../../../src/properties/operations/set-up-property.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp } from '../answer.ts';
import { renderProperty } from './render/property.ts';

/** Properties of a tenant (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties')
export class Properties {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(propertyAnswers.propertyListAnswer)
  @Needs('property.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: pageQuery }) query: PageQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.propertyListAnswer>> {
    const { items, nextCursor } = await listProperties(this.#services, caller, query);
    const shown = items.map((property) => renderProperty(property));
    return listAnswer(reply, request.url, shown, nextCursor);
  }

  @Post()
  @Answers(propertyAnswers.propertyAnswer, 201)
  @HttpCode(201)
  @Needs('property.set-up')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: createPropertyBody }) body: CreatePropertyBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.propertyAnswer>> {
    const answer = await createProperty(this.#services, caller, body, key);
    stamp(reply, answer);
    reply.header('location', `/api/v1/tenants/${caller.tenantId}/properties/${answer.result.propertyId}`);
    return renderProperty(answer.result, []);
  }

  @Get(':propertyId')
  @Answers(propertyAnswers.propertyAnswer)
  @Needs('property.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.propertyAnswer>> {
    const { seq, setup } = await this.#services.properties.view({ tenantId, propertyId });
    stamp(reply, { seq });
    return renderProperty(setup.property, setup.roomTypes);
  }

  @Put(':propertyId')
  @Answers(propertyAnswers.propertyAnswer)
  @Needs('property.set-up')
  async update(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: updatePropertyBody }) body: UpdatePropertyBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.propertyAnswer>> {
    const answer = await updateProperty(this.#services, caller, propertyId, body, key);
    stamp(reply, answer);
    return renderProperty(answer.result);
  }

  /** As it was: nothing of it was taken away. */
  @Post(':propertyId/restore')
  @Answers(propertyAnswers.propertyAnswer)
  @HttpCode(200)
  @Needs('property.set-up')
  async restore(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof propertyAnswers.propertyAnswer>> {
    const answer = await restoreProperty(this.#services, caller, propertyId, key);
    stamp(reply, answer);
    return renderProperty(answer.result);
  }

  @Delete(':propertyId')
  @Answers(answers.removed)
  @Needs('property.set-up')
  async remove(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.removed>> {
    stamp(reply, await deleteProperty(this.#services, caller, propertyId, key));
    return { id: propertyId, status: 'REMOVED' };
  }
}
