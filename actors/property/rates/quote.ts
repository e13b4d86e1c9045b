import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { namedLines } from '../../../src/money/rules/taxes.ts';
import type { Policies, Property, RoomType } from '../../../src/properties/rules/property.ts';
import {
  bookedNight,
  chargesDuring,
  chargesOf,
  nightTax,
  quotedTaxes,
  stayFees,
} from '../../../src/rates/rules/night-charges.ts';
import { priceSteps, type StayTerms } from '../../../src/rates/rules/pricing.ts';
import { discounted, type Promotion } from '../../../src/rates/rules/promotion.ts';
import type { Quote, QuotedRate, QuoteQuery } from '../../../src/rates/rules/queries.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { termsOfPlan } from '../../../src/stay/rules/booking-terms.ts';
import { freeUntil } from '../../../src/stay/rules/cancellation.ts';
import { guaranteeUnder } from '../../../src/stay/rules/guarantee.ts';
import type { PricedNight, Slab } from '../slab.ts';
import type { State } from '../state.ts';
import { checkOccupancy, checkPlan, noRate, termsOf } from '../stay/stay-rules.ts';
import { cellOf, hasRate, nightText, nightUnder, type Pricing, pricingOf } from './plans.ts';
import { promotionFor } from './promotions.ts';
import { checkRestrictions, stayLimitsOf, strictest } from './restrictions.ts';

/**
 * Prices a stay for every requested room type (docs/reference/rates.md#quote).
 * @param holder subject and stay: a unit promised to them before is theirs
 * @throws DomainError UNKNOWN_RATE_CODE, UNKNOWN_ROOM_TYPE; PROMO_NOT_APPLICABLE, PROMO_EXHAUSTED when no type can
 * have it
 */
export function quote(state: State, query: QuoteQuery, now: Instant, holder?: string): Quote {
  const property = state.property!;
  const plan = state.plans.get(query.rateCode);
  if (plan?.status !== 'ACTIVE')
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${query.rateCode}.`);
  if (query.roomType !== undefined && !state.roomTypes.has(query.roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${query.roomType}.`);
  const ofPlan = stayLimitsOf({ restrictions: NONE }, plan, { ...query, roomType: '' });
  const restricted = state.restrictions.has(plan.code);
  const answer: Quote = { rates: [], unavailable: [], restrictions: ofPlan };
  const { ofPlan: policyName = plan.cancellationPolicy, ...agreed } = termsOfPlan(plan, property.metadata.policies);
  const deadline = freeUntil(agreed, query.checkIn, property.metadata);
  const pricing = pricingOf(state.plans, plan);
  const terms = termsOf(query, state.today);
  const cancellation = { policyName, deadline };
  const { kind: guarantee } = guaranteeUnder(plan, property.metadata.policies, {});
  let noPromotion: DomainError | undefined;
  for (const type of state.roomTypes.values()) {
    if (query.roomType !== undefined && type.roomType !== query.roomType) continue;
    const stay = { ...query, roomType: type.roomType };
    const error = forbidden(state, type, pricing, stay, { now, holder });
    if (error?.code.startsWith('PROMO_')) noPromotion ??= error;
    if (error) answer.unavailable.push(shown(error, stay));
    else {
      const promotion = query.promoCode === undefined ? undefined : state.promotions.get(query.promoCode);
      const rate = priced(state, property, stay, pricing, terms, promotion);
      const slab = state.slabs.get(type.roomType)!;
      const steps = query.explain ? explained(slab, pricing, terms, query.checkIn, rate.nightly) : undefined;
      const limits = restricted ? stayLimitsOf(state, plan, stay) : ofPlan;
      answer.rates.push({ ...rate, restrictions: limits, cancellation, guarantee, steps });
    }
  }
  if (noPromotion && answer.rates.length === 0) throw noPromotion;
  if (restricted)
    answer.restrictions = strictest(
      answer.rates.map(({ restrictions }) => restrictions),
      ofPlan,
    );
  return answer;
}

/** No plan is restricted. */
const NONE: State['restrictions'] = new Map();

function shown({ code, message, details }: DomainError, { roomType, checkIn }: Stay): Quote['unavailable'][0] {
  return { roomType, code, date: details.date ?? formatDay(checkIn), detail: message };
}

function forbidden(
  state: State,
  type: RoomType,
  pricing: Pricing,
  stay: QuoteQuery & Stay,
  { now, holder }: { now: Instant; holder: string | undefined },
): DomainError | undefined {
  const { plan } = pricing;
  try {
    checkOccupancy(type, stay);
    checkPlan(plan, state.today, stay);
    checkRestrictions(state, plan, stay);
    if (stay.promoCode !== undefined) promotionFor(state, stay.promoCode, stay, now, holder);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error;
  }
  const slab = state.slabs.get(type.roomType)!;
  for (let day = stay.checkIn; day < stay.checkOut; day++) if (!hasRate(slab, day, pricing)) return noRate(day);
  return undefined;
}

function explained(
  slab: Slab,
  { lineage }: Pricing,
  terms: StayTerms,
  checkIn: Day,
  nightly: readonly number[],
): QuotedRate['steps'] {
  return nightly.map((rate, index) => {
    const steps = priceSteps(cellOf(slab, checkIn + index), lineage, terms);
    const off = rate - steps.reduce((sum, { amount }) => sum + amount, 0);
    return off === 0 ? steps : [...steps, { rule: 'promotion', amount: off }];
  });
}

type Priced = Omit<QuotedRate, 'restrictions' | 'cancellation' | 'guarantee' | 'steps'>;

function priced(
  state: State,
  property: Property,
  stay: Stay,
  pricing: Pricing,
  terms: StayTerms,
  promotion: Promotion | undefined,
): Priced {
  const { policies, currency } = property.metadata;
  const slab = state.slabs.get(stay.roomType)!;
  const count = stay.checkOut - stay.checkIn;
  const nights = new Array<PricedNight>(count);
  for (let i = 0; i < count; i++) nights[i] = nightUnder(slab, stay.checkIn + i, pricing, policies, terms)!;
  const sold = promotion ? withDiscount(nights, stay.checkIn, promotion, policies) : nights;
  const nightly = new Array<number>(count);
  let [total, taxes, bookable, dailyText] = [0, 0, true, ''];
  for (let i = 0; i < count; i++) {
    const night = sold[i]!;
    nightly[i] = night.rate;
    total += night.rate;
    taxes += night.taxes;
    if (night.available === 0) bookable = false;
    dailyText += i === 0 ? night.text : `,${night.text}`;
  }
  return {
    roomType: stay.roomType,
    rateCode: pricing.plan.code,
    promoCode: promotion?.promoCode,
    currency,
    dailyText,
    nightly,
    total,
    average: Math.round(total / count),
    taxes,
    fees: stayFees(stay, policies),
    ...(policies.taxes.length > 0 && ownTaxes(stay, nightly, policies)),
    bookable,
  };
}

/** Taxes of the property itself depend on the stay as a whole. */
function ownTaxes(
  stay: Stay,
  nightly: readonly Minor[],
  policies: Policies,
): Pick<QuotedRate, 'taxes' | 'fees' | 'taxLines'> {
  const charges = chargesDuring(chargesOf(policies), stay);
  const { lines, ...taxes } = quotedTaxes(
    nightly.map((price, index) => bookedNight(stay, stay.checkIn + index, price, charges)),
  );
  return { ...taxes, taxLines: namedLines(lines, policies.taxes) };
}

function withDiscount(
  nights: readonly PricedNight[],
  checkIn: Day,
  { discount }: Promotion,
  policies: Policies,
): PricedNight[] {
  const rates = discounted(
    nights.map(({ rate }) => rate),
    discount,
  );
  return nights.map(({ available }, index) => {
    const rate = rates[index]!;
    return { rate, available, taxes: nightTax(rate, policies), text: nightText(checkIn + index, rate, available) };
  });
}
