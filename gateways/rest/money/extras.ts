import { Body, Controller, Delete, Get, Inject, Param, Post, Put } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import { extraAnswer, type ExtraBody, extraBody, extraListAnswer } from '../../../src/money/contracts/extras.ts';
import {
  getExtra,
  listExtras,
  putExtra,
  removeExtra,
  restoreExtra,
} from '../../../src/money/operations/set-up-extras.ts';
import { type Extra, grossPrice } from '../../../src/money/rules/extra.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Needs, TheCaller } from '../../http/route.ts';
import { SERVICES, TheWrite, type Write } from '../answer.ts';

/** What a house sells beside its nights, by code: a final charge names the code (docs/concepts/money.md#check-out). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/services')
export class Extras {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(extraListAnswer)
  @Needs('property.read')
  async list(@TheCaller() { tenantId }: Caller, @Param('propertyId') propertyId: PropertyId) {
    const { items, currency } = await listExtras(this.services, { tenantId, propertyId });
    return { items: items.map((extra) => wireExtra({ extra, currency })), nextCursor: null };
  }

  @Get(':code')
  @Answers(extraAnswer)
  @Needs('property.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
  ) {
    return wireExtra(await getExtra(this.services, { tenantId, propertyId }, code));
  }

  /** Puts it on the list, or in the place of the one with this code: the same request twice is the same list. */
  @Put(':code')
  @Answers(extraAnswer)
  @Needs('property.set-up')
  async put(
    @TheWrite() { caller, key, response }: Write,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
    @Body({ schema: extraBody }) body: ExtraBody,
  ) {
    const done = response.stamp(await putExtra(this.services, caller, { propertyId, code }, body, key));
    return wireExtra(done.result);
  }

  @Delete(':code')
  @Answers(removed)
  @Needs('property.set-up')
  async remove(
    @TheWrite() { caller, key, response }: Write,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
  ) {
    response.stamp(await removeExtra(this.services, caller, { propertyId, code }, key));
    return { id: code, status: 'REMOVED' as const };
  }

  @Post(':code/restore')
  @Answers(extraAnswer)
  @Needs('property.set-up')
  async restore(
    @TheWrite() { caller, key, response }: Write,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
  ) {
    const done = response.stamp(await restoreExtra(this.services, caller, { propertyId, code }, key));
    return wireExtra(done.result);
  }
}

function wireExtra({ extra, currency }: { extra: Extra; currency: string }): AnswerOf<typeof extraAnswer> {
  const { description = null, category = null, price, ...rest } = extra;
  const prices = { price, grossPrice: grossPrice(extra, currency), currency };
  return { ...rest, description, category, ...prices };
}
