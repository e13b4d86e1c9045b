import { Body, Controller, Get, HttpCode, Inject, Param, Post, Put, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import {
  type AvailabilityQuery,
  availabilityQuery,
  type InventoryBody,
  inventoryBody,
  type SearchBody,
  searchBody,
} from '../../../src/properties/contracts/properties.ts';
import * as auditAnswers from '../../../src/property-store/contracts/audit-answers.ts';
import * as availabilityAnswers from '../../../src/revenue/contracts/availability-answers.ts';
import { readAvailability, searchAvailability } from '../../../src/revenue/operations/read-availability.ts';
import { setInventory } from '../../../src/rooms/operations/set-up-rooms.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamp, timed } from '../answer.ts';
import { availabilityItem, offerAnswer } from '../properties/render/property.ts';

/** What is left, and what could be had (docs/reference/set-up.md#availability). */
@Controller('api/v1/tenants/:tenantId')
export class Availability {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Rooms left of each type and night; with `asOf` as they were at that instant. */
  @Get('availability')
  @Answers(availabilityAnswers.availabilityAnswer)
  @Needs('availability.read')
  async read(
    @TheCaller() caller: Caller,
    @Query({ schema: availabilityQuery }) query: AvailabilityQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof availabilityAnswers.availabilityAnswer>> {
    const { cells, closed, seq } = await timed(reply, 'actor', readAvailability(this.#services, caller, query));
    stamp(reply, { seq });
    const items = cells.map((cell) => availabilityItem(query.property_id, cell, closed.has(cell)));
    return { items, seq, ...(query.asOf !== undefined && { asOf: query.asOf }) };
  }

  /** Offers over the tenant's properties, cheapest first. */
  @Post('availability/search')
  @Answers(availabilityAnswers.searchAnswer)
  @HttpCode(200)
  @Needs('availability.read')
  async search(
    @TheCaller() caller: Caller,
    @Body({ schema: searchBody }) body: SearchBody,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof availabilityAnswers.searchAnswer>> {
    const offers = await timed(reply, 'actor', searchAvailability(this.#services, caller, body));
    return { items: offers.map(offerAnswer) };
  }

  /** Counts of nights; a cut below what is sold is accepted and reported. */
  @Put('properties/:propertyId/inventory')
  @Answers(auditAnswers.inventoryAnswer)
  @Needs('property.set-up')
  async inventory(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: inventoryBody }) body: InventoryBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof auditAnswers.inventoryAnswer>> {
    const to = { tenantId: caller.tenantId, propertyId };
    const answer = await timed(reply, 'actor', setInventory(this.#services, caller, to, body, key));
    stamp(reply, answer);
    const oversold = answer.result.oversold.map(({ roomType, day, shortfall }) => ({
      roomType,
      date: day,
      shortfall,
    }));
    return { propertyId, oversold, seq: answer.seq };
  }
}
