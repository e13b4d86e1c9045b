import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { type GroupBody, groupBody, type GroupsQuery, groupsQuery } from '../../../src/groups/contracts/groups.ts';
import { createGroup } from '../../../src/groups/operations/create-group.ts';
import { getGroup, listGroups } from '../../../src/groups/operations/find-groups.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as answers from '../../../src/rates/contracts/sales-answers.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp, timed } from '../answer.ts';
import { renderGroup } from '../rates/render/sales.ts';

/** Groups with blocks of rooms (docs/reference/reservations.md#groups). */
@Controller('api/v1/reservations/groups')
export class Groups {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Keeps rooms for a group until the end of its cut-off day: all blocks or none. */
  @Post()
  @Answers(answers.groupAnswer, 201)
  @HttpCode(201)
  @Needs('group.block')
  async create(
    @TheCaller() caller: Caller,
    @Body({ schema: groupBody }) body: GroupBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.groupAnswer>> {
    const answer = await timed(reply, 'actor', createGroup(this.#services, caller, body, key));
    stamp(reply, answer);
    reply.header('location', `/api/v1/reservations/groups/${answer.result.groupId}`);
    return renderGroup(answer.result);
  }

  /** Groups of a property with nights to come, newest first. */
  @Get()
  @Answers(answers.groupListAnswer)
  @Needs('reservation.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: groupsQuery }) query: GroupsQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.groupListAnswer>> {
    const { items, nextCursor, seq } = await timed(reply, 'actor', listGroups(this.#services, caller, query));
    stamp(reply, { seq });
    return listAnswer(reply, request.url, items.map(renderGroup), nextCursor);
  }

  @Get(':groupId')
  @Answers(answers.groupAnswer)
  @Needs('reservation.read')
  async get(
    @TheCaller() caller: Caller,
    @Param('groupId') id: string,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.groupAnswer>> {
    const { group, seq } = await timed(reply, 'db', getGroup(this.#services, caller, id));
    stamp(reply, { seq });
    return renderGroup(group);
  }
}
