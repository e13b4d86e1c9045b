import { definedMembers } from '../../kernel/rules/members.ts';
import { incrementOf, type Minor, percentOf } from '../../kernel/rules/money.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import { policyNamed } from '../../properties/rules/cancellation-policy.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { BookingTerms, PenaltyRule } from '../../rates/rules/plan-terms.ts';
import type { RatePlan } from '../../rates/rules/rate-plan.ts';
import type { HeldPlan } from './hold.ts';
import type { Reservation } from './reservation.ts';

/** What a cancellation policy means in a property now; one that it has given up since is the usual one. */
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

/** What a booking of a plan is subject to: the plan's own terms, else those of its cancellation policy. */
export function termsOfPlan(
  { code, terms, cancellationPolicy }: Pick<RatePlan, 'code' | 'terms' | 'cancellationPolicy'>,
  policies: Policies,
): BookingTerms {
  return terms ? { ofPlan: code, ...terms } : termsUnder(cancellationPolicy, policies);
}

/** What a hold promises of its plan. */
export function heldPlanOf(plan: RatePlan, policies: Policies): HeldPlan {
  const { guarantee, depositSchedule, releaseHour, companyId } = plan;
  const secured = definedMembers({ guarantee, depositSchedule, releaseHour, companyId });
  return { ...secured, terms: termsOfPlan(plan, policies) };
}

/** The terms of a reservation; those of earlier releases have none of their own, only the name of a policy. */
export function bookingTermsOf(
  { terms, cancellationPolicy }: Pick<Reservation, 'terms' | 'cancellationPolicy'>,
  policies: Policies,
): BookingTerms {
  return terms ?? termsUnder(cancellationPolicy, policies);
}

/** What a rule takes of nights in their order, in a currency. */
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
