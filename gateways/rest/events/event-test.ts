import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { eventTestAnswer } from '../../../src/events/contracts/dev-events.ts';
import type { TestEvents } from '../../../src/events/operations/test-events.ts';
import { Answers } from '../../http/answers.ts';
import { BasicAuth, HttpReply } from '../../http/route.ts';
import { renderPage } from '../page.ts';
import { eventOf, eventTable } from './render/events.ts';

export const TEST_EVENTS = Symbol('test events');

/**
 * Test of the event path to Kafka (docs/concepts/events.md#to-look-at); in production only with `EVENT_TEST_PASSWORD`.
 */
@Controller('reservation-engine/api/test/kafka')
export class EventTest {
  @Inject(TEST_EVENTS) protected readonly events!: TestEvents;

  /** Publishes a test event of reservation.created, which consumers ignore, and answers once the topic has it. */
  @Get()
  @BasicAuth('Publish a test event')
  @Answers(eventTestAnswer)
  publish() {
    return this.events.publish();
  }

  /**
   * Test events of this node as a page, for a browser with the same credentials: target of `checkKafkaUI` in
   * production without a Kafka UI, since health there is a download to a browser.
   */
  @Get('events')
  @BasicAuth()
  @ApiExcludeEndpoint()
  published(@HttpReply() reply: FastifyReply): string {
    const events = this.events.recent.map(eventOf);
    return renderPage(reply, 'Test events', `<h1>Test events of this node</h1>${eventTable(events)}`);
  }
}
