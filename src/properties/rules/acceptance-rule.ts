import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Which recommended rates are accepted without a person (docs/reference/rates.md#acceptance-by-rule). */
export type AcceptanceRule = {
  enabled: boolean;
  /** Moves of a rate by at most so many percent. */
  upToPercent: number;
  /** All of them when absent. */
  roomTypes?: string[];
  /** User who has set it. */
  setBy: string;
  setAt: Instant;
};

/** Whether a rule accepts the move of a rate; its limit counts as within. */
export function isMoveWithin({ upToPercent }: Pick<AcceptanceRule, 'upToPercent'>, from: Minor, to: Minor): boolean {
  return Math.abs(to - from) * 100 <= upToPercent * from;
}
