import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { CommandResults } from '../../../src/kernel/rules/commands.ts';
import type { MaintenanceId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/rooms/contracts/maintenances.ts';
import {
  changeMaintenance,
  endMaintenance,
  listMaintenances,
  openMaintenance,
  readMaintenance,
} from '../../../src/rooms/operations/maintain-rooms.ts';
import type { Maintenance } from '../../../src/rooms/rules/maintenance.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';

/** Nights on which rooms are repaired or kept out of use (docs/reference/set-up.md#maintenances). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/maintenances')
export class Maintenances {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Out of order takes the room off sale, even where its type then falls short. */
  @Post()
  @Answers(contract.maintenanceStoredAnswer, 201)
  @Needs('room.status', 'Plan the maintenance of a room')
  async open(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: contract.maintenanceBody }) body: contract.MaintenanceBody,
  ) {
    const { result } = await response.actor(openMaintenance(this.services, caller, to, body, key));
    const path = `/api/v1/tenants/${to.tenantId}/properties/${to.propertyId}/maintenances`;
    response.header('location', `${path}/${result.maintenance.maintenanceId}`);
    return stored(result);
  }

  /** Maintenances that are not over, newest first. */
  @Get()
  @Answers(contract.maintenanceListAnswer)
  @Needs('property.read', 'List maintenances')
  async list(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Query({ schema: contract.maintenancesQuery }) query: contract.MaintenancesQuery,
  ) {
    const { items, nextCursor } = response.stamp(await listMaintenances(this.services, to, query));
    return response.list(items.map(renderMaintenance), nextCursor);
  }

  @Get(':maintenanceId')
  @Answers(contract.maintenanceAnswer)
  @Needs('property.read', 'Read a maintenance')
  async get(@ThePropertyRead() { to, response }: PropertyRead, @Param('maintenanceId') id: MaintenanceId) {
    return renderMaintenance(response.stamp(await readMaintenance(this.services, to, id)).maintenance);
  }

  @Put(':maintenanceId')
  @Answers(contract.maintenanceStoredAnswer)
  @Needs('room.status', 'Change a maintenance')
  async change(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('maintenanceId') id: MaintenanceId,
    @Body({ schema: contract.maintenanceBody }) body: contract.MaintenanceBody,
  ) {
    return stored((await response.actor(changeMaintenance(this.services, caller, to, { id, body }, key))).result);
  }

  /** The room is on sale from tonight on; nights that are over stay on record. */
  @Delete(':maintenanceId')
  @Answers(answers.removed)
  @Needs('room.status', 'End a maintenance')
  async end(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('maintenanceId') id: MaintenanceId,
  ) {
    await response.actor(endMaintenance(this.services, caller, to, id, key));
    return { id, status: 'REMOVED' as const };
  }
}

function renderMaintenance(maintenance: Maintenance): AnswerOf<typeof contract.maintenanceAnswer> {
  const { firstNight: from, lastNight: to = null, ...shown } = maintenance;
  return { ...shown, from, to };
}

function stored({
  maintenance,
  oversold,
}: CommandResults['OPEN_MAINTENANCE']): AnswerOf<typeof contract.maintenanceStoredAnswer> {
  const short = oversold.map(({ day: date, ...night }) => ({ ...night, date }));
  return { ...renderMaintenance(maintenance), oversold: short };
}
