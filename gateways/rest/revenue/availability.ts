import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  type AvailabilityQuery,
  availabilityQuery,
  type InventoryBody,
  inventoryBody,
} from '../../../src/properties/contracts/properties.ts';
import * as auditAnswers from '../../../src/property-store/contracts/audit-answers.ts';
import * as availabilityAnswers from '../../../src/revenue/contracts/availability-answers.ts';
import { type SearchBody, searchBody } from '../../../src/revenue/contracts/availability-search.ts';
import { readAvailability, searchAvailability } from '../../../src/revenue/operations/read-availability.ts';
import { setInventory } from '../../../src/rooms/operations/set-up-rooms.ts';
import { Answers, answerText } from '../../http/answers.ts';
import { Body, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyWrite, type Read, SERVICES, ThePropertyWrite, TheRead } from '../answer.ts';
import { availabilityItem, offerAnswer } from '../properties/render/property.ts';

/** Availability and offers (docs/reference/set-up.md#availability). */
@Controller('api/v1/tenants/:tenantId')
export class Availability {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Rooms left by type and night; with `asOf` as they were at that instant. */
  @Get('availability')
  @Answers(availabilityAnswers.availabilityAnswer)
  @Needs('availability.read', 'Read available rooms by night')
  async read(@TheRead() { caller, response }: Read, @Query({ schema: availabilityQuery }) query: AvailabilityQuery) {
    const { state, read, seq } = await response.actor(readAvailability(this.services, caller, query));
    const answer = () => {
      const { cells, closed } = read();
      return { items: cells.map((cell) => availabilityItem(query.property_id, cell, closed.has(cell))), seq };
    };
    if (!state) return { ...answer(), asOf: query.asOf };
    return response.ofState(state, () => answerText(availabilityAnswers.availabilityAnswer, answer()));
  }

  /** Offers over the tenant's properties, by currency, cheapest first. */
  @Post('availability/search')
  @Answers(availabilityAnswers.searchAnswer)
  @Needs('availability.read', 'Search properties with rooms for a stay')
  async search(@TheRead() { caller, response }: Read, @Body({ schema: searchBody }) body: SearchBody) {
    const { offers, unsearched } = await response.actor(searchAvailability(this.services, caller, body));
    return { items: offers.map(offerAnswer), unavailable: unsearched };
  }

  /** Sets counts of nights; a cut below what is sold is accepted and reported. */
  @Put('properties/:propertyId/inventory')
  @Answers(auditAnswers.inventoryAnswer)
  @Needs('property.set-up', 'Set total, blocked and overbooked rooms')
  async inventory(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: inventoryBody }) body: InventoryBody,
  ) {
    const answer = await response.actor(setInventory(this.services, caller, to, body, key));
    const oversold = answer.result.oversold.map(({ roomType, day, shortfall }) => ({
      roomType,
      date: day,
      shortfall,
    }));
    return { propertyId: to.propertyId, oversold, seq: answer.seq };
  }
}
