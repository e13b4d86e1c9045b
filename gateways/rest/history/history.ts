import { Controller, Get, Inject } from '@nestjs/common';

import * as contract from '../../../src/history/contracts/history.ts';
import { readCellHistory } from '../../../src/history/operations/read-history.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import * as availabilityAnswers from '../../../src/revenue/contracts/availability-answers.ts';
import { readPickup } from '../../../src/revenue/operations/read-pickup.ts';
import { whoNames } from '../../../src/tenants/operations/who-names.ts';
import { Answers } from '../../http/answers.ts';
import { Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { cellChange, renderPickup } from './render/history.ts';

/** History of a property from the journal: changes of a cell, and pickup. */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId')
export class History {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Changes of a room type on a night, newest first; a page may have no items and still a next one. */
  @Get('history')
  @Answers(availabilityAnswers.cellHistoryAnswer)
  @Needs('availability.read', 'Read the changes of a room type on a night')
  async cell(
    @TheRead() { caller, response }: Read,
    @Param('propertyId') propertyId: PropertyId,
    @Query({ schema: contract.cellHistoryQuery }) query: contract.CellHistoryQuery,
  ) {
    const history = readCellHistory(this.services, caller, propertyId, query);
    const { items, nextCursor } = await response.db(history);
    const names = await whoNames(
      this.services,
      caller,
      items.map(({ subject }) => subject),
    );
    return response.list(
      items.map((item) => cellChange(item, names)),
      nextCursor,
    );
  }

  /** Booked rooms of each night now and some days before, with the difference. */
  @Get('pickup')
  @Answers(availabilityAnswers.pickupAnswer)
  @Needs('availability.read', 'Read bookings won and lost by night')
  async pickup(
    @TheRead() { caller, response }: Read,
    @Param('propertyId') propertyId: PropertyId,
    @Query({ schema: contract.pickupQuery }) query: contract.PickupQuery,
  ) {
    const report = await response.db(readPickup(this.services, caller, propertyId, query));
    return renderPickup(propertyId, query.days, report);
  }
}
