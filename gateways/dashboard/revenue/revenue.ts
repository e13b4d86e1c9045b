import { signal } from '@preact/signals';

import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { signedInRole } from '../access/roles.ts';
import type { SignedAccess, PropertySummary } from '../api.ts';
import { addDays, startOfBusinessDate } from '../grid/days.ts';
import { RevenueApi } from './api.ts';
import { EventCalendar } from './night/calendar.ts';
import type {
  Advice,
  Analysis,
  Audit,
  ExpectedNight,
  KnownAnalysis,
  OptimizationView,
  PickupView,
  RestrictionView,
} from './shapes.ts';

/** What the page shows: the property, its business date, the nights, and whether amounts are visible. */
type Outlook = {
  property: PropertySummary;
  today: string;
  start: string;
  nights: number;
  seesAmounts: boolean;
  /** The shown instant, where it is past; then nothing is requested that exists only for the present. */
  asOf?: number;
};

const REJECTED_KEY = 'innkeeper.rejected-nights';
/** Days after which dates fall on the same weekdays again. */
const YEAR_DAYS = 364;
const REFRESH_MS = 60_000;
/** Changes come in bursts: what depends on them is requested once, afterwards. */
const SETTLE_MS = 600;

/**
 * Data beside the live data: yesterday and last year's same weekday, the market, recommendations. Each part is
 * `undefined` until it is known.
 */
export class Revenue {
  /** On the books a week ago, by date. */
  readonly weekAgo = signal<ReadonlyMap<string, number> | undefined>(undefined);
  readonly yesterday = signal<Audit | undefined>(undefined);
  /** Night audits of last year's same weekdays, by the date that they are compared with. */
  readonly lastYear = signal<ReadonlyMap<string, Audit>>(new Map());
  /** Forecast of the shown nights, by date. */
  readonly forecast = signal<ReadonlyMap<string, ExpectedNight>>(new Map());
  /** When the chart lines beside the live data were loaded. */
  readonly paceAt = signal<number | undefined>(undefined);
  /** When recommendations were last loaded. */
  readonly adviceAt = signal<number | undefined>(undefined);
  readonly cancelled = signal<number | undefined>(undefined);
  /** For thirty nights from the first shown one. */
  readonly month = signal<KnownAnalysis | undefined>(undefined);
  readonly optimization = signal<OptimizationView | undefined>(undefined);
  /** Cells whose recommendation was rejected; stored in this tab only. */
  readonly rejected = signal<ReadonlySet<string>>(new Set());
  /** Cells whose rate is locked. */
  readonly locked = signal<ReadonlySet<string>>(new Set());
  /** Restrictions of the shown nights, by cell. */
  readonly limits = signal<ReadonlyMap<string, RestrictionView>>(new Map());
  /** Recommended rates by cell. */
  readonly recommended = signal<ReadonlyMap<string, number>>(new Map());
  readonly calendar = new EventCalendar();
  readonly #access: SignedAccess;
  readonly #serverNow: () => number;
  #outlook: Outlook | undefined;
  #api: RevenueApi | undefined;
  /** Number of the current view: answers to earlier requests are dropped. */
  #turn = 0;
  #again: ReturnType<typeof setInterval> | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(access: SignedAccess, serverNow: () => number) {
    this.#access = access;
    this.#serverNow = serverNow;
  }

  /** The API for the shown property; `undefined` before there is one. */
  get api(): RevenueApi | undefined {
    return this.#api;
  }

  look(outlook: Outlook): void {
    this.close();
    const isSameProperty = outlook.property === this.#outlook?.property;
    this.#turn += 1;
    this.#outlook = outlook;
    this.#api = new RevenueApi(this.#access, outlook.property.propertyId);
    this.weekAgo.value = undefined;
    this.yesterday.value = undefined;
    this.lastYear.value = new Map();
    this.cancelled.value = undefined;
    this.month.value = undefined;
    this.forecast.value = new Map();
    this.locked.value = new Set();
    this.limits.value = new Map();
    if (!isSameProperty) this.calendar.take([]);
    this.paceAt.value = undefined;
    if (!isSameProperty || outlook.asOf !== undefined) this.#takeOptimization(undefined);
    this.#load();
    this.refresh();
    if (outlook.asOf === undefined) this.#again = setInterval(() => this.refresh(), REFRESH_MS);
  }

  /** Bookings have changed: dependent figures are reloaded after a pause. */
  bookingsMoved(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#countCancelled(), SETTLE_MS);
  }

  close(): void {
    clearInterval(this.#again);
    clearTimeout(this.#settling);
  }

  /** Requests recommended rates of the coming nights. @throws ApiError */
  async recommend(nights: number): Promise<void> {
    const round = this.#turn;
    const start = this.#outlook?.today;
    if (!this.#api || start === undefined) return;
    const optimization = await this.#api.optimize({ start, end: addDays(start, nights - 1) });
    if (round === this.#turn) this.#takeOptimization(optimization);
  }

  /** Rejects recommendations. */
  reject(nights: readonly Advice[]): void {
    this.#setRejected(new Set([...this.rejected.value, ...nights.map(cellKey)]));
  }

  /** Restores rejected recommendations. */
  reconsider(): void {
    this.#setRejected(new Set());
  }

  /** Locks or unlocks a room type's rate on consecutive nights. @throws ApiError */
  async lock(nights: readonly Pick<Advice, 'roomType' | 'date'>[], locked: boolean): Promise<void> {
    const first = nights[0];
    const last = nights.at(-1);
    if (!this.#api || !first || !last) return;
    await this.#api.lockRate({ roomType: first.roomType, start: first.date, end: last.date }, locked);
    const keys = new Set(nights.map(cellKey));
    const others = [...this.locked.value].filter((key) => !keys.has(key));
    this.locked.value = new Set(locked ? [...others, ...keys] : others);
    this.#compareWith(this.optimization.peek());
  }

  #setRejected(rejected: ReadonlySet<string>): void {
    const newest = this.optimization.value;
    if (!newest) return;
    const stored = { optimizationId: newest.optimizationId, cells: [...rejected] };
    sessionStorage.setItem(REJECTED_KEY, JSON.stringify(stored));
    this.rejected.value = rejected;
    this.#compareWith(newest);
  }

  /** Reloads what may have changed without an event. */
  refresh(): void {
    if (!this.#outlook) return;
    const { start, nights, seesAmounts, asOf } = this.#outlook;
    const end = addDays(start, nights - 1);
    void this.#ask(
      (api) => api.pickup({ start, end }, 7, asOf),
      (reservation) => {
        this.weekAgo.value = roomsThen(reservation);
        this.paceAt.value = this.#serverNow();
      },
    );
    void this.refreshEvents();
    if (asOf !== undefined) return;
    this.#countCancelled();
    if (seesAmounts) this.#refreshRevenue({ start, end });
  }

  #refreshRevenue({ start, end }: { start: string; end: string }): void {
    const known = (analysis: Analysis & { ageSeconds: number }): KnownAnalysis => ({
      ...analysis,
      at: this.#serverNow() - analysis.ageSeconds * 1000,
    });
    const monthEnd = addDays(start, 29);
    void this.#ask(
      (api) => api.analysis({ start, end: monthEnd }),
      (reservation) => (this.month.value = known(reservation)),
    );
    void this.#ask(
      (api) => api.forecast({ start, end }),
      (byDate) => (this.forecast.value = byDate),
    );
    void this.refreshRestrictions();
    void this.#ask(
      (api) => api.newestOptimization(),
      (newest) => {
        this.adviceAt.value = this.#serverNow();
        this.#takeOptimization(newest);
      },
    );
  }

  /** Reloads the restrictions of the shown nights. */
  async refreshRestrictions(): Promise<void> {
    const { start, nights } = this.#outlook!;
    await this.#ask(
      (api) => api.restrictions({ start, end: addDays(start, nights - 1) }),
      (items) => {
        const locked = new Set(items.filter(({ rateLocked }) => rateLocked).map(cellKey));
        const limits = new Map(items.map((item) => [cellKey(item), item]));
        // Every cell reads these signals, so they are only set on a change.
        if (JSON.stringify([...limits]) !== JSON.stringify([...this.limits.peek()])) this.limits.value = limits;
        if ([...locked].join() === [...this.locked.peek()].join()) return;
        this.locked.value = locked;
        this.#compareWith(this.optimization.peek());
      },
    );
  }

  /** Reloads the calendar events of the shown nights. */
  async refreshEvents(): Promise<void> {
    if (!this.#outlook) return;
    const { start, nights, asOf } = this.#outlook;
    await this.#ask(
      (api) => api.calendar.list(start, addDays(start, nights - 1), asOf),
      (events) => this.calendar.take(events),
    );
  }

  /** Loads what is constant for the current view. */
  #load(): void {
    const { start, nights, today, seesAmounts } = this.#outlook!;
    const end = addDays(start, nights - 1);
    if (!seesAmounts) return;
    const dayBefore = addDays(today, -1);
    void this.#ask(
      (api) => api.audits({ start: dayBefore, end: dayBefore }),
      (audits) => (this.yesterday.value = audits.get(dayBefore)),
    );
    void this.#ask(
      (api) => api.audits({ start: addDays(start, -YEAR_DAYS), end: addDays(end, -YEAR_DAYS) }),
      (audits) =>
        (this.lastYear.value = new Map([...audits].map(([date, audit]) => [addDays(date, YEAR_DAYS), audit]))),
    );
  }

  #countCancelled(): void {
    const { property, today, asOf } = this.#outlook!;
    if (asOf !== undefined) return;
    const since = startOfBusinessDate(today, property.timezone, property.nightAuditHour);
    const readsReports = signedInRole.peek() !== 'VIEWER';
    void this.#ask(
      (api) => (readsReports ? api.cancelledOn(today) : api.cancelledSince(since)),
      (count) => (this.cancelled.value = count),
    );
  }

  #takeOptimization(newest: OptimizationView | undefined): void {
    const shown = this.optimization.peek();
    if (newest && newest.optimizationId === shown?.optimizationId) {
      // What the rule has accepted may be known a moment after the rest.
      const isSameRule = newest.acceptedByRule?.at === shown.acceptedByRule?.at;
      if (newest.status === shown.status && isSameRule) return;
    }
    this.optimization.value = newest;
    this.rejected.value = rejectedOf(newest);
    this.#compareWith(newest);
  }

  #compareWith(newest: OptimizationView | undefined): void {
    const advice = newest?.status === 'COMPLETED' ? newest.recommendations : [];
    const unwanted = new Set([...this.rejected.peek(), ...this.locked.peek()]);
    const wanted = advice.filter((one) => !unwanted.has(cellKey(one)));
    this.recommended.value = new Map(wanted.map((one) => [cellKey(one), one.optimizedRate]));
  }

  /** Data that is not available stays unknown, and is shown so. */
  async #ask<T>(question: (api: RevenueApi) => Promise<T>, take: (answer: T) => void): Promise<void> {
    const round = this.#turn;
    const answer = await question(this.#api!).then(
      (value) => ({ value }),
      () => undefined,
    );
    if (answer && round === this.#turn) take(answer.value);
  }
}

/** Recommendations that this tab has rejected. */
function rejectedOf(newest: OptimizationView | undefined): ReadonlySet<string> {
  const text = sessionStorage.getItem(REJECTED_KEY);
  const stored = text === null ? undefined : (JSON.parse(text) as { optimizationId: string; cells: string[] });
  return new Set(stored?.optimizationId === newest?.optimizationId ? stored?.cells : []);
}

function roomsThen({ dates }: PickupView): ReadonlyMap<string, number> {
  return new Map(dates.map((one) => [one.date, one.roomsThen]));
}
