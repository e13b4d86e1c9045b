import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as contract from '../../../src/groups/contracts/groups.ts';
import {
  roomingListAnswer,
  type RoomingListBody,
  roomingListBody,
} from '../../../src/groups/contracts/rooming-list.ts';
import { bookRoomingList } from '../../../src/groups/operations/book-rooming-list.ts';
import { changeGroup } from '../../../src/groups/operations/change-group.ts';
import { createGroup } from '../../../src/groups/operations/create-group.ts';
import { deleteGroup } from '../../../src/groups/operations/delete-group.ts';
import { getGroup, listGroups } from '../../../src/groups/operations/find-groups.ts';
import { removed } from '../../../src/kernel/contracts/answers.ts';
import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { GroupId } from '../../../src/kernel/rules/ids.ts';
import * as answers from '../../../src/rates/contracts/sales-answers.ts';
import { Answers, OrWithStatus } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs, TakesCsv } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderGroup } from '../rates/render/sales.ts';
import { renderRoomingList } from './render/rooming-list.ts';

/** Groups with blocks of rooms (docs/reference/groups.md#groups). */
@Controller('api/v1/reservations/groups')
export class Groups {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Blocks rooms for a group until the end of its cut-off day: all blocks or none. */
  @Post()
  @Answers(answers.groupAnswer, 201)
  @Needs('group.block', 'Create a group with blocks of rooms')
  async create(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.groupBody }) body: contract.GroupBody,
  ) {
    const answer = await response.actor(createGroup(this.services, caller, body, key));
    response.header('location', `/api/v1/reservations/groups/${answer.result.groupId}`);
    return renderGroup(answer.result, caller);
  }

  /** Groups of a property with future nights, newest first. */
  @Get()
  @Answers(answers.groupListAnswer)
  @Needs('reservation.read', 'List groups')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.groupsQuery }) query: contract.GroupsQuery,
  ) {
    const { items, nextCursor } = await response.actor(listGroups(this.services, caller, query));
    return response.list(
      items.map((group) => renderGroup(group, caller)),
      nextCursor,
    );
  }

  @Get(':groupId')
  @Answers(answers.groupAnswer)
  @Needs('reservation.read', 'Read a group with its pickup')
  async get(@TheRead() { caller, response }: Read, @Param('groupId') id: GroupId) {
    const { group } = await response.db(getGroup(this.services, caller, id));
    return renderGroup(group, caller);
  }

  /** Replaces a group: its blocks take and return rooms, all or none, and never below what is picked up. */
  @Put(':groupId')
  @Answers(answers.groupAnswer)
  @Needs('group.block', 'Change a group and its blocks')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('groupId') id: GroupId,
    @Body({ schema: contract.groupChangeBody }) body: contract.GroupChangeBody,
  ) {
    const answer = await response.actor(changeGroup(this.services, caller, { id, body }, key));
    return renderGroup(answer.result, caller);
  }

  /** Rooms that are not picked up return to sale; reservations of the group stay. */
  @Delete(':groupId')
  @Answers(removed)
  @Needs('group.block', 'Delete a group')
  async delete(@TheWrite() { caller, key, response }: Write, @Param('groupId') id: GroupId) {
    await response.actor(deleteGroup(this.services, caller, id, key));
    return { id, status: 'REMOVED' as const };
  }

  /** Books the rooms of all guests of a list, or none, and names each line that does not fit. Also as `text/csv`. */
  @Post(':groupId/rooming-list')
  @Answers(roomingListAnswer, 201)
  @OrWithStatus(roomingListAnswer, 200, 'A dry run')
  @Needs('reservation.create', 'Book the rooming list of a group')
  @TakesCsv()
  async roomingList(
    @TheWrite() { caller, key, response }: Write,
    @Param('groupId') id: GroupId,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: roomingListBody }) body: RoomingListBody,
  ) {
    const { result } = await response.actor(bookRoomingList(this.services, caller, { id, body, dryRun }, key));
    if (dryRun) response.status(200);
    return renderRoomingList(result);
  }
}
