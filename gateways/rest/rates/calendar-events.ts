import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/rates/contracts/calendar-events.ts';
import { type CalendarEvent, eventVersion } from '../../../src/rates/rules/calendar-event.ts';
import {
  addCalendarEvent,
  changeCalendarEvent,
  listCalendarEvents,
  removeCalendarEvent,
} from '../../../src/revenue/operations/calendar-events.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import {
  type HttpResponse,
  type PropertyRead,
  type PropertyWrite,
  SERVICES,
  ThePropertyRead,
  ThePropertyWrite,
} from '../answer.ts';
import { type PropertyWriteIfMatch, ThePropertyWriteIfMatch } from '../if-match.ts';

/** What happens in town on the nights of a property (docs/reference/rates.md#calendar-events). */
@Controller('api/v1/rates/calendar-events/:propertyId')
export class CalendarEvents {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Events with a night of the period, by first night. */
  @Get()
  @Answers(contract.calendarEventsAnswer)
  @Needs('rate.read', 'Read the calendar events of a period')
  async list(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Query({ schema: contract.calendarEventsQuery }) query: contract.CalendarEventsQuery,
  ) {
    const { items, seq } = await response.actor(listCalendarEvents(this.services, to, query));
    return { propertyId: to.propertyId, items: items.map(eventAnswer), seq };
  }

  @Post()
  @Answers(contract.calendarEventAnswer, 201)
  @Needs('rate.set', 'Add a calendar event')
  async add(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: contract.calendarEventBody }) body: contract.CalendarEventBody,
  ) {
    const { result } = await response.actor(addCalendarEvent(this.services, caller, to, body, key));
    response.header('location', `/api/v1/rates/calendar-events/${to.propertyId}/${result.eventId}`);
    return versioned(response, result);
  }

  @Put(':eventId')
  @Answers(contract.calendarEventAnswer)
  @Needs('rate.set', 'Change a calendar event')
  async change(
    @ThePropertyWriteIfMatch() { caller, to, key, response, ifVersion }: PropertyWriteIfMatch,
    @Param('eventId') id: string,
    @Body({ schema: contract.calendarEventBody }) body: contract.CalendarEventBody,
  ) {
    const change = changeCalendarEvent(this.services, caller, to, { id, body, ifVersion }, key);
    return versioned(response, (await response.actor(change)).result);
  }

  @Delete(':eventId')
  @Answers(answers.removed)
  @Needs('rate.set', 'Remove a calendar event')
  async remove(
    @ThePropertyWriteIfMatch() { caller, to, key, response, ifVersion }: PropertyWriteIfMatch,
    @Param('eventId') id: string,
  ) {
    await response.actor(removeCalendarEvent(this.services, caller, to, { id, ifVersion }, key));
    return { id, status: 'REMOVED' as const };
  }
}

function versioned(response: HttpResponse, event: CalendarEvent): AnswerOf<typeof contract.calendarEventAnswer> {
  response.version({ version: eventVersion(event) });
  return eventAnswer(event);
}

function eventAnswer({
  firstNight: from,
  lastNight: to,
  note,
  ...event
}: CalendarEvent): AnswerOf<typeof contract.calendarEventAnswer> {
  return { ...event, from, to, note: note ?? null, version: eventVersion(event) };
}
