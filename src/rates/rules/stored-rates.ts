import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { RatePlan } from './rate-plan.ts';

/** A row of `base_rates`; the multiplier in hundredths. */
export type StoredRate = { roomType: string; day: Day; rate: Minor; multiplier: number; amount: Minor };

/** Rates and plans of a property in the database at one moment. */
export type StoredRates = {
  /** Raised by every change that did not come from the property's owner. */
  version: number;
  /** `seq` of the property at that moment: the rows include all its own changes up to here. */
  seq: number;
  plans: RatePlan[];
  rates: StoredRate[];
};
