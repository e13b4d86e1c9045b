import type { Services } from '../../kernel/operations/services.ts';
import { answerTag } from '../../kernel/operations/state-tag.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { checkStayDays, type StayFields } from '../../kernel/rules/sale-window.ts';
import type { CurrentQuery } from '../contracts/rates.ts';
import { checkDayIsLeft, checkDayUse } from '../rules/day-use.ts';
import { type Quote, type RateType, rateTypeOf } from '../rules/queries.ts';
import { stayKey } from '../rules/stay.ts';
import { QUOTE_LIFE_MS, QuoteTokens } from './quote-token.ts';

const FIELDS = { checkIn: { parameter: 'checkIn' }, checkOut: { parameter: 'checkOut' } };

/** A client uses an answer again while its tokens are good for so long, which is the time to book. */
const MIN_LEFT_MS = 10 * 60_000;

export type QuotedStay = {
  seq: number;
  quote: Quote;
  tokens: (string | undefined)[];
  /** Name of the answer, where it stays right until the property changes or its tokens are nearly over. */
  tag?: string;
  /** The client holds the answer under this tag: it has the tokens. */
  isHeld?: boolean;
};

/**
 * Prices a stay from memory (docs/reference/rates.md#quote), with a token for each bookable price.
 * @param heldTags of answers that the client holds; the answer has a tag of its own only with them
 */
export async function quoteRates(
  services: Services,
  caller: Caller,
  query: CurrentQuery,
  heldTags?: readonly string[],
): Promise<QuotedStay> {
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: query.propertyId });
  return quoteIn(view, services, caller, query, { heldTags });
}

/**
 * Prices a stay in a state of its property.
 * @param fields where the request names the days of the stay
 */
export function quoteIn(
  view: PropertyView,
  services: Services,
  caller: Caller,
  query: CurrentQuery,
  { fields = FIELDS, heldTags }: { fields?: StayFields; heldTags?: readonly string[] | undefined } = {},
): QuotedStay {
  const to = { tenantId: caller.tenantId, propertyId: query.propertyId };
  checkStayDays(view, query, fields);
  const plan = view.setup.plans.find(({ code }) => code === query.rateCode);
  if (plan) checkDayUse([plan], query, fields);
  const now = services.clock.now();
  checkDayIsLeft(query, view.setup.property.metadata, fields, now);
  const { promoCode, checkIn, checkOut } = query;
  const unit = promoCode === undefined ? undefined : { promoCode, holder: `${caller.subject} ${stayKey(query)}` };
  const quote = ofType(view.quote(query, now, unit?.holder), query.rateType);
  if (promoCode === undefined) services.quoteCounts.shown(caller.subject, to, view, query, quote.rates);
  const held = heldTags && heldOrNew(view, query, now, heldTags);
  if (held?.isHeld) return { seq: view.seq, quote, tokens: [], ...held };
  const made = new QuoteTokens(services.signed, to, query, now, view.charges);
  const tokens = quote.rates.map((rate) => (rate.bookable ? made.of(rate) : undefined));
  if (unit && tokens.some((token) => token !== undefined))
    view.promise(unit.promoCode, unit.holder, { quoteId: made.id, checkIn, checkOut, until: now + QUOTE_LIFE_MS });
  return { seq: view.seq, quote, tokens, ...held };
}

/**
 * The tag of a held answer whose tokens are good for a while, or of a new one. Units of a promotion are promised and
 * taken without a change of the property, and day use ends with an hour: such answers have no tag.
 */
function heldOrNew(
  view: PropertyView,
  query: CurrentQuery,
  now: Instant,
  heldTags: readonly string[],
): Pick<QuotedStay, 'tag' | 'isHeld'> {
  if (query.promoCode !== undefined || query.dayUse) return {};
  const wanted = `${answerTag(view, JSON.stringify(query))}-`;
  const isGood = (tag: string): boolean => {
    const age = tag.startsWith(wanted) ? now - parseInt(tag.slice(wanted.length), 36) : NaN;
    return age >= 0 && age <= QUOTE_LIFE_MS - MIN_LEFT_MS;
  };
  const tag = heldTags.find(isGood);
  return tag === undefined ? { tag: wanted + now.toString(36) } : { tag, isHeld: true };
}

function ofType(quote: Quote, wanted: RateType | undefined): Quote {
  if (wanted === undefined) return quote;
  return { ...quote, rates: quote.rates.filter((rate) => rateTypeOf(rate) === wanted) };
}
