import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Caller } from '../../src/domain/caller.ts';
import * as answers from '../../src/contracts/answers.ts';
import { type AuditReport, auditProperty } from '../../src/operations/audit-property.ts';
import type { Services } from '../../src/operations/services.ts';
import { Answers } from '../http/answers.ts';
import { Needs, Reply, TheCaller } from '../http/route.ts';
import { SERVICES, stamp } from './answer.ts';

/** Injection token of what adds to `actor.invariant.violations`. */
export const COUNT_VIOLATIONS = Symbol('count violations');

/** Administrative reads of the reservation service (contracts.md 7). */
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

  /** Memory, database and recomputation held against each other at one `seq`. */
  @Get('audit/:propertyId')
  @Answers(answers.auditAnswer)
  @Needs('ADMIN')
  async audit(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: string,
    @Reply() reply: FastifyReply,
  ): Promise<AuditReport> {
    const report = await auditProperty(this.#services, caller, propertyId);
    this.#countViolations(report.violations.length);
    stamp(reply, report);
    return report;
  }
}
