import { Controller, Get, Inject, Post } from '@nestjs/common';

import { type GroupBody, groupBody, type GroupsQuery, groupsQuery } from '../../../src/groups/contracts/groups.ts';
import { createGroup } from '../../../src/groups/operations/create-group.ts';
import { getGroup, listGroups } from '../../../src/groups/operations/find-groups.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import * as answers from '../../../src/rates/contracts/sales-answers.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderGroup } from '../rates/render/sales.ts';

/** Groups with blocks of rooms (docs/reference/reservations.md#groups). */
@Controller('api/v1/reservations/groups')
export class Groups {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Blocks rooms for a group until the end of its cut-off day: all blocks or none. */
  @Post()
  @Answers(answers.groupAnswer, 201)
  @Needs('group.block', 'Create a group with blocks of rooms')
  async create(@TheWrite() { caller, key, response }: Write, @Body({ schema: groupBody }) body: GroupBody) {
    const answer = await response.actor(createGroup(this.services, caller, body, key));
    response.header('location', `/api/v1/reservations/groups/${answer.result.groupId}`);
    return renderGroup(answer.result);
  }

  /** Groups of a property with future nights, newest first. */
  @Get()
  @Answers(answers.groupListAnswer)
  @Needs('reservation.read', 'List groups')
  async list(@TheRead() { caller, response }: Read, @Query({ schema: groupsQuery }) query: GroupsQuery) {
    const { items, nextCursor } = await response.actor(listGroups(this.services, caller, query));
    return response.list(items.map(renderGroup), nextCursor);
  }

  @Get(':groupId')
  @Answers(answers.groupAnswer)
  @Needs('reservation.read', 'Read a group with its pickup')
  async get(@TheRead() { caller, response }: Read, @Param('groupId') id: GroupId) {
    const { group } = await response.db(getGroup(this.services, caller, id));
    return renderGroup(group);
  }
}
