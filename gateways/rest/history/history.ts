import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  type CellHistoryQuery,
  cellHistoryQuery,
  type PickupQuery,
  pickupQuery,
} from '../../../src/history/contracts/history.ts';
import { readCellHistory } from '../../../src/history/operations/read-history.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import * as availabilityAnswers from '../../../src/revenue/contracts/availability-answers.ts';
import { readPickup } from '../../../src/revenue/operations/read-pickup.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { listAnswer, SERVICES, stamp, timed } from '../answer.ts';
import { cellChange, renderPickup } from './render/history.ts';

/** What the journal tells of a property: how a cell came to be what it is, and what came on the books. */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId')
export class History {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Every change of a room type on a night, newest first; a page may have no items and still a next one. */
  @Get('history')
  @Answers(availabilityAnswers.cellHistoryAnswer)
  @Needs('availability.read')
  async cell(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Query({ schema: cellHistoryQuery }) query: CellHistoryQuery,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof availabilityAnswers.cellHistoryAnswer>> {
    const history = readCellHistory(this.#services, caller, propertyId, query);
    const { items, nextCursor, seq } = await timed(reply, 'db', history);
    stamp(reply, { seq });
    return listAnswer(reply, request.url, items.map(cellChange), nextCursor);
  }

  /** Booked rooms of each night now and some days before, and the difference. */
  @Get('pickup')
  @Answers(availabilityAnswers.pickupAnswer)
  @Needs('availability.read')
  async pickup(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Query({ schema: pickupQuery }) query: PickupQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof availabilityAnswers.pickupAnswer>> {
    const report = await timed(reply, 'db', readPickup(this.#services, caller, propertyId, query));
    stamp(reply, report);
    return renderPickup(propertyId, query.days, report);
  }
}
