import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';

import * as answers from '../../src/contracts/answers.ts';
import { type ClockBody, clockBody } from '../../src/contracts/development.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { DevelopmentClock } from '../../src/ports/development-clock.ts';
import { Answers } from '../http/answers.ts';
import { Needs } from '../http/route.ts';
import { iso } from './render/reservation.ts';

export const DEVELOPMENT_CLOCK = Symbol('development clock');

/** Puts the clock of the whole installation forward; not there in production (contracts.md 1). */
@Controller('dev/clock')
export class DevClock {
  readonly #clock: DevelopmentClock;

  constructor(@Inject(DEVELOPMENT_CLOCK) clock: DevelopmentClock) {
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
  async advance(@Body({ schema: clockBody }) { advanceSeconds, now }: ClockBody): Promise<{ now: string }> {
    const by = now === undefined ? advanceSeconds! * 1000 : now - this.#clock.now();
    if (by < 0) {
      const errors = [{ pointer: '/now', code: 'IN_THE_PAST', detail: 'the clock goes forward only' }];
      throw new Refusal('VALIDATION_FAILED', 'The clock goes forward only.', { errors });
    }
    return { now: iso(await this.#clock.advance(by)) };
  }
}
