import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { checkStayDays } from '../../kernel/rules/sale-window.ts';
import type { CurrentQuery } from '../contracts/rates.ts';
import { checkDayIsLeft, checkDayUse } from '../rules/day-use.ts';
import { type Quote, type RateType, rateTypeOf } from '../rules/queries.ts';
import { stayKey } from '../rules/stay.ts';
import { QUOTE_LIFE_MS, QuoteTokens } from './quote-token.ts';

const FIELDS = { checkIn: { parameter: 'checkIn' }, checkOut: { parameter: 'checkOut' } };

export type QuotedStay = { seq: number; quote: Quote; tokens: (string | undefined)[] };

/** Prices a stay from memory (docs/reference/rates.md#quote), with a token for each bookable price. */
export async function quoteRates(services: Services, caller: Caller, query: CurrentQuery): Promise<QuotedStay> {
  const to = { tenantId: caller.tenantId, propertyId: query.propertyId };
  const view = await services.properties.view(to);
  checkStayDays(view, query, FIELDS);
  const plan = view.setup.plans.find(({ code }) => code === query.rateCode);
  if (plan) checkDayUse([plan], query, FIELDS);
  const now = services.clock.now();
  checkDayIsLeft(query, view.setup.property.metadata, FIELDS, now);
  const { promoCode, checkIn, checkOut } = query;
  const unit = promoCode === undefined ? undefined : { promoCode, holder: `${caller.subject} ${stayKey(query)}` };
  const quote = ofType(view.quote(query, now, unit?.holder), query.rateType);
  if (promoCode === undefined) services.quoteCounts.shown(caller.subject, to, view, query, quote.rates);
  const made = new QuoteTokens(services.signed, to, query, now, view.charges);
  const tokens = quote.rates.map((rate) => (rate.bookable ? made.of(rate) : undefined));
  if (unit && tokens.some((token) => token !== undefined))
    view.promise(unit.promoCode, unit.holder, { quoteId: made.id, checkIn, checkOut, until: now + QUOTE_LIFE_MS });
  return { seq: view.seq, quote, tokens };
}

function ofType(quote: Quote, wanted: RateType | undefined): Quote {
  if (wanted === undefined) return quote;
  return { ...quote, rates: quote.rates.filter((rate) => rateTypeOf(rate) === wanted) };
}
