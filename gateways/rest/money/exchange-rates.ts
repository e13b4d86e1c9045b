import { Controller, Get, Inject, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  exchangeRateListAnswer,
  type ExchangeRatesBody,
  exchangeRatesBody,
} from '../../../src/money/contracts/exchange-rates.ts';
import { listExchangeRates, putExchangeRates } from '../../../src/money/operations/set-up-exchange-rates.ts';
import { Answers } from '../../http/answers.ts';
import { Body } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';

/**
 * Exchange rates of a property, at which the desk takes other currencies (docs/reference/set-up.md#exchange-rates).
 */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/exchange-rates')
export class ExchangeRates {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(exchangeRateListAnswer)
  @Needs('property.read', 'List the exchange rates of a property')
  async list(@ThePropertyRead() { to }: PropertyRead) {
    return { items: await listExchangeRates(this.services, to), nextCursor: null };
  }

  /**
   * Replaces all rates of the property, with its business date; currencies that are not named are no longer accepted.
   */
  @Put()
  @Answers(exchangeRateListAnswer)
  @Needs('property.set-up', 'Set the exchange rates of a property')
  async put(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: exchangeRatesBody }) body: ExchangeRatesBody,
  ) {
    const done = response.stamp(await putExchangeRates(this.services, caller, to.propertyId, body, key));
    return { items: done.result, nextCursor: null };
  }
}
