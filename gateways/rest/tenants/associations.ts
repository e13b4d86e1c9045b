import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as contract from '../../../src/tenants/contracts/tenants.ts';
import {
  associate,
  changeRole,
  dissociate,
  getAssociation,
  listAssociations,
  restoreAssociation,
} from '../../../src/tenants/operations/set-up-associations.ts';
import { Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamped } from '../answer.ts';
import { renderAssociation } from './render/tenant.ts';

/**
 * Who may do what in a tenant (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do): a change holds
 * within 30 s, also for sockets that are open.
 */
@Controller('api/v1/tenants/:tenantId/associations')
export class UserAssociations {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(contract.associationListAnswer)
  @Needs('tenant.read')
  async list(
    @TheCaller() { tenantId }: Caller,
    @Query({ schema: contract.recordsQuery }) query: contract.RecordsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    const { items, nextCursor } = await listAssociations(this.#services, tenantId, query);
    return listAnswer(reply, request.url, items.map(renderAssociation), nextCursor);
  }

  @Post()
  @Answers(contract.associationAnswer, 201)
  @HttpCode(201)
  @Needs('user.set')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: contract.createAssociationBody }) body: contract.CreateAssociationBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    const association = stamped(reply, await associate(this.#services, caller, body, key));
    reply.header('location', `/api/v1/tenants/${caller.tenantId}/associations/${association.id}`);
    return renderAssociation(association);
  }

  @Get(':associationId')
  @Answers(contract.associationAnswer)
  @Needs('tenant.read')
  async get(@TheCaller() { tenantId }: Caller, @Param('associationId') id: string): Promise<unknown> {
    return renderAssociation(await getAssociation(this.#services, tenantId, id));
  }

  @Put(':associationId')
  @Answers(contract.associationAnswer)
  @Needs('user.set')
  async update(
    @TheCaller() caller: Caller,
    @Param('associationId') id: string,
    @Body({ schema: contract.updateAssociationBody }) body: contract.UpdateAssociationBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    return renderAssociation(stamped(reply, await changeRole(this.#services, caller, id, body.role, key)));
  }

  @Delete(':associationId')
  @Answers(removed)
  @Needs('user.remove')
  async remove(
    @TheCaller() caller: Caller,
    @Param('associationId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    stamped(reply, await dissociate(this.#services, caller, id, key));
    return { id, status: 'REMOVED' };
  }

  @Post(':associationId/restore')
  @Answers(contract.associationAnswer)
  @HttpCode(200)
  @Needs('user.set')
  async restore(
    @TheCaller() caller: Caller,
    @Param('associationId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    return renderAssociation(stamped(reply, await restoreAssociation(this.#services, caller, id, key)));
  }
}
