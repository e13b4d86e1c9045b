import { Controller, Get, Inject } from '@nestjs/common';

import {
  propertyEventsAnswer,
  type PropertyEventsQuery,
  propertyEventsQuery,
} from '../../../src/events/contracts/dev-events.ts';
import { type EventLog, readPropertyEvents } from '../../../src/events/operations/read-events.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { Answers } from '../../http/answers.ts';
import { Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, SERVICES, ThePropertyRead } from '../answer.ts';
import { EVENT_LOG } from './dev-events.ts';
import { eventOf } from './render/events.ts';

/** Events of a property as consumers read them (docs/concepts/events.md#to-look-at). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/events')
export class PropertyEvents {
  @Inject(EVENT_LOG) protected readonly log!: EventLog;
  @Inject(SERVICES) protected readonly services!: Services;

  /** Newest first. A search looks at some hundred changes at a time: a page may have few items and still a next one. */
  @Get()
  @Answers(propertyEventsAnswer)
  @Needs('admin.read', 'List the events of a property')
  async list(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Query({ schema: propertyEventsQuery }) query: PropertyEventsQuery,
  ) {
    const { items, nextCursor } = await response.db(readPropertyEvents(this.log, this.services, to, query));
    return response.list(items.map(eventOf), nextCursor);
  }
}
