import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { type Weekday, WEEKDAYS } from '../../../../src/kernel/rules/dates.ts';
import type {
  planAnswer,
  planListAnswer,
  previewAnswer,
  setRatesAnswer,
} from '../../../../src/rates/contracts/rate-answers.ts';
import type { promotionAnswer, promotionListAnswer } from '../../../../src/rates/contracts/sales-answers.ts';
import { ask, read, readPages, type Sent } from '../../api.ts';
import type { RevenueApi } from '../api.ts';
import type { Cell } from '../chosen-nights.ts';

export type PlanView = WireOf<typeof planAnswer>;
export type PromotionView = WireOf<typeof promotionAnswer>;
export type BaseNightView = WireOf<typeof setRatesAnswer>['items'][number];
type Preview = WireOf<typeof previewAnswer>;

export type WantedPromotion = {
  promotionName: string;
  promoCode?: string;
  roomTypes?: readonly string[];
  discount: { type: 'PERCENTAGE'; value: number };
  validity: { startDate: string; endDate: string; stayPeriod: { startDate: string; endDate: string } };
};

/** A base rate or a season of a night. */
export type BaseChange =
  | { rate: number }
  | { adjustmentType: 'PERCENTAGE' | 'MULTIPLIER' | 'AMOUNT'; adjustment: number };

const MAX_PAGES = 5;
const SEASON = 'Night';

/** Promotions, plans and base rates of a property. Every method throws ApiError. */
export class TermsApi {
  readonly #of: RevenueApi['of'];

  constructor({ of }: Pick<RevenueApi, 'of'>) {
    this.#of = of;
  }

  promotions(): Promise<PromotionView[]> {
    return readPages(MAX_PAGES, (query) => this.#read<WireOf<typeof promotionListAnswer>>('promotions', query));
  }

  plans(): Promise<PlanView[]> {
    return readPages(MAX_PAGES, (query) => this.#read<WireOf<typeof planListAnswer>>('plans', query));
  }

  /** Base rate and season of a night as they are set. */
  async baseNight({ roomType, date }: Cell): Promise<BaseNightView | undefined> {
    const query = { roomType, startDate: date, endDate: date };
    return (await this.#read<WireOf<typeof setRatesAnswer>>('base', query)).items[0];
  }

  async addPromotion(promotion: WantedPromotion): Promise<{ promotionId: string; promoCode: string }> {
    const body = { propertyId: this.#of.propertyId, ...promotion };
    return (await this.#send('promotional', { method: 'POST', body })) as { promotionId: string; promoCode: string };
  }

  async pausePromotion(promotionId: string, paused: boolean): Promise<void> {
    const path = `promotions/${encodeURIComponent(promotionId)}/${paused ? 'pause' : 'resume'}`;
    await this.#send(path, { method: 'POST', body: {} });
  }

  /** Stores a plan as it is, with other bounds; null is none. */
  async setBounds(plan: PlanView, minRate: number | null, maxRate: number | null): Promise<void> {
    // Absent terms and guarantee stay as they are.
    const { name, strategy, status, baseRate, validFrom, validTo, roomTypes, occupancyPricing } = plan;
    const { id, parentCode, adjustmentPercent, adjustmentAmount, minRatePercent, maxRatePercent, rules } = plan;
    const own = { name, strategy, status, baseRate, validFrom, validTo, roomTypes, occupancyPricing, rules };
    const derived = { parentCode, adjustmentPercent, adjustmentAmount };
    const body = { ...own, ...derived, minRatePercent, maxRatePercent, minRate, maxRate };
    await this.#send(`plans/${encodeURIComponent(id)}`, { method: 'PUT', body: withoutNulls(body) as object });
  }

  /** What another base rate or season of a night would do; nothing is changed. */
  async tryBase(cell: Cell, change: BaseChange): Promise<Preview> {
    return (await this.#send('base?dryRun=true', this.#base(cell, change))) as Preview;
  }

  async setBase(cell: Cell, change: BaseChange): Promise<void> {
    await this.#send('base', this.#base(cell, change));
  }

  #base({ roomType, date }: Cell, change: BaseChange): Sent {
    const period = { propertyId: this.#of.propertyId, roomType, effectiveDate: date, endDate: date };
    const season = { name: SEASON, startDate: date, endDate: date };
    const body =
      'rate' in change
        ? { ...period, rates: [{ dayOfWeek: weekdayOf(date), rate: change.rate }] }
        : { ...period, seasonalAdjustments: [{ ...season, ...change }] };
    return { method: 'PUT', body };
  }

  #read<T>(path: string, query: Record<string, string>): Promise<T> {
    const { access, propertyId } = this.#of;
    return read<T>(access, 'rate', `/api/v1/rates/${path}`, { ...query, propertyId });
  }

  async #send(path: string, sent: Sent): Promise<unknown> {
    return (await ask(this.#of.access, 'rate', `/api/v1/rates/${path}`, sent)).body;
  }
}

const weekdayOf = (date: string): Weekday => WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!;

/** What an answer says is absent, a body leaves out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}
