import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as contract from '../../../src/tenants/contracts/tenants.ts';
import {
  changeUser,
  createUser,
  getUser,
  listUsers,
  removeUser,
  restoreUser,
} from '../../../src/tenants/operations/set-up-users.ts';
import { Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamped } from '../answer.ts';
import { renderUser } from './render/tenant.ts';

/**
 * Who is known to a tenant (docs/reference/set-up.md#tenant). Taking rights away is never forbidden for what the tenant
 * owes.
 */
@Controller('api/v1/tenants/:tenantId/users')
export class Users {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(contract.userListAnswer)
  @Needs('tenant.read')
  async list(
    @TheCaller() { tenantId }: Caller,
    @Query({ schema: contract.recordsQuery }) query: contract.RecordsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    const { items, nextCursor } = await listUsers(this.#services, tenantId, query);
    return listAnswer(reply, request.url, items.map(renderUser), nextCursor);
  }

  @Post()
  @Answers(contract.userAnswer, 201)
  @HttpCode(201)
  @Needs('user.set')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: contract.createUserBody }) body: contract.CreateUserBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    const user = stamped(reply, await createUser(this.#services, caller, body, key));
    reply.header('location', `/api/v1/tenants/${caller.tenantId}/users/${user.id}`);
    return renderUser(user);
  }

  @Get(':userId')
  @Answers(contract.userAnswer)
  @Needs('tenant.read')
  async get(@TheCaller() { tenantId }: Caller, @Param('userId') id: string): Promise<unknown> {
    return renderUser(await getUser(this.#services, tenantId, id));
  }

  @Put(':userId')
  @Answers(contract.userAnswer)
  @Needs('user.set')
  async update(
    @TheCaller() caller: Caller,
    @Param('userId') id: string,
    @Body({ schema: contract.updateUserBody }) body: contract.UpdateUserBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    return renderUser(stamped(reply, await changeUser(this.#services, caller, id, body, key)));
  }

  @Delete(':userId')
  @Answers(removed)
  @Needs('user.remove')
  async remove(
    @TheCaller() caller: Caller,
    @Param('userId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    stamped(reply, await removeUser(this.#services, caller, id, key));
    return { id, status: 'REMOVED' };
  }

  @Post(':userId/restore')
  @Answers(contract.userAnswer)
  @HttpCode(200)
  @Needs('user.set')
  async restore(
    @TheCaller() caller: Caller,
    @Param('userId') id: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<unknown> {
    return renderUser(stamped(reply, await restoreUser(this.#services, caller, id, key)));
  }
}
