import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import * as answers from '../../src/contracts/answers.ts';
import { type ClockBody, clockBody } from '../../src/contracts/development.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { advanceClock } from '../../src/operations/advance-clock.ts';
import type { Services } from '../../src/operations/services.ts';
import type { DevelopmentClock } from '../../src/ports/development-clock.ts';
import { Answers } from '../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../http/idempotency.ts';
import { Needs, Reply, TheCaller } from '../http/route.ts';
import { SERVICES, stamped } from './answer.ts';
import { iso } from './render/reservation.ts';

export const DEVELOPMENT_CLOCK = Symbol('development clock');

/** Puts the clock of the whole installation forward; not there in production (contracts.md 1). */
@Controller('dev/clock')
export class DevClock {
  readonly #services: Services;
  readonly #clock: DevelopmentClock;

  constructor(@Inject(SERVICES) services: Services, @Inject(DEVELOPMENT_CLOCK) clock: DevelopmentClock) {
    this.#services = services;
    this.#clock = clock;
  }

  @Get()
  @Answers(answers.clockAnswer)
  @Needs('admin.read')
  read(): { now: string } {
    return { now: iso(this.#clock.now()) };
  }

  @Post()
  @Answers(answers.clockAnswer)
  @HttpCode(200)
  @Needs('admin.run')
  async advance(
    @TheCaller() caller: Caller,
    @Body({ schema: clockBody }) { advanceSeconds, now }: ClockBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<{ now: string }> {
    const wish = now === undefined ? { by: advanceSeconds! * 1000 } : { to: now };
    const done = stamped(reply, await advanceClock(this.#services, this.#clock, caller, wish, key));
    return { now: iso(done.now) };
  }
}
