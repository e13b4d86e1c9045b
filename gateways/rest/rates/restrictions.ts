import { Body, Controller, Get, Inject, Put, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import {
  type RestrictionsBody,
  restrictionsBody,
  type RestrictionsQuery,
  restrictionsQuery,
} from '../../../src/rates/contracts/restrictions.ts';
import * as answers from '../../../src/rates/contracts/sales-answers.ts';
import { readRestrictions, setRestrictions } from '../../../src/rates/operations/set-restrictions.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, stamp, timed } from '../answer.ts';
import { restrictionItem } from './render/sales.ts';

/** What limits the sale of nights, per plan, room type and date (docs/reference/rates.md#restrictions). */
@Controller('api/v1/rates/restrictions')
export class Restrictions {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** The nights that have restrictions, from today on. */
  @Get()
  @Answers(answers.restrictionsAnswer)
  @Needs('rate.read')
  async read(
    @TheCaller() caller: Caller,
    @Query({ schema: restrictionsQuery }) query: RestrictionsQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.restrictionsAnswer>> {
    const { items, seq } = await readRestrictions(this.#services, caller, query);
    stamp(reply, { seq });
    return { propertyId: query.propertyId, items: items.map(restrictionItem), seq };
  }

  /** Sets, keeps (absent) or takes away (null) restrictions of a period; every plan or type when none is named. */
  @Put()
  @Answers(answers.restrictionsSetAnswer)
  @Needs('restriction.set')
  async set(
    @TheCaller() caller: Caller,
    @Body({ schema: restrictionsBody }) body: RestrictionsBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof answers.restrictionsSetAnswer>> {
    const answer = await timed(reply, 'actor', setRestrictions(this.#services, caller, body, key));
    stamp(reply, answer);
    const { cells, updatedAt } = answer.result;
    return { propertyId: body.propertyId, affectedNights: cells, updatedAt };
  }
}
