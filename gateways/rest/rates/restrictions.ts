import { Controller, Get, Inject, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  type RestrictionsBody,
  restrictionsBody,
  type RestrictionsQuery,
  restrictionsQuery,
} from '../../../src/rates/contracts/restrictions.ts';
import * as answers from '../../../src/rates/contracts/sales-answers.ts';
import { readRestrictions, setRestrictions } from '../../../src/rates/operations/set-restrictions.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { restrictionItem } from './render/sales.ts';

/** Restrictions of nights, per plan, room type and date (docs/reference/rates.md#restrictions). */
@Controller('api/v1/rates/restrictions')
export class Restrictions {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Nights with restrictions, from today on. */
  @Get()
  @Answers(answers.restrictionsAnswer)
  @Needs('rate.read', 'Read the restrictions of a period')
  async read(@TheRead() { caller, response }: Read, @Query({ schema: restrictionsQuery }) query: RestrictionsQuery) {
    const { items, seq } = response.stamp(await readRestrictions(this.services, caller, query));
    return { propertyId: query.propertyId, items: items.map(restrictionItem), seq };
  }

  /** Sets, keeps (absent) or removes (null) restrictions of a period; for every plan or type when none is named. */
  @Put()
  @Answers(answers.restrictionsSetAnswer)
  @Needs('restriction.set', 'Set restrictions over a period')
  async set(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: restrictionsBody }) body: RestrictionsBody,
  ) {
    const answer = await response.actor(setRestrictions(this.services, caller, body, key));
    const { cells, updatedAt } = answer.result;
    return { propertyId: body.propertyId, affectedNights: cells, updatedAt };
  }
}
