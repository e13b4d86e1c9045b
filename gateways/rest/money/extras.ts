import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

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
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamped, stampReplay } from '../answer.ts';

/** What a house sells beside its nights, by code: a final charge names the code (docs/concepts/money.md#check-out). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/services')
export class Extras {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  @Get()
  @Answers(extraListAnswer)
  @Needs('property.read')
  async list(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
  ): Promise<AnswerOf<typeof extraListAnswer>> {
    const { items, currency } = await listExtras(this.#services, { tenantId, propertyId });
    return { items: items.map((extra) => wireExtra({ extra, currency })), nextCursor: null };
  }

  @Get(':code')
  @Answers(extraAnswer)
  @Needs('property.read')
  async get(
    @TheCaller() { tenantId }: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
  ): Promise<AnswerOf<typeof extraAnswer>> {
    return wireExtra(await getExtra(this.#services, { tenantId, propertyId }, code));
  }

  /** Puts it on the list, or in the place of the one with this code: the same request twice is the same list. */
  @Put(':code')
  @Answers(extraAnswer)
  @Needs('property.set-up')
  async put(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
    @Body({ schema: extraBody }) body: ExtraBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof extraAnswer>> {
    const done = await putExtra(this.#services, caller, { propertyId, code }, body, key);
    stampReplay(reply, done);
    return wireExtra(done.result);
  }

  @Delete(':code')
  @Answers(removed)
  @Needs('property.set-up')
  async remove(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof removed>> {
    stampReplay(reply, await removeExtra(this.#services, caller, { propertyId, code }, key));
    return { id: code, status: 'REMOVED' };
  }

  @Post(':code/restore')
  @Answers(extraAnswer)
  @HttpCode(200)
  @Needs('property.set-up')
  async restore(
    @TheCaller() caller: Caller,
    @Param('propertyId') propertyId: PropertyId,
    @Param('code') code: string,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof extraAnswer>> {
    return wireExtra(stamped(reply, await restoreExtra(this.#services, caller, { propertyId, code }, key)));
  }
}

function wireExtra({ extra, currency }: { extra: Extra; currency: string }): AnswerOf<typeof extraAnswer> {
  const { description = null, category = null, price, ...rest } = extra;
  const prices = { price, grossPrice: grossPrice(extra), currency };
  return { ...rest, description, category, ...prices };
}
