import { Controller, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import {
  chainSearchAnswer,
  type ChainSearchBody,
  chainSearchBody,
} from '../../../src/revenue/contracts/chain-search.ts';
import { searchChain } from '../../../src/revenue/operations/chain-search/search-chain.ts';
import { Answers } from '../../http/answers.ts';
import { Body } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { offerAnswer } from '../properties/render/property.ts';

/** Search over all properties of a tenant (docs/reference/chain-search.md#request). */
@Controller('api/v1/availability')
export class ChainSearch {
  @Inject(SERVICES) protected readonly services!: Services;

  /** The cheapest offer of each room type over all properties, by currency. */
  @Post('search')
  @Answers(chainSearchAnswer)
  @Needs('availability.read', 'Search all properties for the cheapest rooms')
  async search(@TheRead() { caller, response }: Read, @Body({ schema: chainSearchBody }) body: ChainSearchBody) {
    const { offers, asOf, isComplete } = await response.actor(searchChain(this.services, caller, body));
    const items = offers.map(({ seq, ...offer }) => {
      const { bookable: _, reason: __, ...shown } = offerAnswer(offer);
      return { ...shown, quoteToken: offer.quoteToken, seq };
    });
    return { items, asOf, isComplete };
  }
}
