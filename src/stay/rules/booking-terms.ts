import { incrementOf, type Minor, percentOf } from '../../kernel/rules/money.ts';
import { type Night, totals } from '../../money/rules/night.ts';
import { policyNamed } from '../../properties/rules/cancellation-policy.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { Reservation } from './reservation.ts';

export const PENALTY_KINDS = ['NONE', 'NIGHTS', 'PERCENT'] as const;

/** What a penalty takes of nights: nothing, the first of them, or a part of all; with their taxes and fees. */
export type PenaltyRule = { kind: (typeof PENALTY_KINDS)[number]; value: number };

/** Whether a guest may give up nights of a booking for others. */
export const CHANGE_RULES = ['FREE', 'NOT_ALLOWED'] as const;

/** The terms of a booking, as they were when it was booked (docs/reference/reservations.md#terms). */
export type BookingTerms = {
  cancellation: {
    /** Free of charge until so many hours before check-in time; null: never. */
    freeUntilHours: number | null;
    penalty: PenaltyRule;
  };
  /** For nights that a guest in house gives back. */
  earlyDeparture: PenaltyRule;
  noShow: PenaltyRule;
  change: (typeof CHANGE_RULES)[number];
};

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
