import { Body, Controller, Delete, Get, Inject, Param, Put } from '@nestjs/common';

import { removed } from '../../src/contracts/answers.ts';
import { extraAnswer, type ExtraBody, extraBody, extraListAnswer } from '../../src/contracts/extras.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { type Extra, grossPrice } from '../../src/domain/extra.ts';
import type { Services } from '../../src/operations/services.ts';
import { getExtra, listExtras, putExtra, removeExtra } from '../../src/operations/set-up-extras.ts';
import { Answers } from '../http/answers.ts';
import { wireMoney } from '../http/money.ts';
import { Needs, TheCaller } from '../http/route.ts';
import { SERVICES } from './answer.ts';

/** What a house sells beside its nights, by code: a final charge names the code (contracts.md 7, check-out). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/services')
export class Extras {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(extraListAnswer)
  @Needs('property.read')
  async list(@TheCaller() { tenantId }: Caller, @Param('propertyId') propertyId: string): Promise<unknown> {
    const { items, currency } = await listExtras(this.#services, { tenantId, propertyId });
    return { items: items.map((extra) => wireExtra({ extra, currency })), nextCursor: null };
  }

  @Get(':code')
  @Answers(extraAnswer)
  @Needs('property.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: string,
    @Param('code') code: string,
  ): Promise<unknown> {
    return wireExtra(await getExtra(this.#services, { tenantId, propertyId }, code));
  }

  /** Puts it on the list, or in the place of the one with this code: the same request twice is the same list. */
  @Put(':code')
  @Answers(extraAnswer)
  @Needs('property.set-up')
  async put(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: string,
    @Param('code') code: string,
    @Body({ schema: extraBody }) body: ExtraBody,
  ): Promise<unknown> {
    return wireExtra(await putExtra(this.#services, { tenantId, propertyId }, code, body));
  }

  @Delete(':code')
  @Answers(removed)
  @Needs('property.set-up')
  async remove(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: string,
    @Param('code') code: string,
  ): Promise<unknown> {
    await removeExtra(this.#services, { tenantId, propertyId }, code);
    return { id: code, status: 'REMOVED' };
  }
}

function wireExtra({ extra, currency }: { extra: Extra; currency: string }): Record<string, unknown> {
  const { description = null, category = null, price, ...rest } = extra;
  const prices = { price: wireMoney(price), grossPrice: wireMoney(grossPrice(extra)), currency };
  return { ...rest, description, category, ...prices };
}
