import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Which recommended rates are accepted without a person (docs/reference/rates.md#acceptance-by-rule). */
export type AcceptanceRule = {
  enabled: boolean;
  /** Moves of a rate by at most so many percent. */
  upToPercent: number;
  /** Other limits from so many days before the night on; the one with the most days that still fit counts. */
  byLead?: { fromDays: number; upToPercent: number }[];
  /** All of them when absent. */
  roomTypes?: string[];
  /** User who has set it. */
  setBy: string;
  setAt: Instant;
};

/** Limit of a rule for a night so many days ahead, in percent; 0 accepts nothing. */
function acceptedPercent(
  { upToPercent, byLead = [] }: Pick<AcceptanceRule, 'upToPercent' | 'byLead'>,
  days: number,
): number {
  const fit = byLead.filter(({ fromDays }) => fromDays <= days).sort((one, other) => other.fromDays - one.fromDays);
  return fit[0]?.upToPercent ?? upToPercent;
}

/**
 * Whether a rule accepts the move of a rate; its limit counts as within.
 * @param days to the night
 */
export function isMoveWithin(
  rule: Pick<AcceptanceRule, 'upToPercent' | 'byLead'>,
  { from, to, days }: { from: Minor; to: Minor; days: number },
): boolean {
  return Math.abs(to - from) * 100 <= acceptedPercent(rule, days) * from;
}
