import { Controller, Get, Inject, Post } from '@nestjs/common';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import { type ClockBody, clockBody } from '../../../src/kernel/contracts/development.ts';
import { ClockControl } from '../../../src/kernel/operations/advance-clock.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { DevelopmentClock } from '../../../src/kernel/ports.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Body } from '../../http/parameters.ts';
import { Needs, type Operator, OperatorOnly, OrOperator, TheOperator } from '../../http/route.ts';
import { type HttpResponse, SERVICES, TheResponse } from '../answer.ts';

export const DEVELOPMENT_CLOCK = Symbol('development clock');

/**
 * The development clock of the whole installation, only beside the development issuer. It is shared: a tenant that
 * moves it would turn other tenants' guests into no-shows.
 */
@Controller('dev/clock')
export class DevClock {
  readonly #clock: DevelopmentClock;
  readonly #control: ClockControl;

  constructor(@Inject(SERVICES) { log }: Services, @Inject(DEVELOPMENT_CLOCK) clock: DevelopmentClock) {
    this.#clock = clock;
    this.#control = new ClockControl({ clock, log });
  }

  @Get()
  @Answers(answers.clockAnswer)
  @OrOperator()
  @Needs('admin.read', 'Read the clock')
  read(): AnswerOf<typeof answers.clockAnswer> {
    return { now: this.#clock.now() };
  }

  @Post()
  @Answers(answers.clockAnswer)
  @OperatorOnly('Move the clock forward')
  async advance(
    @TheOperator() { requestId }: Operator,
    @Body({ schema: clockBody }) { advanceSeconds, now }: ClockBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @TheResponse() response: HttpResponse,
  ) {
    const wish = now === undefined ? { by: advanceSeconds! * 1000 } : { to: now };
    return response.stamp(await this.#control.advance(wish, requestId, key)).result;
  }
}
