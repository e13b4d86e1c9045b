import type { Services } from '../../../kernel/operations/services.ts';
import type { Address, Caller } from '../../../kernel/rules/caller.ts';
import { type Code, DomainError } from '../../../kernel/rules/domain-error.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { StayDays } from '../../../kernel/rules/stay-days.ts';
import { type Night, totals } from '../../../money/rules/night.ts';
import { type RoomType, sleepsParty } from '../../../properties/rules/property.ts';
import { quoteRates } from '../../../rates/operations/quote-rates.ts';
import { bookedNight } from '../../../rates/rules/night-charges.ts';
import type { QuotedRate } from '../../../rates/rules/queries.ts';
import type { Party } from '../../../rates/rules/stay.ts';
import { guaranteeUnder } from '../../rules/guarantee.ts';
import { type OfferTerms, offerTerms } from './offer-terms.ts';
import { type OnlineProperty, onlineProperty } from './online-property.ts';

/** Days and parties of a search; each party is one room. */
export type OnlineSearch = StayDays & { parties: Party[]; promoCode?: string };

/** A price that can be booked. */
export type OnlineOffer = {
  roomType: string;
  rateCode: string;
  planName: string;
  /** Promises the price (docs/reference/rates.md#quote). */
  quoteToken: string;
  currency: string;
  /** With all taxes and fees. */
  total: Minor;
  /** Total without the promotion, where that is more. */
  before?: Minor;
  nights: Night[];
  terms: OfferTerms;
};

/** What can be booked for one party, by room type; types without an offer are left out. */
type RoomOffers = {
  party: Party;
  types: { type: RoomType; offers: OnlineOffer[] }[];
  /** No room type of the property has a bed for each: on no day is there a room for them. */
  isTooLarge: boolean;
};

export type FoundOffers = {
  online: OnlineProperty;
  rooms: RoomOffers[];
  /** Why a promo code was not applied. */
  promoRefused?: Code;
};

type Priced = { rates: (QuotedRate & { token: string | undefined })[]; refused?: Code };

/**
 * Finds what can be booked for each party of a search, cheapest first, with all taxes and fees.
 * @throws DomainError PROPERTY_NOT_FOUND while the booking page is off, and those of a stay with wrong days
 */
export async function findOffers(
  services: Services,
  caller: Caller,
  to: Address,
  { parties, promoCode, ...days }: OnlineSearch,
): Promise<FoundOffers> {
  const online = await onlineProperty(services, to);
  const rooms: RoomOffers[] = [];
  let promoRefused: Code | undefined;
  for (const party of parties) {
    const offers: OnlineOffer[] = [];
    for (const { code } of online.plans) {
      const query = { ...to, ...days, ...party, rateCode: code, explain: false };
      const plain = await priced(services, caller, query);
      const promoted = promoCode === undefined ? undefined : await priced(services, caller, { ...query, promoCode });
      promoRefused ??= promoted?.refused;
      const isPromoted = promoted !== undefined && promoted.refused === undefined;
      for (const rate of plain.rates) {
        const better = isPromoted ? promoted.rates.find(({ roomType }) => roomType === rate.roomType) : undefined;
        const offer = offerOf(online, { ...days, ...party }, better ?? rate);
        if (offer) offers.push({ ...offer, ...(better && { before: totalOf(rate) }) });
      }
    }
    const { roomTypes } = online.view.setup;
    const isTooLarge = roomTypes.length > 0 && !roomTypes.some((type) => sleepsParty(type, party));
    rooms.push({ party, types: byType(online, offers), isTooLarge });
  }
  const isPromoted = rooms.some(({ types }) => types.some(({ offers }) => offers.some((one) => one.before)));
  return { online, rooms, ...(promoRefused && !isPromoted && { promoRefused }) };
}

async function priced(services: Services, caller: Caller, query: Parameters<typeof quoteRates>[2]): Promise<Priced> {
  try {
    const { quote, tokens } = await quoteRates(services, caller, query);
    return { rates: quote.rates.map((rate, index) => ({ ...rate, token: tokens[index] })) };
  } catch (error) {
    if (error instanceof DomainError && error.code.startsWith('PROMO_')) return { rates: [], refused: error.code };
    throw error;
  }
}

const totalOf = ({ total, taxes, fees }: QuotedRate): Minor => total + taxes + fees;

function offerOf(
  { view, plans }: OnlineProperty,
  stay: StayDays & Party,
  { token, nightly, ...rate }: Priced['rates'][number],
): OnlineOffer | undefined {
  const plan = plans.find(({ code }) => code === rate.rateCode);
  if (token === undefined || !plan) return undefined;
  const nights = nightly.map((price, index) => bookedNight(stay, stay.checkIn + index, price, view.charges));
  const { metadata } = view.setup.property;
  return {
    roomType: rate.roomType,
    rateCode: rate.rateCode,
    planName: plan.name,
    quoteToken: token,
    currency: rate.currency,
    total: totals(nights).total,
    nights,
    terms: offerTerms(
      plan,
      guaranteeUnder(plan, metadata.policies, {}),
      { ...stay, nights, currency: rate.currency },
      metadata,
    ),
  };
}

function byType({ view }: OnlineProperty, offers: readonly OnlineOffer[]): RoomOffers['types'] {
  const types = view.setup.roomTypes.map((type) => ({
    type,
    offers: offers.filter(({ roomType }) => roomType === type.roomType).toSorted((a, b) => a.total - b.total),
  }));
  return types.filter((one) => one.offers.length > 0).toSorted((a, b) => a.offers[0]!.total - b.offers[0]!.total);
}
