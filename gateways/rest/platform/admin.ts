import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import * as auditAnswers from '../../../src/property-store/contracts/audit-answers.ts';
import { type AuditReport, auditProperty } from '../../../src/property-store/operations/audit-property.ts';
import { assignRoom } from '../../../src/rooms/operations/assign-rooms.ts';
import { readConflicts, readRoom } from '../../../src/rooms/operations/read-rooms.ts';
import * as papers from '../../../src/stay/contracts/stay-papers.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { ifMatch, SERVICES, stamp, stampReservation, timed } from '../answer.ts';
import { assignedRoom, conflict, roomNow } from '../stay/render/stay-papers.ts';

/** Injection token of what adds to `actor.invariant.violations`. */
export const COUNT_VIOLATIONS = Symbol('count violations');

/** Administrative reads of the reservation service (docs/reference/set-up.md#administration). */
@Controller('api/v1/admin')
export class ReservationAdmin {
  readonly #services: Services;
  readonly #countViolations: (more: number) => void;

  constructor(
    @Inject(SERVICES) services: Services,
    @Inject(COUNT_VIOLATIONS) countViolations: (more: number) => void,
  ) {
    this.#services = services;
    this.#countViolations = countViolations;
  }

  /** Gives a stay the room that somebody has chosen. */
  @Post('reservations/:reservationId/assign-room')
  @Answers(papers.assignedRoomAnswer)
  @HttpCode(200)
  @Needs('admin.run')
  async assignRoom(
    @TheCaller() caller: Caller,
    @Param('reservationId') id: string,
    @Body({ schema: papers.assignRoomBody }) { roomNumber }: papers.AssignRoomBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Headers('if-match') match: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.assignedRoomAnswer>> {
    const options = { key, ifVersion: ifMatch(match) };
    const answer = await timed(reply, 'actor', assignRoom(this.#services, caller, id, roomNumber, options));
    stampReservation(reply, answer, answer.result.reservation);
    return assignedRoom(answer.result);
  }

  /** What has to be solved about rooms, the nearest first; of all properties of the tenant where none is named. */
  @Get('room-assignments/conflicts')
  @Answers(papers.conflictsAnswer)
  @Needs('admin.read')
  async conflicts(
    @TheCaller() caller: Caller,
    @Query({ schema: papers.onePropertyQuery }) { propertyId }: papers.OnePropertyQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.conflictsAnswer>> {
    const { conflicts, seq } = await timed(reply, 'db', readConflicts(this.#services, caller, propertyId));
    if (seq !== undefined) stamp(reply, { seq });
    return { items: conflicts.map(conflict), ...(seq !== undefined && { seq }) };
  }

  /** A room as it is now, and who comes next. */
  @Get('rooms/:roomNumber/status')
  @Answers(papers.roomNowAnswer)
  @Needs('admin.read')
  async room(
    @TheCaller() caller: Caller,
    @Param('roomNumber') roomNumber: string,
    @Query({ schema: papers.onePropertyQuery }) { propertyId }: papers.OnePropertyQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof papers.roomNowAnswer>> {
    const now = await timed(reply, 'actor', readRoom(this.#services, caller, roomNumber, propertyId));
    stamp(reply, now);
    return roomNow(now);
  }

  /** Memory, database and recomputation held against each other at one `seq`. */
  @Get('audit/:propertyId')
  @Answers(auditAnswers.auditAnswer)
  @Needs('admin.read')
  async audit(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @HttpReply() reply: FastifyReply,
  ): Promise<AuditReport> {
    const report = await timed(reply, 'db', auditProperty(this.#services, caller, propertyId));
    this.#countViolations(report.violations.length);
    stamp(reply, report);
    return report;
  }
}
