import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  changeMapping,
  createMapping,
  getMapping,
  listMappings,
  removeMapping,
  restoreMapping,
} from '../../../src/channels/operations/set-up-channels.ts';
import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as contract from '../../../src/tenants/contracts/tenants.ts';
import { Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamped } from '../answer.ts';
import { mappingAnswer } from '../tenants/render/tenant.ts';

/** Which room type of a property a channel sells as which of its own (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/channel-mappings')
export class ChannelMappings {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(contract.channelMappingListAnswer)
  @Needs('admin.read')
  async list(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: string,
    @Query({ schema: contract.recordsQuery }) query: contract.RecordsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    const { items, nextCursor } = await listMappings(this.#services, { tenantId, propertyId }, query);
    return listAnswer(reply, request.url, items.map(mappingAnswer), nextCursor);
  }

  @Post()
  @Answers(contract.channelMappingAnswer, 201)
  @HttpCode(201)
  @Needs('property.set-up')
  async create(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: string,
    @Body({ schema: contract.channelMappingBody }) body: contract.ChannelMappingBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    const mapping = stamped(reply, await createMapping(this.#services, caller, propertyId, body, key));
    reply.header(
      'location',
      `/api/v1/tenants/${caller.tenantId}/properties/${propertyId}/channel-mappings/${mapping.id}`,
    );
    return mappingAnswer(mapping);
  }

  @Get(':mappingId')
  @Answers(contract.channelMappingAnswer)
  @Needs('admin.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: string,
    @Param('mappingId') id: string,
  ): Promise<unknown> {
    return mappingAnswer(await getMapping(this.#services, { tenantId, propertyId }, id));
  }

  @Put(':mappingId')
  @Answers(contract.channelMappingAnswer)
  @Needs('property.set-up')
  async update(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: string,
    @Param('mappingId') id: string,
    @Body({ schema: contract.channelMappingBody }) body: contract.ChannelMappingBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    return mappingAnswer(stamped(reply, await changeMapping(this.#services, caller, propertyId, id, body, key)));
  }

  @Delete(':mappingId')
  @Answers(removed)
  @Needs('property.set-up')
  async remove(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: string,
    @Param('mappingId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    stamped(reply, await removeMapping(this.#services, caller, propertyId, id, key));
    return { id, status: 'REMOVED' };
  }

  @Post(':mappingId/restore')
  @Answers(contract.channelMappingAnswer)
  @HttpCode(200)
  @Needs('property.set-up')
  async restore(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: string,
    @Param('mappingId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    return mappingAnswer(stamped(reply, await restoreMapping(this.#services, caller, propertyId, id, key)));
  }
}
