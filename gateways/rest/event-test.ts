import { Controller, Get, Inject } from '@nestjs/common';

import { eventTestAnswer } from '../../src/contracts/dev-events.ts';
import type { TestedEvents, TestEvents } from '../../src/operations/test-events.ts';
import { Answers } from '../http/answers.ts';
import { BasicAuth } from '../http/route.ts';

export const TEST_EVENTS = Symbol('test events');

/** Whether events reach their topic (specification 4.3); in production only with `EVENT_TEST_PASSWORD`. */
@Controller('reservation-engine/api/test/kafka')
export class EventTest {
  readonly #events: TestEvents;

  constructor(@Inject(TEST_EVENTS) events: TestEvents) {
    this.#events = events;
  }

  /** Publishes one test event of reservation.created, which consumers leave alone, and answers once its topic has it. */
  @Get()
  @BasicAuth()
  @Answers(eventTestAnswer)
  publish(): Promise<TestedEvents> {
    return this.#events.publish();
  }
}
