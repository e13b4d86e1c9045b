import { Controller, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import * as auditAnswers from '../../../src/property-store/contracts/audit-answers.ts';
import { type AuditReport, auditProperty } from '../../../src/property-store/operations/audit-property.ts';
import { assignRoom } from '../../../src/rooms/operations/assign-rooms.ts';
import { readConflicts, readRoom } from '../../../src/rooms/operations/read-rooms.ts';
import * as desk from '../../../src/stay/contracts/desk-tasks.ts';
import * as papers from '../../../src/stay/contracts/stay-documents.ts';
import { auditMoney, type MoneyAudit } from '../../../src/stay/operations/audit-money.ts';
import { listDeskTasks } from '../../../src/stay/operations/list-desk-tasks.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { type ReservationWrite, TheReservationWriteOrDryRun } from '../reservation-write.ts';
import { assignedRoom, conflict, deskTask, roomNow } from '../stay/render/stay-documents.ts';

/** Injection token of the function that counts `actor.invariant.violations`. */
export const COUNT_VIOLATIONS = Symbol('count violations');

/** Administrative reads of the reservation service (docs/reference/set-up.md#administration). */
@Controller('api/v1/admin')
export class ReservationAdmin {
  @Inject(SERVICES) protected readonly services!: Services;
  @Inject(COUNT_VIOLATIONS) protected readonly countViolations!: (more: number) => void;

  /** Assigns a room that somebody has chosen; `?dryRun=true` only returns the result. */
  @Post('reservations/:reservationId/assign-room')
  @Answers(papers.assignedRoomAnswer)
  @Needs('admin.run', 'Assign a room')
  async assignRoom(
    @TheReservationWriteOrDryRun() { caller, id, options, send }: ReservationWrite,
    @Body({ schema: papers.assignRoomBody }) { roomNumber }: papers.AssignRoomBody,
  ) {
    const answer = await send(assignRoom(this.services, caller, id, roomNumber, options));
    return assignedRoom(answer.result);
  }

  /** Room conflicts to solve, nearest first; of all properties of the tenant where none is named. */
  @Get('room-assignments/conflicts')
  @Answers(papers.conflictsAnswer)
  @Needs('admin.read', 'List conflicts of room assignments')
  async conflicts(
    @TheRead() { caller, response }: Read,
    @Query({ schema: papers.onePropertyQuery }) { propertyId }: papers.OnePropertyQuery,
  ) {
    const { conflicts, seq } = await response.db(readConflicts(this.services, caller, propertyId));
    return { items: conflicts.map(conflict), ...(seq !== undefined && { seq }) };
  }

  /** Questions that only the desk can answer: whether a guest has arrived whose check-in nobody has recorded. */
  @Get('desk-tasks')
  @Answers(desk.deskTasksAnswer)
  @Needs('desk.read', 'List what the desk has to find out')
  async deskTasks(
    @TheRead() { caller, response }: Read,
    @Query({ schema: desk.deskTasksQuery }) query: desk.DeskTasksQuery,
  ) {
    const { items, nextCursor } = await response.db(listDeskTasks(this.services, caller, query));
    return response.list(items.map(deskTask), nextCursor);
  }

  /** A room now, and its next guest. */
  @Get('rooms/:roomNumber/status')
  @Answers(papers.roomNowAnswer)
  @Needs('admin.read', 'Read the status of a room')
  async room(
    @TheRead() { caller, response }: Read,
    @Param('roomNumber') roomNumber: string,
    @Query({ schema: papers.onePropertyQuery }) { propertyId }: papers.OnePropertyQuery,
  ) {
    const now = await response.actor(readRoom(this.services, caller, roomNumber, propertyId));
    return roomNow(now);
  }

  /** Compares memory, database and recomputation at one `seq`, and checks the money of each reservation. */
  @Get('audit/:propertyId')
  @Answers(auditAnswers.auditAnswer)
  @Needs('admin.read', 'Audit a property')
  async audit(
    @TheRead() { caller, response }: Read,
    @Param('propertyId') propertyId: PropertyId,
  ): Promise<AuditReport & { money: MoneyAudit }> {
    const report = await response.db(auditProperty(this.services, caller, propertyId));
    const money = await auditMoney(this.services, { tenantId: caller.tenantId, propertyId });
    this.countViolations(report.violations.length + money.violationCount);
    return { ...report, money };
  }
}
