import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { Weekday } from '../../../src/kernel/rules/dates.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import type { quoteAnswer } from '../../../src/rates/contracts/quote-answers.ts';
import type { planListAnswer, previewAnswer } from '../../../src/rates/contracts/rate-answers.ts';
import type { restrictionsAnswer } from '../../../src/rates/contracts/sales-answers.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import type { reportListAnswer } from '../../../src/revenue/contracts/analytics.ts';
import type { cellHistoryAnswer } from '../../../src/revenue/contracts/availability-answers.ts';
import type { stayReportAnswer } from '../../../src/revenue/contracts/day-reports.ts';
import type {
  forecastAnswer,
  implementedAnswer,
  optimizationListAnswer,
} from '../../../src/revenue/contracts/yield-answers.ts';
import type { reservationListAnswer } from '../../../src/stay/contracts/stay-answers.ts';
import { ask, propertyPath, read, readPages, type SignedAccess } from '../api.ts';
import type { Cell, ChosenNights } from './chosen-nights.ts';
import { CalendarApi } from './night/night-api.ts';
import type {
  Analysis,
  Audit,
  CellHistoryEntry,
  ExpectedNight,
  OptimizationView,
  PickupView,
  PriceStepView,
  RateMove,
  RestrictionsWanted,
  RestrictionView,
  WantedRate,
} from './shapes.ts';

/** Nobody has more rate plans. */
const MAX_PLAN_PAGES = 5;

type Window = { start: string; end: string };

/** Calls of a manager about one property. Every method throws ApiError. */
export class RevenueApi {
  /** Whose calls these are, for those of panels that are loaded later. */
  readonly of: { access: SignedAccess; propertyId: PropertyId };
  readonly calendar: CalendarApi;
  readonly #access: SignedAccess;
  readonly #propertyId: string;

  constructor(access: SignedAccess, propertyId: PropertyId) {
    this.of = { access, propertyId };
    this.calendar = new CalendarApi(access, propertyId);
    this.#access = access;
    this.#propertyId = propertyId;
  }

  /** Rooms on the books at an instant (now by default) and `days` before it. */
  async pickup({ start, end }: Window, days: number, asOf?: Instant): Promise<PickupView> {
    const at: Record<string, string> = asOf === undefined ? {} : { asOf: new Date(asOf).toISOString() };
    return this.#read<PickupView>('reservation', `${this.#property()}/pickup`, {
      start_date: start,
      end_date: end,
      days: String(days),
      ...at,
    });
  }

  /** Night audits of a period, by date. */
  async audits({ start, end }: Window): Promise<Map<string, Audit>> {
    const query = { propertyId: this.#propertyId, from: start, to: end, limit: '200' };
    const { items } = await this.#read<WireOf<typeof reportListAnswer>>(
      'reservation',
      '/api/v1/analytics/reports',
      query,
    );
    return new Map(items.map(({ content }) => [content.date, content]));
  }

  /** Cancellations of a business day, as the report of the day lists them: what an import brings is not among them. */
  async cancelledOn(date: string): Promise<number> {
    const query = { propertyId: this.#propertyId, date, limit: '1' };
    const path = '/api/v1/reports/cancellations';
    return (await this.#read<WireOf<typeof stayReportAnswer>>('reservation', path, query)).totals.stays;
  }

  /** The same for those who may not read reports; of more than 200 reservations that were changed the newest. */
  async cancelledSince(instant: Instant): Promise<number> {
    const query = { propertyId: this.#propertyId, status: 'CANCELLED', limit: '200' };
    const changed = { ...query, updatedSince: new Date(instant).toISOString() };
    const path = '/api/v1/reservations';
    const { items } = await this.#read<WireOf<typeof reservationListAnswer>>('reservation', path, changed);
    // A list has the last event of each: a refund does not say when it was cancelled, an import that it was before.
    return items.filter(({ timeline: [last] }) => {
      if (last?.event === 'IMPORTED') return false;
      return last?.event !== 'CANCELLED' || Date.parse(last.timestamp) >= instant;
    }).length;
  }

  async analysis({ start, end }: Window): Promise<Analysis & { ageSeconds: number }> {
    const query = { propertyId: this.#propertyId, startDate: start, endDate: end };
    const path = `/api/v1/rates/analysis?${new URLSearchParams(query).toString()}`;
    const { body, ageSeconds } = await ask(this.#access, 'rate', path);
    return { ...(body as Analysis), ageSeconds };
  }

  /** Forecast of nights, by date. */
  async forecast({ start, end }: Window): Promise<Map<string, ExpectedNight>> {
    const query = { propertyId: this.#propertyId, startDate: start, endDate: end };
    const { nights } = await this.#read<WireOf<typeof forecastAnswer>>('rate', '/api/v1/rates/forecast', query);
    return new Map(nights.map((night) => [night.date, night]));
  }

  /** The newest optimization; `undefined` when none was requested. */
  async newestOptimization(): Promise<OptimizationView | undefined> {
    const query = { propertyId: this.#propertyId, limit: '1' };
    const path = '/api/v1/rates/optimizations';
    return (await this.#read<WireOf<typeof optimizationListAnswer>>('rate', path, query)).items[0];
  }

  async optimize({ start, end }: Window): Promise<OptimizationView> {
    const body = { propertyId: this.#propertyId, optimizationPeriod: { startDate: start, endDate: end } };
    return (await ask(this.#access, 'rate', '/api/v1/rates/yield-optimization', { method: 'POST', body }))
      .body as OptimizationView;
  }

  /** Makes the recommended rates of these nights the base rates. @returns dates whose price has changed */
  async implement(optimizationId: string, nights: readonly Cell[]): Promise<number> {
    const body = { nights: nights.map(({ roomType, date }) => ({ roomType, date })) };
    const reservation = await ask(this.#access, 'rate', `/api/v1/rates/${optimizationId}/implement`, {
      method: 'POST',
      body,
    });
    return (reservation.body as WireOf<typeof implementedAnswer>).affectedDates;
  }

  /** Nights on which BAR is restricted. */
  async restrictions({ start, end }: Window): Promise<readonly RestrictionView[]> {
    const query = { propertyId: this.#propertyId, startDate: start, endDate: end, rateCode: BAR };
    return (await this.#read<WireOf<typeof restrictionsAnswer>>('rate', '/api/v1/rates/restrictions', query)).items;
  }

  /** Restrictions of nights under each plan that has some, and the codes of all plans. */
  async restrictionsOfPlans({ start, end }: Window): Promise<{ items: RestrictionView[]; rateCodes: string[] }> {
    const query = { propertyId: this.#propertyId, startDate: start, endDate: end };
    const [{ items }, plans] = await Promise.all([
      this.#read<WireOf<typeof restrictionsAnswer>>('rate', '/api/v1/rates/restrictions', query),
      readPages(MAX_PLAN_PAGES, (page) =>
        this.#read<WireOf<typeof planListAnswer>>('rate', '/api/v1/rates/plans', {
          ...page,
          propertyId: this.#propertyId,
        }),
      ),
    ]);
    return { items, rateCodes: plans.map(({ code }) => code) };
  }

  /**
   * Sets a restriction on nights of room types, for one plan or all of them; null takes it back.
   * @param weekdays those of the nights that are meant; all when absent
   */
  async restrict(
    { roomTypes, start, end }: ChosenNights,
    change: RestrictionsWanted,
    { rateCode, weekdays }: { rateCode?: string; weekdays?: readonly Weekday[] } = {},
  ): Promise<void> {
    const nights = { propertyId: this.#propertyId, roomTypes, startDate: start, endDate: end };
    const body = { ...nights, ...change, ...(rateCode !== undefined && { rateCode }), daysOfWeek: weekdays };
    await ask(this.#access, 'rate', '/api/v1/rates/restrictions', { method: 'PUT', body });
  }

  /** What new rates of nights would do; nothing is changed. */
  async tryRates(nights: readonly WantedRate[]): Promise<WireOf<typeof previewAnswer>> {
    return (await this.#sendRates(nights, '?dryRun=true')) as WireOf<typeof previewAnswer>;
  }

  /** Sets rates of nights, all or none. @returns what each night cost, and costs now */
  async setRates(nights: readonly WantedRate[]): Promise<RateMove[]> {
    return ((await this.#sendRates(nights, '')) as { items: RateMove[] }).items;
  }

  async #sendRates(nights: readonly WantedRate[], query: string): Promise<unknown> {
    const body = { propertyId: this.#propertyId, nights };
    return (await ask(this.#access, 'rate', `/api/v1/rates/nights${query}`, { method: 'PUT', body })).body;
  }

  /** Locks or unlocks a room type's rate for optimizations, on consecutive nights. */
  async lockRate({ roomType, start, end }: Window & { roomType: string }, rateLocked: boolean): Promise<void> {
    const nights = { propertyId: this.#propertyId, rateCode: BAR, roomType, startDate: start, endDate: end };
    await ask(this.#access, 'rate', '/api/v1/rates/restrictions', { method: 'PUT', body: { ...nights, rateLocked } });
  }

  /** Price breakdown of one night; `undefined` where none is available. */
  async priceSteps({ roomType, date }: Cell, dayAfter: string): Promise<PriceStepView[] | undefined> {
    const stay = { propertyId: this.#propertyId, checkIn: date, checkOut: dayAfter, roomType, explain: 'true' };
    const { rates } = await this.#read<WireOf<typeof quoteAnswer>>('rate', '/api/v1/rates/current', stay);
    return rates[0]?.dailyRates[0]?.steps;
  }

  /** The newest changes of a cell. */
  async history({ roomType, date }: Cell, limit: number): Promise<CellHistoryEntry[]> {
    const query = { roomType, date, limit: String(limit) };
    const path = `${this.#property()}/history`;
    return (await this.#read<WireOf<typeof cellHistoryAnswer>>('reservation', path, query)).items;
  }

  #property(): string {
    return propertyPath(this.#access.user, this.#propertyId);
  }

  #read<T>(service: 'rate' | 'reservation', path: string, query: Record<string, string>): Promise<T> {
    return read<T>(this.#access, service, path, query);
  }
}
