import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { Promotion } from '../../../src/rates/rules/promotion.ts';

/** Nights of a quoted stay that promise a unit of a promotion, and until when. */
export type PromisedUnit = { quoteId: string; checkIn: Day; checkOut: Day; until: Instant };

/** Promised units counted per promotion. Further ones are honoured but not counted: a bound for memory. */
const MAX_PROMISED = 10_000;

/**
 * Units of promotions that quotes promise while their tokens are valid (docs/reference/rates.md#quote). They are in
 * the owner's memory only: after a change of owner a token is still honoured, but its unit is no longer reserved
 * against others.
 */
export class PromisedUnits {
  readonly #byCode = new Map<string, Map<string, PromisedUnit>>();

  /** @param holder subject and stay: a second quote for the same takes no second unit */
  put(promoCode: string, holder: string, unit: PromisedUnit): void {
    const units = this.#byCode.get(promoCode) ?? new Map<string, PromisedUnit>();
    if (units.size >= MAX_PROMISED && !units.has(holder)) return;
    this.#byCode.set(promoCode, units.set(holder, unit));
  }

  /** Drops a promise once the booking has taken the unit. */
  spend(promoCode: string, quoteId: string): void {
    const units = this.#byCode.get(promoCode);
    if (!units) return;
    for (const [holder, unit] of units) if (quoteId.startsWith(`${unit.quoteId}-`)) units.delete(holder);
  }

  /** The promotion with units promised to others counted as used. */
  taken(promotion: Promotion, now: Instant, holder?: string): Promotion {
    const units = this.#byCode.get(promotion.promoCode);
    if (!units) return promotion;
    const usedOn = { ...promotion.usedOn };
    let used = promotion.used;
    for (const [by, { checkIn, checkOut, until }] of units) {
      if (until <= now) units.delete(by);
      else if (by !== holder) {
        used += 1;
        for (let day = checkIn; day < checkOut; day++) usedOn[day] = (usedOn[day] ?? 0) + 1;
      }
    }
    if (units.size === 0) this.#byCode.delete(promotion.promoCode);
    return { ...promotion, used, usedOn };
  }
}
