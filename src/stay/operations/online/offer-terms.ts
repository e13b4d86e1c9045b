import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { StayDays } from '../../../kernel/rules/stay-days.ts';
import type { PropertyMetadata } from '../../../properties/rules/property.ts';
import type { BookingTerms, Instalment } from '../../../rates/rules/plan-terms.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';
import { termsOfPlan } from '../../rules/booking-terms.ts';
import { freeUntil } from '../../rules/cancellation.ts';
import type { BookingGuarantee } from '../../rules/guarantee.ts';

/** What a guest agrees to with a booking: when cancelling is free, and when it is paid. */
export type OfferTerms = {
  /** Cancelling is free until then; `null`: never. */
  freeUntil: Instant | null;
  /** After that nothing is given back. */
  isAllRetained: boolean;
  guarantee: BookingGuarantee['kind'];
  /** PREPAY: percent due with the booking. */
  percentNow: number;
};

/** Terms of a plan for a stay. */
export function offerTerms(
  plan: Pick<RatePlan, 'code' | 'terms' | 'cancellationPolicy'>,
  guarantee: BookingGuarantee,
  stay: Pick<StayDays, 'checkIn'>,
  metadata: PropertyMetadata,
): OfferTerms {
  return termsFor(termsOfPlan(plan, metadata.policies), guarantee, stay, metadata);
}

const daysBefore = ({ due }: Instalment): number => ('at' in due ? Infinity : due.daysBefore);

/** The same of terms that a reservation has. */
export function termsFor(
  terms: BookingTerms,
  guarantee: BookingGuarantee,
  { checkIn }: Pick<StayDays, 'checkIn'>,
  metadata: PropertyMetadata,
): OfferTerms {
  const { kind, value } = terms.cancellation.penalty;
  const schedule = guarantee.kind === 'PREPAY' ? guarantee.schedule : [];
  // Without one that is due with the booking, the first one confirms it.
  const first = schedule.toSorted((a, b) => daysBefore(b) - daysBefore(a))[0];
  const now = schedule.filter((one) => daysBefore(one) === (first ? daysBefore(first) : 0));
  return {
    freeUntil: freeUntil(terms, checkIn, metadata),
    isAllRetained: kind === 'PERCENT' && value === 100,
    guarantee: guarantee.kind,
    percentNow: now.reduce((sum, { percent }) => sum + percent, 0),
  };
}
