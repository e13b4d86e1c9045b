import { Controller, Get, Inject, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import {
  exchangeRateListAnswer,
  type ExchangeRatesBody,
  exchangeRatesBody,
} from '../../../src/money/contracts/exchange-rates.ts';
import { listExchangeRates, putExchangeRates } from '../../../src/money/operations/set-up-exchange-rates.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs, TheCaller } from '../../http/route.ts';
import { SERVICES, TheWrite, type Write } from '../answer.ts';

/** What the desk counts the money of another currency at (docs/reference/set-up.md#exchange-rates). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/exchange-rates')
export class ExchangeRates {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(exchangeRateListAnswer)
  @Needs('property.read', 'List the exchange rates of a property')
  async list(@TheCaller() { tenantId }: Caller, @Param('propertyId') propertyId: PropertyId) {
    return { items: await listExchangeRates(this.services, { tenantId, propertyId }), nextCursor: null };
  }

  /** Sets all rates of the property, of its business date; what is not named is not taken any more. */
  @Put()
  @Answers(exchangeRateListAnswer)
  @Needs('property.set-up', 'Set the exchange rates of a property')
  async put(
    @TheWrite() { caller, key, response }: Write,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: exchangeRatesBody }) body: ExchangeRatesBody,
  ) {
    const done = response.stamp(await putExchangeRates(this.services, caller, propertyId, body, key));
    return { items: done.result, nextCursor: null };
  }
}
