import { Controller, Inject, Post } from '@nestjs/common';

import { type DryRunQuery, dryRunQuery } from '../../../src/kernel/contracts/fields.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/rooms/contracts/room-assignments.ts';
import { assignAllArrivals } from '../../../src/rooms/operations/assign-rooms.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyWrite, SERVICES, ThePropertyWrite } from '../answer.ts';
import { assignedAll } from './render/room-assignments.ts';

/** Rooms for all arrivals at once (docs/reference/set-up.md#assign-all-arrivals). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/room-assignments')
export class RoomAssignmentRuns {
  @Inject(SERVICES) protected readonly services!: Services;

  /** By the rules of the daily assignment; `?dryRun=true` only says who would get which room. */
  @Post()
  @Answers(contract.assignedAllAnswer)
  @Needs('reservation.room', 'Assign rooms to all arrivals')
  async assign(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Query({ schema: dryRunQuery }) { dryRun }: DryRunQuery,
    @Body({ schema: contract.assignAllBody }) { until }: contract.AssignAllBody,
  ) {
    const answer = await response.actor(assignAllArrivals(this.services, caller, to, { until, dryRun, key }));
    return assignedAll(answer.result);
  }
}
