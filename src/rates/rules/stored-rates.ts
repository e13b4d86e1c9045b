import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { RatePlan } from './rate-plan.ts';

/** A row of `base_rates`; the multiplier in hundredths. */
export type StoredRate = { roomType: string; day: Day; rate: Minor; multiplier: number; amount: Minor };

/** Rates and plans of a property as the database holds them, all of one moment. */
export type StoredRates = {
  /** Raised by every change that did not come from the property's owner. */
  version: number;
  /** Number of the property at that moment: every change of its own up to here is in the rows. */
  seq: number;
  plans: RatePlan[];
  rates: StoredRate[];
};
