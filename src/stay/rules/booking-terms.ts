import { definedMembers } from '../../kernel/rules/members.ts';
import { incrementOf, type Minor, percentOf } from '../../kernel/rules/money.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import { policyNamed } from '../../properties/rules/cancellation-policy.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { BookingTerms, PenaltyRule } from '../../rates/rules/plan-terms.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { HeldPlan } from './hold.ts';
import type { Reservation } from './reservation.ts';

/** Terms of a cancellation policy in a property now; a policy that the property has dropped means the default one. */
export function termsUnder(policyName: string, policies: Policies): BookingTerms {
  const policy = policyNamed(policyName, policies) ?? policyNamed('STANDARD', policies)!;
  const penalty: PenaltyRule =
    'nights' in policy.penalty
      ? { kind: 'NIGHTS', value: policy.penalty.nights }
      : { kind: 'PERCENT', value: policy.penalty.percent };
  const cancellation = { freeUntilHours: policy.freeHours, penalty };
  const isPaidInAnyCase = policy.freeHours === null && penalty.kind === 'PERCENT' && penalty.value === 100;
  if (isPaidInAnyCase) return { cancellation, earlyDeparture: penalty, noShow: penalty, change: 'NOT_ALLOWED' };
  const { earlyDepartureNights: value } = policies;
  return {
    cancellation,
    earlyDeparture: { kind: value > 0 ? 'NIGHTS' : 'NONE', value },
    noShow: penalty,
    change: 'FREE',
  };
}

/** Terms of bookings of a plan: the plan's own, else those of its cancellation policy. */
export function termsOfPlan(
  { code, terms, cancellationPolicy }: Pick<RatePlan, 'code' | 'terms' | 'cancellationPolicy'>,
  policies: Policies,
): BookingTerms {
  return terms ? { ofPlan: code, ...terms } : termsUnder(cancellationPolicy, policies);
}

/** Terms and guarantee of a plan as a hold promises them. */
export function heldPlanOf(plan: RatePlan, policies: Policies): HeldPlan {
  const { guarantee, depositSchedule, releaseHour, companyId } = plan;
  const secured = definedMembers({ guarantee, depositSchedule, releaseHour, companyId });
  return { ...secured, terms: termsOfPlan(plan, policies) };
}

/** Terms of a reservation; those of earlier releases store only the name of a policy. */
export function bookingTermsOf(
  { terms, cancellationPolicy }: Pick<Reservation, 'terms' | 'cancellationPolicy'>,
  policies: Policies,
): BookingTerms {
  return terms ?? termsUnder(cancellationPolicy, policies);
}

/** Penalty of a rule on nights in their order, in a currency. */
export function penaltyOn(rule: PenaltyRule, nights: readonly Night[], currency: string): Minor {
  switch (rule.kind) {
    case 'NONE':
      return 0;
    case 'NIGHTS':
      return totals(nights.slice(0, rule.value)).total;
    case 'PERCENT':
      return percentOf(totals(nights).total, rule.value, incrementOf(currency));
  }
}
