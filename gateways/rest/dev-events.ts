import { Controller, Get, Headers, Inject, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { type EventsQuery, eventsAnswer, eventsQuery } from '../../src/contracts/dev-events.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { type EventLog, readEvents, type ShownEvent } from '../../src/operations/read-events.ts';
import type { Services } from '../../src/operations/services.ts';
import { Answers } from '../http/answers.ts';
import { Needs, Reply, TheCaller } from '../http/route.ts';
import { listAnswer, SERVICES, timed } from './answer.ts';
import { page, pageText } from './page.ts';

export const EVENT_LOG = Symbol('event log');

/** What Kafka gets, or would get; not there in production (contracts.md 1). */
@Controller('dev/events')
export class DevEvents {
  readonly #log: EventLog;
  readonly #services: Services;

  constructor(@Inject(EVENT_LOG) log: EventLog, @Inject(SERVICES) services: Services) {
    this.#log = log;
    this.#services = services;
  }

  /** Events of the tenant, newest first, decoded; a page may have few items and still a next one. `text/html` is a page. */
  @Get()
  @Answers(eventsAnswer)
  @Needs('admin.read')
  async list(
    @TheCaller() caller: Caller,
    @Query({ schema: eventsQuery }) query: EventsQuery,
    @Headers('accept') accept: string | undefined,
    @Req() request: FastifyRequest,
    @Reply() reply: FastifyReply,
  ): Promise<unknown> {
    const { items, nextCursor } = await timed(reply, 'db', readEvents(this.#log, this.#services, caller, query));
    const answer = listAnswer(reply, request.url, items.map(shown), nextCursor);
    reply.header('vary', 'accept');
    return accept?.includes('text/html') ? page(reply, 'Events', tableOf(answer.items)) : answer;
  }
}

type Row = ReturnType<typeof shown>;

function shown({ record: { topic, key, headers }, bytes, read, error }: ShownEvent) {
  return { topic, key, headers, bytes: bytes ?? null, value: read?.value ?? null, error: error ?? null };
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ topic, headers, value, error }) => {
    const content = error ?? JSON.stringify(value, null, 2);
    return `<h2>${topic}</h2><p>${pageText(headers.propertyId)}, number ${headers.seq}</p><pre>${pageText(content)}</pre>`;
  });
  return `<h1>Events</h1>${lines.join('') || '<p>There are none here.</p>'}`;
}
