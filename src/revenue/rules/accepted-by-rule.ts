import type { Day } from '../../kernel/rules/dates.ts';
import { type AcceptanceRule, isMoveWithin } from '../../properties/rules/acceptance-rule.ts';
import type { Objective, YieldRecommendation } from './yield-problem.ts';

/** Objectives under which a night may be recommended although it costs revenue are left to people. */
const BY_RULE: ReadonlySet<Objective> = new Set(['MAXIMIZE_REVENUE', 'MAXIMIZE_REVPAR', 'MAXIMIZE_PROFIT']);

/**
 * Recommendations that a property's rule accepts (docs/reference/rates.md#acceptance-by-rule): small moves of its room
 * types that are not expected to lose revenue. One that does not say what it brings is left to people.
 */
export function acceptedByRule(
  rule: AcceptanceRule,
  objective: Objective,
  { recommendations, today }: { recommendations: readonly YieldRecommendation[]; today: Day },
): YieldRecommendation[] {
  if (!rule.enabled || !BY_RULE.has(objective)) return [];
  return recommendations.filter(({ roomType, day, current, optimized, revenueBefore, revenueAfter }) => {
    if (rule.roomTypes && !rule.roomTypes.includes(roomType)) return false;
    if (revenueBefore === undefined || revenueAfter === undefined || revenueAfter < revenueBefore) return false;
    return isMoveWithin(rule, { from: current, to: optimized, days: day - today });
  });
}
