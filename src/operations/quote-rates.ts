import type { CurrentQuery } from '../contracts/rates.ts';
import type { Caller } from '../domain/caller.ts';
import type { Quote } from '../domain/queries.ts';
import { nextQuoteId, quoteToken } from './quote-token.ts';
import type { Services } from './services.ts';
import { checkBounds } from './window.ts';

const NAMES = { checkIn: { parameter: 'checkIn' }, checkOut: { parameter: 'checkOut' } };

export type QuotedStay = { seq: number; quote: Quote; tokens: (string | undefined)[] };

/** Prices a stay from memory (specification 4.1, `GET /rates/current`), with a token for each price that can be had. */
export async function quoteRates(services: Services, caller: Caller, query: CurrentQuery): Promise<QuotedStay> {
  const to = { tenantId: caller.tenantId, propertyId: query.propertyId };
  const view = await services.properties.view(to);
  checkBounds(view, query.checkIn, query.checkOut, NAMES);
  const now = services.clock.now();
  const quote = view.quote(query, now);
  const id = nextQuoteId();
  const tokens = quote.rates.map((rate, index) =>
    rate.bookable ? quoteToken(services.signed, to, query, rate, `${id}${index}`, now) : undefined,
  );
  return { seq: view.seq, quote, tokens };
}
