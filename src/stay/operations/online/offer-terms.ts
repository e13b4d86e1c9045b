import type { Minor } from '../../../kernel/rules/money.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { StayDays } from '../../../kernel/rules/stay-days.ts';
import type { Night } from '../../../money/rules/night.ts';
import type { PropertyMetadata } from '../../../properties/rules/property.ts';
import type { BookingTerms, Instalment } from '../../../rates/rules/plan-terms.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';
import { penaltyOn, termsOfPlan } from '../../rules/booking-terms.ts';
import { freeUntil } from '../../rules/cancellation.ts';
import type { BookingGuarantee } from '../../rules/guarantee.ts';

/** What a guest agrees to with a booking: when cancelling is free, and when it is paid. */
export type OfferTerms = {
  /** Cancelling is free until then; `null`: never. */
  freeUntil: Instant | null;
  /** After that nothing is given back. */
  isAllRetained: boolean;
  /** What cancelling costs then, with taxes and fees. */
  lateCost: Minor;
  /** Whether the property has that for certain; otherwise it keeps no more than is paid by then. */
  isLateCostCertain: boolean;
  guarantee: BookingGuarantee['kind'];
  /** PREPAY: percent due with the booking. */
  percentNow: number;
};

/** A stay with its price. */
type PricedStay = Pick<StayDays, 'checkIn'> & { nights: readonly Night[]; currency: string };

/** Terms of a plan for a stay. */
export function offerTerms(
  plan: Pick<RatePlan, 'code' | 'terms' | 'cancellationPolicy'>,
  guarantee: BookingGuarantee,
  stay: PricedStay,
  metadata: PropertyMetadata,
): OfferTerms {
  return termsFor(termsOfPlan(plan, metadata.policies), guarantee, stay, metadata);
}

const daysBefore = ({ due }: Instalment): number => ('at' in due ? Infinity : due.daysBefore);

/** The same of terms that a reservation has. */
export function termsFor(
  terms: BookingTerms,
  guarantee: BookingGuarantee,
  { checkIn, nights, currency }: PricedStay,
  metadata: PropertyMetadata,
): OfferTerms {
  const { kind, value } = terms.cancellation.penalty;
  const schedule = guarantee.kind === 'PREPAY' ? guarantee.schedule : [];
  // Without one that is due with the booking, the first one confirms it.
  const first = schedule.toSorted((a, b) => daysBefore(b) - daysBefore(a))[0];
  const now = schedule.filter((one) => daysBefore(one) === (first ? daysBefore(first) : 0));
  const percentNow = now.reduce((sum, { percent }) => sum + percent, 0);
  const lateCost = penaltyOn(terms.cancellation.penalty, nights, currency);
  const isPaidAtOnce = first !== undefined && 'at' in first.due;
  const deposit = isPaidAtOnce ? penaltyOn({ kind: 'PERCENT', value: percentNow }, nights, currency) : 0;
  return {
    freeUntil: freeUntil(terms, checkIn, metadata),
    isAllRetained: kind === 'PERCENT' && value === 100,
    lateCost,
    // An accepted card and an account answer for all of it, a deposit for itself.
    isLateCostCertain: (guarantee.kind !== 'PREPAY' && guarantee.kind !== 'NONE') || lateCost <= deposit,
    guarantee: guarantee.kind,
    percentNow,
  };
}
