import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { HousekeepingTaskId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/rooms/contracts/housekeeping.ts';
import { actOnTask, listTasks, readTask } from '../../../src/rooms/operations/housekeeping.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';
import { renderTask } from './render/housekeeping.ts';

/** What attendants do in rooms (docs/reference/set-up.md#housekeeping). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/housekeeping-tasks')
export class HousekeepingTasks {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Tasks that wait for somebody, in the order of arrivals; with a status that is over, the newest first. */
  @Get()
  @Answers(contract.housekeepingListAnswer)
  @Needs('desk.read', 'List housekeeping tasks')
  async list(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Query({ schema: contract.housekeepingQuery }) query: contract.HousekeepingQuery,
  ) {
    const { items, nextCursor } = response.stamp(await listTasks(this.services, to, query));
    return response.list(items.map(renderTask), nextCursor);
  }

  @Get(':taskId')
  @Answers(contract.housekeepingTaskAnswer)
  @Needs('desk.read', 'Read a housekeeping task')
  async get(@ThePropertyRead() { to, response }: PropertyRead, @Param('taskId') id: HousekeepingTaskId) {
    return renderTask(response.stamp(await readTask(this.services, to, id)));
  }

  /** Members that are absent stay as they are. */
  @Put(':taskId')
  @Answers(contract.housekeepingTaskAnswer)
  @Needs('room.status', 'Give a housekeeping task an attendant and notes')
  async change(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('taskId') taskId: HousekeepingTaskId,
    @Body({ schema: contract.housekeepingBody }) body: contract.HousekeepingBody,
  ) {
    const command = { type: 'CHANGE_HOUSEKEEPING_TASK' as const, taskId, ...body };
    return renderTask(await response.actor(actOnTask(this.services, caller, to, command, key)));
  }

  @Post(':taskId/start')
  @Answers(contract.housekeepingTaskAnswer)
  @Needs('room.status', 'Start a housekeeping task')
  async start(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('taskId') taskId: HousekeepingTaskId,
  ) {
    const command = { type: 'START_HOUSEKEEPING_TASK' as const, taskId };
    return renderTask(await response.actor(actOnTask(this.services, caller, to, command, key)));
  }

  /** The room is CLEAN, or OCCUPIED as before when its guest is in it. */
  @Post(':taskId/complete')
  @Answers(contract.housekeepingTaskAnswer)
  @Needs('room.status', 'Complete a housekeeping task')
  async complete(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('taskId') taskId: HousekeepingTaskId,
  ) {
    const command = { type: 'COMPLETE_HOUSEKEEPING_TASK' as const, taskId };
    return renderTask(await response.actor(actOnTask(this.services, caller, to, command, key)));
  }

  /** The room is INSPECTED, or DIRTY with the task to be done once more. */
  @Post(':taskId/inspect')
  @Answers(contract.housekeepingTaskAnswer)
  @Needs('room.status', 'Inspect the room of a completed housekeeping task')
  async inspect(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('taskId') taskId: HousekeepingTaskId,
    @Body({ schema: contract.inspectionBody }) body: contract.InspectionBody,
  ) {
    const command = { type: 'INSPECT_HOUSEKEEPING_TASK' as const, taskId, ...body };
    return renderTask(await response.actor(actOnTask(this.services, caller, to, command, key)));
  }
}
