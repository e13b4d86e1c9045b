import { Controller, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { QuotedRate } from '../../../src/rates/rules/queries.ts';
import {
  chainOffer,
  chainSearchAnswer,
  type ChainSearchBody,
  chainSearchBody,
} from '../../../src/revenue/contracts/chain-search.ts';
import { searchChain } from '../../../src/revenue/operations/chain-search/search-chain.ts';
import type { Offer } from '../../../src/revenue/operations/read-availability.ts';
import { Answers, answerText } from '../../http/answers.ts';
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
    const items = offers.map(({ rate, propertyId, propertyName, quoteToken, seq }) => {
      const text = offerText({ propertyId, propertyName, rate });
      return `${text.slice(0, -1)},"quoteToken":${JSON.stringify(quoteToken)},"seq":${seq}}`;
    });
    const rest = answerText(endOfAnswer, { asOf, isComplete });
    return `{"items":[${items.join(',')}],${rest.slice(1)}`;
  }
}

const shownOffer = chainOffer.omit({ quoteToken: true, seq: true });
const endOfAnswer = chainSearchAnswer.omit({ items: true });

/** Texts of offers without their tokens: repeated searches find the same rates. */
const written = new WeakMap<QuotedRate, string>();

function offerText(offer: Pick<Offer, 'propertyId' | 'propertyName' | 'rate'>): string {
  let text = written.get(offer.rate);
  if (text === undefined) {
    const { bookable: _, reason: __, ...shown } = offerAnswer(offer);
    written.set(offer.rate, (text = answerText(shownOffer, shown)));
  }
  return text;
}
