import type { Services } from '../../../kernel/operations/services.ts';
import type { Address } from '../../../kernel/rules/caller.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { StayDays } from '../../../kernel/rules/stay-days.ts';
import { totals } from '../../../money/rules/night.ts';
import { verifyQuote } from '../../../rates/operations/quote-token.ts';
import { bookedNight } from '../../../rates/rules/night-charges.ts';
import type { Party } from '../../../rates/rules/stay.ts';
import { guaranteeUnder } from '../../rules/guarantee.ts';
import type { OnlineOffer } from './find-offers.ts';
import { offerTerms } from './offer-terms.ts';
import type { OnlineProperty } from './online-property.ts';

/** An offer that a guest has chosen, by its quote token. */
export type ChosenOffer = Pick<OnlineOffer, 'roomType' | 'rateCode' | 'quoteToken'>;

/**
 * The offer that a quote token promises: its price is that of the search, whatever rates are now.
 * @throws DomainError QUOTE_EXPIRED for a token of another stay or one that is over; UNKNOWN_RATE_CODE
 */
export function openChoice(
  { signed, clock }: Pick<Services, 'signed' | 'clock'>,
  to: Address,
  { view, plans }: OnlineProperty,
  days: StayDays,
  party: Party,
  { roomType, rateCode, quoteToken }: ChosenOffer,
): OnlineOffer & { roomName: string; expiresAt: Instant } {
  const stay = { ...days, ...party, roomType, rateCode };
  const { nightly, charges = view.charges, expiresAt } = verifyQuote(signed, quoteToken, to, stay);
  if (clock.now() >= expiresAt) throw new DomainError('QUOTE_EXPIRED', 'The quote has expired.');
  const plan = plans.find(({ code }) => code === rateCode);
  if (!plan) throw new DomainError('UNKNOWN_RATE_CODE', `The booking page does not sell ${rateCode}.`);
  const nights = nightly.map((price, index) => bookedNight(stay, days.checkIn + index, price, charges));
  const { metadata } = view.setup.property;
  const { currency } = charges;
  const guarantee = guaranteeUnder(plan, metadata.policies, {});
  return {
    roomType,
    rateCode,
    quoteToken,
    roomName: view.setup.roomTypes.find((type) => type.roomType === roomType)?.name ?? roomType,
    planName: plan.name,
    currency,
    total: totals(nights).total,
    nights,
    terms: offerTerms(plan, guarantee, { ...days, nights, currency }, metadata),
    expiresAt,
  };
}
