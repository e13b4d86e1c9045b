import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { type EventsQuery, eventsAnswer, eventsQuery } from '../../../src/events/contracts/dev-events.ts';
import { type EventLog, readEvents } from '../../../src/events/operations/read-events.ts';
import type { TestEvents } from '../../../src/events/operations/test-events.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Header, Query } from '../../http/parameters.ts';
import { Needs, OrBasic, HttpReply } from '../../http/route.ts';
import { type HttpResponse, SERVICES, TheResponse } from '../answer.ts';
import { renderPage } from '../page.ts';
import { TEST_EVENTS } from './event-test.ts';
import { eventOf, eventTable } from './render/events.ts';

export const EVENT_LOG = Symbol('event log');

/**
 * Published events, or those that would be published without Kafka; not in production
 * (docs/reference/set-up.md#development-only).
 */
@Controller('dev/events')
export class DevEvents {
  @Inject(EVENT_LOG) protected readonly log!: EventLog;
  @Inject(SERVICES) protected readonly services!: Services;
  @Inject(TEST_EVENTS) protected readonly tests!: TestEvents;

  /**
   * Events of the tenant, newest first, decoded, and on the first page those of the event test endpoint. A page may
   * have few items and still a next one. `text/html` gives a page. A browser without a token may use the credentials
   * of the event test endpoint, and sees test events only: they belong to no tenant.
   */
  @Get()
  @Answers(eventsAnswer)
  @Needs('admin.read', 'Read events as consumers read them')
  @OrBasic()
  async list(
    @Query({ schema: eventsQuery }) query: EventsQuery,
    @Header('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @TheResponse() response: HttpResponse,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof eventsAnswer> | string> {
    const testEvents = this.tests.recent.map(eventOf);
    const { caller } = request;
    if (!caller) return renderPage(reply, 'Test events', `<h1>Test events</h1>${eventTable(testEvents)}`);
    const { items, nextCursor } = await response.db(readEvents(this.log, this.services, caller, query));
    const list = response.list(items.map(eventOf), nextCursor);
    const isFirst = query.cursor === undefined && query.propertyId === undefined;
    const answer = { ...list, ...(isFirst && { testEvents }) };
    reply.header('vary', 'accept');
    if (!accept?.includes('text/html')) return answer;
    const tests = answer.testEvents?.length ? `<h1>Test events</h1>${eventTable(testEvents)}` : '';
    return renderPage(reply, 'Events', `${tests}<h1>Events</h1>${eventTable(answer.items)}`);
  }
}
