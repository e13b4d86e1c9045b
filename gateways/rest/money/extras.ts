import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  extraAnswer,
  type ExtraBody,
  extraBody,
  extraListAnswer,
  stockAnswer,
  type StockQuery,
  stockQuery,
} from '../../../src/money/contracts/extras.ts';
import { readStockByNight } from '../../../src/money/operations/extra-stock.ts';
import {
  getExtra,
  type GrossPrices,
  listExtras,
  putExtra,
  readGrossPrices,
  removeExtra,
  restoreExtra,
} from '../../../src/money/operations/set-up-extras.ts';
import type { Extra } from '../../../src/money/rules/extra.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';

/** Extras of a property besides nights, by code: a final charge names the code (docs/concepts/money.md#check-out). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/services')
export class Extras {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(extraListAnswer)
  @Needs('property.read', 'List extra services')
  async list(@ThePropertyRead() { to }: PropertyRead) {
    const { items, currency, gross } = await listExtras(this.services, to);
    return { items: items.map((extra) => wireExtra({ extra, currency }, gross)), nextCursor: null };
  }

  @Get(':code')
  @Answers(extraAnswer)
  @Needs('property.read', 'Read an extra service')
  async get(@ThePropertyRead() { to }: PropertyRead, @Param('code') code: string) {
    return wireExtra(await getExtra(this.services, to, code), await readGrossPrices(this.services, to));
  }

  @Get(':code/stock')
  @Answers(stockAnswer)
  @Needs('property.read', 'Read the stock of an extra by night')
  async stock(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Param('code') code: string,
    @Query({ schema: stockQuery }) query: StockQuery,
  ) {
    const { items } = response.stamp(await readStockByNight(this.services, to, code, query));
    return { code, items };
  }

  /** Adds or replaces the extra with this code: repeating the request has no further effect. */
  @Put(':code')
  @Answers(extraAnswer)
  @Needs('property.set-up', 'Create or change an extra service')
  async put(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('code') code: string,
    @Body({ schema: extraBody }) body: ExtraBody,
  ) {
    const done = response.stamp(await putExtra(this.services, caller, { ...to, code }, body, key));
    return wireExtra(done.result, await readGrossPrices(this.services, to));
  }

  @Delete(':code')
  @Answers(removed)
  @Needs('property.set-up', 'Delete an extra service')
  async remove(@ThePropertyWrite() { caller, to, key, response }: PropertyWrite, @Param('code') code: string) {
    response.stamp(await removeExtra(this.services, caller, { ...to, code }, key));
    return { id: code, status: 'REMOVED' as const };
  }

  @Post(':code/restore')
  @Answers(extraAnswer)
  @Needs('property.set-up', 'Restore a deleted extra service')
  async restore(@ThePropertyWrite() { caller, to, key, response }: PropertyWrite, @Param('code') code: string) {
    const done = response.stamp(await restoreExtra(this.services, caller, { ...to, code }, key));
    return wireExtra(done.result, await readGrossPrices(this.services, to));
  }
}

function wireExtra(
  { extra, currency }: { extra: Extra; currency: string },
  gross: GrossPrices,
): AnswerOf<typeof extraAnswer> {
  const { description = null, category = null, stockPerNight = null, price, ...rest } = extra;
  const prices = { price, grossPrice: gross(extra), currency };
  return { ...rest, description, category, ...prices, stockPerNight };
}
