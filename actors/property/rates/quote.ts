import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError, orError } from '../../../src/kernel/rules/domain-error.ts';
import { incrementOf, MAX_AMOUNT, type Minor } from '../../../src/kernel/rules/money.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { namedLines } from '../../../src/money/rules/taxes.ts';
import type { Property, PropertyMetadata, RoomType } from '../../../src/properties/rules/property.ts';
import {
  bookedNight,
  chargesDuring,
  chargesOf,
  nightTax,
  type QuotedCharges,
  quotedTaxes,
  stayFees,
} from '../../../src/rates/rules/night-charges.ts';
import { priceSteps, type StayTerms } from '../../../src/rates/rules/pricing.ts';
import { discounted, type Promotion } from '../../../src/rates/rules/promotion.ts';
import type { Quote, QuotedRate, QuoteQuery } from '../../../src/rates/rules/queries.ts';
import { EVERY } from '../../../src/rates/rules/restriction-table.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import { termsOfPlan } from '../../../src/stay/rules/booking-terms.ts';
import { freeUntil } from '../../../src/stay/rules/cancellation.ts';
import { guaranteeUnder } from '../../../src/stay/rules/guarantee.ts';
import type { PricedNight, Slab } from '../slab.ts';
import type { State } from '../state.ts';
import { promisedBasis } from '../stay/promised-basis.ts';
import { checkOccupancy, checkPlan, termsOf } from '../stay/stay-rules.ts';
import { cellOf, nightText, nightUnder, notSold, type Pricing, pricingOf } from './plans.ts';
import { promotionFor } from './promotions.ts';
import { checkRestrictions, stayLimitsOf, strictestLimits } from './restrictions.ts';

/**
 * Prices a stay for every requested room type (docs/reference/rates.md#quote).
 * @param holder subject and stay: a unit promised to them earlier is theirs
 * @throws DomainError UNKNOWN_RATE_CODE, UNKNOWN_ROOM_TYPE; PROMO_NOT_APPLICABLE, PROMO_EXHAUSTED when it applies to
 * no type
 */
export function quote(state: State, query: QuoteQuery, now: Instant, holder?: string): Quote {
  const property = state.property!;
  const plan = state.plans.get(query.rateCode);
  if (plan?.status !== 'ACTIVE')
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${query.rateCode}.`);
  if (query.roomType !== undefined && !state.roomTypes.has(query.roomType))
    throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${query.roomType}.`);
  const ofPlan = stayLimitsOf({ restrictions: NONE }, plan, { ...query, roomType: '' });
  const restricted = state.restrictions.has(plan.code) || state.restrictions.has(EVERY);
  const answer: Quote = { rates: [], unavailable: [], restrictions: ofPlan };
  const { ofPlan: policyName = plan.cancellationPolicy, ...agreed } = termsOfPlan(plan, property.metadata.policies);
  const deadline = freeUntil(agreed, query.checkIn, property.metadata);
  const pricing = pricingOf(state.plans, plan);
  const cancellation = { policyName, deadline };
  const { kind: guarantee } = guaranteeUnder(plan, property.metadata.policies, {});
  let noPromotion: DomainError | undefined;
  for (const type of state.roomTypes.values()) {
    if (query.roomType !== undefined && type.roomType !== query.roomType) continue;
    const stay = { ...query, roomType: type.roomType };
    const terms = termsOf(stay, state, plan);
    const error = forbidden(state, type, pricing, stay, { now, holder });
    if (error?.code.startsWith('PROMO_')) noPromotion ??= error;
    const rate = error ?? priced(state, property, stay, pricing, terms);
    if (rate instanceof DomainError) answer.unavailable.push(shown(rate, stay));
    else {
      const slab = state.slabs.get(type.roomType)!;
      const steps = query.explain ? explained(slab, pricing, terms, query.checkIn, rate) : undefined;
      const limits = restricted ? stayLimitsOf(state, plan, stay) : ofPlan;
      answer.rates.push({ ...rate, restrictions: limits, cancellation, guarantee, steps });
    }
  }
  if (noPromotion && answer.rates.length === 0) throw noPromotion;
  if (restricted)
    answer.restrictions = strictestLimits(
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
  return orError(() => {
    checkOccupancy(type, stay);
    checkPlan(plan, state.today, stay);
    checkRestrictions(state, plan, stay);
    if (stay.promoCode !== undefined) promotionFor(state, stay.promoCode, stay, now, holder);
    return undefined;
  });
}

function explained(
  slab: Slab,
  { lineage }: Pricing,
  terms: StayTerms,
  checkIn: Day,
  { nightly, currency }: Priced,
): QuotedRate['steps'] {
  return nightly.map((rate, index) => {
    const steps = priceSteps(cellOf(slab, checkIn + index, currency), lineage, terms);
    const off = rate - steps.reduce((sum, { amount }) => sum + amount, 0);
    return off === 0 ? steps : [...steps, { rule: 'promotion', amount: off }];
  });
}

type Priced = Omit<QuotedRate, 'restrictions' | 'cancellation' | 'guarantee' | 'steps'>;

function priced(
  state: State,
  property: Property,
  stay: Stay & Pick<QuoteQuery, 'promoCode'>,
  pricing: Pricing,
  terms: StayTerms,
): Priced | DomainError {
  const { metadata } = property;
  const { currency } = metadata;
  const slab = state.slabs.get(stay.roomType)!;
  const count = stay.checkOut - stay.checkIn;
  const nights = new Array<PricedNight>(count);
  for (let i = 0; i < count; i++) {
    const day = stay.checkIn + i;
    const night = nightUnder(slab, day, pricing, metadata, terms);
    if (!night) return notSold(slab, day, pricing);
    nights[i] = night;
  }
  const promotion = stay.promoCode === undefined ? undefined : state.promotions.get(stay.promoCode);
  const charges = chargesOf(metadata);
  const sold = promotion ? withDiscount(nights, stay.checkIn, promotion, charges) : nights;
  const nightly = new Array<number>(count);
  let total = 0;
  let taxes = 0;
  let bookable = true;
  let dailyText = '';
  for (let i = 0; i < count; i++) {
    const night = sold[i]!;
    nightly[i] = night.rate;
    total += night.rate;
    taxes += night.taxes;
    if (night.available === 0) bookable = false;
    dailyText += i === 0 ? night.text : `,${night.text}`;
  }
  // As a booking decides it: by what is charged, whatever policy that comes from.
  const charged = charges.taxes
    ? ownTaxes(stay, nightly, charges, metadata)
    : { taxes, fees: stayFees(stay, charges) };
  const lists = pricing.varies || promotion ? nights.map(({ rate }) => rate) : undefined;
  const basis = lists && promisedBasis(state, slab, stay, pricing, lists);
  return {
    roomType: stay.roomType,
    rateCode: pricing.plan.code,
    promoCode: promotion?.promoCode,
    ...(basis && { basis }),
    currency,
    dailyText,
    nightly,
    total,
    average: averageOf(total, count, currency),
    ...charged,
    // Not bookable beyond what an amount can store: a booking would refuse it.
    bookable: bookable && total + charged.taxes + charged.fees <= MAX_AMOUNT,
  };
}

/** Taxes of the property itself: they depend on the whole stay. */
function ownTaxes(
  stay: Stay,
  nightly: readonly Minor[],
  current: QuotedCharges,
  metadata: PropertyMetadata,
): Pick<QuotedRate, 'taxes' | 'fees' | 'taxLines'> {
  const charges = chargesDuring(current, stay);
  const { lines, ...taxes } = quotedTaxes(
    nightly.map((price, index) => bookedNight(stay, stay.checkIn + index, price, charges)),
  );
  return { ...taxes, taxLines: namedLines(lines, metadata.policies.taxes) };
}

/** Average rate in units of the currency, rounded half up. */
function averageOf(total: Minor, nights: number, currency: string): Minor {
  const increment = incrementOf(currency);
  return Math.round(total / nights / increment) * increment;
}

function withDiscount(
  nights: readonly PricedNight[],
  checkIn: Day,
  { discount }: Promotion,
  charges: QuotedCharges,
): PricedNight[] {
  const rates = discounted(
    nights.map(({ rate }) => rate),
    discount,
    charges.currency,
  );
  return nights.map(({ available }, index) => {
    const rate = rates[index]!;
    return { rate, available, taxes: nightTax(rate, charges), text: nightText(checkIn + index, rate, available) };
  });
}
