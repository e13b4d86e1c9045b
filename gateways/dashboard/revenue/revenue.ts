import { signal } from '@preact/signals';

import { cellKey } from '../../../src/live/contracts/replica.ts';
import type { SignedAccess, PropertySummary } from '../api.ts';
import { addDays, startOfBusinessDate } from '../grid/days.ts';
import { RevenueApi } from './api.ts';
import type {
  Advice,
  Analysis,
  Audit,
  ExpectedNight,
  KnownAnalysis,
  OptimizationView,
  PickupView,
} from './shapes.ts';

/** Where the page looks: the property, its business date, the nights shown, and whether it may see amounts. */
type Outlook = {
  property: PropertySummary;
  today: string;
  start: string;
  nights: number;
  seesAmounts: boolean;
  /** The instant looked at, where that is past; then nothing is requested that exists only for the present. */
  asOf?: number;
};

const REJECTED_KEY = 'innkeeper.rejected-nights';
/** Weekdays fall on weekdays again after so many days. */
const YEAR_DAYS = 364;
const REFRESH_MS = 60_000;
/** Changes come in bursts: what they make necessary is requested once, after them. */
const SETTLE_MS = 600;

/**
 * What stands beside the live data: yesterday and the same weekday a year ago, the market, recommendations. Every
 * part is `undefined` until it is known, and stays so where it cannot be known.
 */
export class Revenue {
  /** On the books a week ago, by date. */
  readonly weekAgo = signal<ReadonlyMap<string, number> | undefined>(undefined);
  readonly yesterday = signal<Audit | undefined>(undefined);
  /** Audits of the shown nights' weekdays a year ago, by the date that they are compared with. */
  readonly lastYear = signal<ReadonlyMap<string, Audit>>(new Map());
  /** What the shown nights are expected to end with, by date. */
  readonly forecast = signal<ReadonlyMap<string, ExpectedNight>>(new Map());
  /** When the lines of the chart that do not follow the live data were loaded. */
  readonly paceAt = signal<number | undefined>(undefined);
  /** When the services were last heard of about recommendations. */
  readonly adviceAt = signal<number | undefined>(undefined);
  readonly cancelled = signal<{ count: number; more: boolean } | undefined>(undefined);
  /** Of the thirty nights from the first shown on. */
  readonly month = signal<KnownAnalysis | undefined>(undefined);
  readonly optimization = signal<OptimizationView | undefined>(undefined);
  /** Cells whose newest recommendation is not wanted; known to this tab only, the services keep no such mark. */
  readonly rejected = signal<ReadonlySet<string>>(new Set());
  /** Cells whose rate no optimization moves. */
  readonly locked = signal<ReadonlySet<string>>(new Set());
  /** Recommended rates by cell. */
  readonly recommended = signal<ReadonlyMap<string, number>>(new Map());
  readonly #access: SignedAccess;
  readonly #serverNow: () => number;
  #outlook: Outlook | undefined;
  #api: RevenueApi | undefined;
  /** Answers to earlier requests belong to another view. */
  #turn = 0;
  #again: ReturnType<typeof setInterval> | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;

  constructor(access: SignedAccess, serverNow: () => number) {
    this.#access = access;
    this.#serverNow = serverNow;
  }

  /** The services as the property that is looked at has them; `undefined` before there is one. */
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
    this.paceAt.value = undefined;
    if (!isSameProperty || outlook.asOf !== undefined) this.#takeOptimization(undefined);
    this.#load();
    this.refresh();
    if (outlook.asOf === undefined) this.#again = setInterval(() => this.refresh(), REFRESH_MS);
  }

  /** Something was cancelled or sold: what depends on it is counted again, soon. */
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

  /** Puts recommendations aside. */
  reject(nights: readonly Advice[]): void {
    this.#setRejected(new Set([...this.rejected.value, ...nights.map(cellKey)]));
  }

  /** Takes up again what was put aside. */
  reconsider(): void {
    this.#setRejected(new Set());
  }

  /** Locks the rate of a room type on nights that follow each other, or unlocks it. @throws ApiError */
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

  /** What may have changed without any event that the page hears. */
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
    void this.#ask(
      (api) => api.lockedRates({ start, end }),
      (locked) => {
        // Every cell reads it: cells are rendered again only where something has changed.
        if ([...locked].join() === [...this.locked.peek()].join()) return;
        this.locked.value = locked;
        this.#compareWith(this.optimization.peek());
      },
    );
    void this.#ask(
      (api) => api.newestOptimization(),
      (newest) => {
        this.adviceAt.value = this.#serverNow();
        this.#takeOptimization(newest);
      },
    );
  }

  /** What does not change while the outlook stays. */
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
    void this.#ask(
      (api) => api.cancelledSince(since),
      (reservation) => (this.cancelled.value = reservation),
    );
  }

  #takeOptimization(newest: OptimizationView | undefined): void {
    if (newest && newest.optimizationId === this.optimization.peek()?.optimizationId) {
      if (newest.status === this.optimization.peek()?.status) return;
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

  /** What cannot be had stays unknown, and is shown so. */
  async #ask<T>(question: (api: RevenueApi) => Promise<T>, take: (answer: T) => void): Promise<void> {
    const round = this.#turn;
    const answer = await question(this.#api!).then(
      (value) => ({ value }),
      () => undefined,
    );
    if (answer && round === this.#turn) take(answer.value);
  }
}

/** What this tab remembers of the recommendations that it last put aside. */
function rejectedOf(newest: OptimizationView | undefined): ReadonlySet<string> {
  const text = sessionStorage.getItem(REJECTED_KEY);
  const stored = text === null ? undefined : (JSON.parse(text) as { optimizationId: string; cells: string[] });
  return new Set(stored?.optimizationId === newest?.optimizationId ? stored?.cells : []);
}

function roomsThen({ dates }: PickupView): ReadonlyMap<string, number> {
  return new Map(dates.map((one) => [one.date, one.roomsThen]));
}
