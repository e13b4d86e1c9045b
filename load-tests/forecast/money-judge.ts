import type { Day } from '../../src/kernel/rules/dates.ts';
import type { DemandForecast } from '../../src/revenue/rules/forecast/demand-forecast.ts';
import { additivePickup, plainRegression, sameDateLastYear } from './baselines.ts';
import type { Stays } from './stays.ts';

/** Errors so many days before the night, in percent of what was earned: of revenue, and of the ADR by rooms sold. */
export type MoneyFigures = {
  days: number;
  revenue: { ours: number; regression: number; lastYear: number; pickup: number };
  adr: { ours: number; onBooks: number; lastYear: number; pickup: number };
};

/** Judges forecasts of revenue and ADR beside simpler ones of the same, which know the same days. */
export class MoneyJudge {
  readonly #stays: Stays;
  readonly #sums: MoneyFigures[];
  #earned = 0;

  constructor(stays: Stays, horizons: readonly number[]) {
    this.#stays = stays;
    this.#sums = horizons.map((days) => ({
      days,
      revenue: { ours: 0, regression: 0, lastYear: 0, pickup: 0 },
      adr: { ours: 0, onBooks: 0, lastYear: 0, pickup: 0 },
    }));
  }

  /** Counts a night once, before its forecasts. */
  night(night: Day): void {
    this.#earned += this.#stays.money.earned.get(night) ?? 0;
  }

  forecast(days: number, night: Day, forecast: DemandForecast): void {
    const { books, occupied, money } = this.#stays;
    const moment = night - days;
    const rooms = occupied.get(night) ?? 0;
    const earned = money.earned.get(night) ?? 0;
    const { revenue, adr } = this.#sums.find((one) => one.days === days)!;
    const ours = money.forecast(night, moment, forecast);
    const pickup = additivePickup(money.revenue, moment, night);
    revenue.ours += Math.abs(ours.revenue - earned);
    revenue.regression += Math.abs(plainRegression(money.revenue, moment, night) - earned);
    revenue.lastYear += Math.abs(sameDateLastYear(money.revenue, moment, night) - earned);
    revenue.pickup += Math.abs(pickup - earned);
    if (rooms === 0) return;
    const off = (rate: number): number => Math.abs(rooms * rate - earned);
    adr.ours += off(ours.adr);
    adr.onBooks += off(money.adrOnBooks(night, moment));
    adr.lastYear += off(money.adrOf(night - 364, moment));
    adr.pickup += off(pickup / Math.max(1, additivePickup(books, moment, night)));
  }

  figures(): MoneyFigures[] {
    const percent = (sum: number): number => (this.#earned <= 0 ? 0 : (100 * sum) / this.#earned);
    const all = <T extends Record<string, number>>(sums: T): T =>
      Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, percent(sum)])) as T;
    return this.#sums.map(({ days, revenue, adr }) => ({ days, revenue: all(revenue), adr: all(adr) }));
  }
}
