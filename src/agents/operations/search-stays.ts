import type { PropertyView } from '../../kernel/property-actors.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { type Code, DomainError } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { listProperties } from '../../properties/operations/list-properties.ts';
import { type QuotedStay, quoteRates } from '../../rates/operations/quote-rates.ts';
import { QUOTE_LIFE_MS } from '../../rates/operations/quote-token.ts';
import { bookedNight } from '../../rates/rules/night-charges.ts';
import type { QuotedRate } from '../../rates/rules/queries.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import { type OfferTerms, offerTerms } from '../../stay/operations/online/offer-terms.ts';
import { guaranteeUnder } from '../../stay/rules/guarantee.ts';
import type { QuoteInput, SearchInput } from '../contracts/tool-inputs.ts';
import type { ExplainOutput, QuoteOutput, SearchOutput } from '../contracts/tool-outputs.ts';
import { AGENT_BOUNDS, plainText } from '../rules/agent-bounds.ts';
import { cancelTerms, decimalOf } from './agent-answers.ts';
import type { AgentScope } from './agent-scope.ts';

type Properties = {
  properties: {
    propertyId: string;
    name: string;
    city: string | null;
    country: string | null;
    timezone: string;
    currency: string;
  }[];
  nextCursor: string | null;
};

/** Lists the properties that an agent can search. */
export async function propertiesForAgent({ services, caller }: AgentScope, cursor?: string): Promise<Properties> {
  const page = { limit: AGENT_BOUNDS.properties, cursor };
  const { items, nextCursor = null } = await listProperties(services, caller, page);
  const properties = items.map(({ property: { propertyId, name, address, metadata } }) => ({
    propertyId,
    name: plainText(name),
    city: address?.city === undefined ? null : plainText(address.city),
    country: address?.country === undefined ? null : plainText(address.country),
    timezone: metadata.timezone,
    currency: metadata.currency,
  }));
  return { properties, nextCursor };
}

/**
 * Finds what an agent can book for a party, cheapest first, with all taxes and fees (docs/reference/mcp.md#tools).
 * @throws DomainError PROPERTY_NOT_FOUND, those of a stay with wrong days, and of a promo code that no plan takes
 */
export async function searchForAgent(scope: AgentScope, search: SearchInput): Promise<SearchOutput> {
  const { services, caller } = scope;
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: search.propertyId });
  const offers: SearchOutput['offers'] = [];
  const reasons = new Map<string, SearchOutput['unavailable'][number]>();
  let refused: unknown;
  for (const { plan, payment } of scope.plansOf(view)) {
    const query = { ...search, rateCode: plan.code, explain: false };
    // A promotion may be for some of the plans.
    const quoted = await quoteRates(services, caller, query).catch((error: unknown) => {
      if (!isPromoRefusal(error)) throw error;
      refused = error;
    });
    if (!quoted) continue;
    for (const { roomType, code, detail } of reasonsIn(quoted.quote))
      reasons.set(roomType, { roomType, code, detail });
    for (const rate of quoted.quote.rates.filter(({ bookable }) => bookable)) {
      const terms = termsOf(view, plan, search, rate);
      offers.push({
        ...namesOf(view, plan, rate.roomType),
        total: decimalOf(totalOf(rate)),
        currency: rate.currency,
        payment,
        cancellation: cancelTerms(terms),
      });
    }
  }
  if (refused !== undefined && offers.length === 0) throw refused;
  const found = new Set(offers.map(({ roomType }) => roomType));
  return {
    propertyId: search.propertyId,
    propertyName: plainText(view.setup.property.name),
    checkIn: formatDay(search.checkIn),
    checkOut: formatDay(search.checkOut),
    offers: offers.toSorted((a, b) => a.total - b.total).slice(0, AGENT_BOUNDS.offers),
    unavailable: [...reasons.values()].filter(({ roomType }) => !found.has(roomType)),
  };
}

/** Promises the price of a stay (docs/reference/rates.md#quote). @throws DomainError that says why it cannot be booked */
export async function quoteForAgent(scope: AgentScope, stay: QuoteInput): Promise<QuoteOutput> {
  const { rate, token, view, plan, payment } = await pricedStay(scope, stay, false);
  return {
    ...priceAnswer(view, plan, stay, rate),
    nights: nightsOf(stay, rate),
    payment,
    cancellation: cancelTerms(termsOf(view, plan, stay, rate)),
    quoteToken: token,
    quoteExpiresAt: formatInstant(scope.services.clock.now() + QUOTE_LIFE_MS),
  };
}

/** Says how the price of each night comes about. @throws DomainError as a quote */
export async function explainForAgent(scope: AgentScope, stay: QuoteInput): Promise<ExplainOutput> {
  const { rate, view, plan } = await pricedStay(scope, stay, true);
  const steps = (index: number): ExplainOutput['nights'][number]['steps'] =>
    (rate.steps?.[index] ?? []).map(({ rule, amount }) => ({ rule, amount: decimalOf(amount) }));
  const nights = nightsOf(stay, rate).map((night, index) => ({ ...night, steps: steps(index) }));
  return { ...priceAnswer(view, plan, stay, rate), nights };
}

async function pricedStay(scope: AgentScope, stay: QuoteInput, explain: boolean) {
  const { services, caller } = scope;
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: stay.propertyId });
  const { plan, payment } = scope.planOf(view, stay.rateCode);
  const { quote, tokens } = await quoteRates(services, caller, { ...stay, explain });
  const index = quote.rates.findIndex(({ roomType, bookable }) => roomType === stay.roomType && bookable);
  const [rate, token] = [quote.rates[index], tokens[index]];
  if (!rate || token === undefined) throw await unavailable(scope, stay, quote);
  return { view, plan, payment, rate, token };
}

/** Why a stay cannot be booked, with other room types that can. */
async function unavailable(
  { services, caller }: AgentScope,
  { roomType, ...stay }: QuoteInput,
  quote: QuotedStay['quote'],
): Promise<DomainError> {
  const why = reasonsIn(quote).find((one) => one.roomType === roomType);
  if (!why) return new DomainError('UNKNOWN_ROOM_TYPE', 'The property has no such room type.');
  const { quote: all } = await quoteRates(services, caller, { ...stay, explain: false });
  const days = { checkIn: formatDay(stay.checkIn), checkOut: formatDay(stay.checkOut) };
  const alternatives = all.rates
    .filter(({ bookable }) => bookable)
    .map((rate) => ({ roomType: rate.roomType, ...days }));
  return new DomainError(why.code, why.detail, { alternatives, ...('date' in why && { date: why.date }) });
}

type Reason = { roomType: string; code: Code; detail: string; date?: string };

/** Room types that cannot be booked: a rule forbids it, or no room is left for each night. */
function reasonsIn({ rates, unavailable: forbidden }: QuotedStay['quote']): Reason[] {
  const full = rates.filter(({ bookable }) => !bookable);
  const detail = 'No room of this type is left for all nights.';
  return [...full.map(({ roomType }) => ({ roomType, code: 'ROOM_NOT_AVAILABLE' as const, detail })), ...forbidden];
}

const isPromoRefusal = (error: unknown): boolean => error instanceof DomainError && error.code.startsWith('PROMO_');

const totalOf = ({ total, taxes, fees }: QuotedRate): Minor => total + taxes + fees;

function termsOf(view: PropertyView, plan: RatePlan, stay: SearchInput, rate: QuotedRate): OfferTerms {
  const { metadata } = view.setup.property;
  const nights = rate.nightly.map((price, index) => bookedNight(stay, stay.checkIn + index, price, view.charges));
  const guarantee = guaranteeUnder(plan, metadata.policies, {});
  return offerTerms(plan, guarantee, { checkIn: stay.checkIn, nights, currency: rate.currency }, metadata);
}

function namesOf({ setup }: PropertyView, plan: RatePlan, roomType: string) {
  const named = setup.roomTypes.find((type) => type.roomType === roomType);
  return {
    roomType,
    roomName: plainText(named?.name ?? roomType),
    rateCode: plan.code,
    planName: plainText(plan.name),
  };
}

function priceAnswer(view: PropertyView, plan: RatePlan, stay: QuoteInput, rate: QuotedRate) {
  return {
    propertyId: stay.propertyId,
    ...namesOf(view, plan, rate.roomType),
    checkIn: formatDay(stay.checkIn),
    checkOut: formatDay(stay.checkOut),
    roomTotal: decimalOf(rate.total),
    taxes: decimalOf(rate.taxes),
    fees: decimalOf(rate.fees),
    total: decimalOf(totalOf(rate)),
    currency: rate.currency,
  };
}

function nightsOf({ checkIn }: QuoteInput, { nightly }: QuotedRate): { date: string; rate: number }[] {
  return nightly.map((rate, index) => ({ date: formatDay(checkIn + index), rate: decimalOf(rate) }));
}
