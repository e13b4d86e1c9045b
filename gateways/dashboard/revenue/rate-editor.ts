import { batch, computed, effect, signal } from '@preact/signals';

import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { WEEKDAYS } from '../../../src/kernel/rules/dates.ts';
import { incrementOf } from '../../../src/kernel/rules/money.ts';
import { MAX_NIGHTS } from '../../../src/kernel/rules/stay-days.ts';
import { MAX_NIGHT_RATES } from '../../../src/rates/rules/night-rates.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { amountIn, rateProblem } from '../amounts.ts';
import { ApiError } from '../api.ts';
import type { RevenueApi } from './api.ts';
import { type Cell, cellsOf, byPercent, nightsBetween, percentIn } from './chosen-nights.ts';
import { doneText, editor as words, faultText, movesText, newOnSale, revenueText } from './editor-messages.ts';
import { jumpOf } from './price-jump.ts';
import { type EditedLimit, stepsBack } from './restriction-undo.ts';
import type { RestrictionView, WantedRate } from './shapes.ts';
import type { RevenueStore } from './store.ts';

const WEEK = [0, 1, 2, 3, 4, 5, 6];
/** Somebody is still typing. */
const TYPING_MS = 300;

/** Restrictions that are on or off. */
export type Flag = 'closedToArrival' | 'closedToDeparture' | 'stopSell';

type Preview = { moves: string; revenue: string | undefined };
type Done = { text: string; undo?: () => Promise<void> };

/** Sets rates and restrictions of the nights that are chosen in the grid. */
export class RateEditor {
  /** The corner opposite to the selected cell; absent: that cell alone. */
  readonly reach = signal<string | undefined>(undefined);
  readonly weekdays = signal<ReadonlySet<number>>(new Set(WEEK));
  readonly rateText = signal('');
  readonly percentText = signal('');
  readonly minimumText = signal('');
  readonly preview = signal<Preview | undefined>(undefined);
  readonly error = signal<string | undefined>(undefined);
  readonly done = signal<Done | undefined>(undefined);
  readonly busy = signal(false);
  /** The rectangle of the grid, and its cells on the chosen weekdays. */
  readonly chosen = computed(() => this.#chosen());
  readonly cells = computed(() => {
    const chosen = this.chosen.value;
    return chosen ? cellsOf(chosen, this.weekdays.value) : [];
  });
  readonly keys = computed((): ReadonlySet<string> => new Set(this.cells.value.map(cellKey)));
  /** What is typed would move a price by so much that it needs a yes. */
  readonly jump = computed(() => {
    const wanted = this.#wanted();
    if (typeof wanted === 'string') return undefined;
    const moves = wanted.map(({ previousRate, rate }) => ({ from: previousRate ?? null, to: rate }));
    return jumpOf(moves, this.#desk.currency.value);
  });
  /** The jump to which somebody has said yes: another one needs another. */
  readonly agreedTo = signal<string | undefined>(undefined);
  readonly isAgreed = computed(() => this.jump.value === undefined || this.jump.value.text === this.agreedTo.value);
  readonly #desk: RevenueStore;
  /** Number of the latest preview: answers to earlier ones are dropped. */
  #question = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** Rates of the chosen nights in the grid, as one text. */
  readonly #rates = computed(() => this.cells.value.map((cell) => this.#rateOf(cell) ?? '-').join());
  /** Those of the preview: what is set is what a line has said before. */
  #seen: string | undefined;

  constructor(desk: RevenueStore) {
    this.#desk = desk;
    // What somebody else sets meanwhile is in the preview at once.
    effect(() => {
      if (this.#rates.value === this.#seen || this.busy.peek()) return;
      if (this.preview.peek()) void this.#tryOut();
      // Typed before the rates were there, as after a sign-in.
      else if (this.#isTyped) this.#previewSoon();
    });
  }

  get #isTyped(): boolean {
    return this.rateText.peek() !== '' || this.percentText.peek() !== '';
  }

  /** Whether the user may set prices now. */
  get isOpen(): boolean {
    return this.#desk.seesAmounts && !this.#desk.isPast.value;
  }

  /** Whether there is place for it: also while the role is unknown. */
  get isExpected(): boolean {
    return this.#desk.expectsAmounts && !this.#desk.isPast.value;
  }

  /** Chooses one cell. */
  pick(key: string): void {
    batch(() => {
      this.#desk.selected.value = key;
      this.reach.value = undefined;
      // They are chosen of several nights, and not seen of one.
      this.weekdays.value = new Set(WEEK);
      this.#forget();
    });
  }

  /** Chooses all cells between the selected one and this one. */
  extend(key: string): void {
    if (this.reach.peek() === key) return;
    batch(() => {
      this.reach.value = key;
      this.#forget();
    });
    this.#previewSoon();
  }

  toggleWeekday(day: number): void {
    const days = new Set(this.weekdays.peek());
    if (!days.delete(day)) days.add(day);
    this.weekdays.value = days;
    this.#previewSoon();
  }

  typeRate(text: string): void {
    batch(() => {
      this.rateText.value = text;
      this.percentText.value = '';
    });
    this.#previewSoon();
  }

  typePercent(text: string): void {
    batch(() => {
      this.percentText.value = text;
      this.rateText.value = '';
    });
    this.#previewSoon();
  }

  /** Whether a restriction is on: on all chosen nights, on some, or on none. */
  stateOf(flag: Flag): 'all' | 'some' | 'none' {
    const cells = this.cells.value;
    const limits = this.#desk.revenue.limits.value;
    const on = cells.filter((cell) => limits.get(cellKey(cell))?.[flag]).length;
    return on === 0 ? 'none' : on === cells.length ? 'all' : 'some';
  }

  /** Sets the typed rate, or changes the rates by the typed percentage. */
  async setRates(): Promise<void> {
    const wanted = this.#wanted();
    if (typeof wanted === 'string') return this.#refuse(wanted);
    if (!this.isAgreed.peek()) return;
    if (this.#seen !== undefined && this.#seen !== this.#rates.peek()) {
      await this.#tryOut();
      return this.#refuse(words.movedSince);
    }
    await this.#attempt(async (api) => {
      const moves = await api.setRates(wanted);
      const back = moves.flatMap(({ roomType, date, from, to }) =>
        from === null ? [] : [{ roomType, date, rate: from, previousRate: to }],
      );
      const text = doneText.rates(moves, this.#desk.currency.peek(), moves.length - back.length);
      return { text, ...(back.length > 0 && { undo: async () => void (await api.setRates(back)) }) };
    });
  }

  /** Sets a restriction on the chosen nights, or lifts it where all of them have it. */
  async toggle(flag: Flag, name: string): Promise<void> {
    const on = this.stateOf(flag) !== 'all';
    await this.#restrict(flag, on || null, (nights) => doneText.restriction(name, on, nights));
  }

  async setMinimum(): Promise<void> {
    const text = this.minimumText.peek().trim();
    const least = text === '' ? null : /^\d{1,2}$/.test(text) ? Number(text) : 0;
    if (least !== null && (least < 1 || least > MAX_NIGHTS)) return this.#refuse(words.noMinimum);
    await this.#restrict('minStayArrival', least, (nights) => doneText.minimum(least, nights));
  }

  async undo(): Promise<void> {
    const last = this.done.peek();
    const undo = last?.undo;
    if (!undo) return;
    await this.#attempt(async () => {
      await undo();
      return { text: doneText.undone };
    });
    // What fails can be tried again.
    if (this.error.peek() !== undefined) this.done.value = last;
  }

  /** Not over what somebody else has set since it was read: that is shown first. */
  async #restrict(limit: EditedLimit, value: true | number | null, said: (nights: number) => string): Promise<void> {
    const cells = this.#within();
    if (typeof cells === 'string') return this.#refuse(cells);
    const chosen = this.#chosen()!;
    const days = this.weekdays.peek();
    const weekdays = days.size === WEEK.length ? undefined : WEEKDAYS.filter((_, index) => days.has(index));
    const { revenue } = this.#desk;
    const seen = revenue.limits.peek();
    await this.#attempt(async (api) => {
      const before = await api.restrictionsOfPlans(chosen);
      const now = new Map(before.items.filter(({ rateCode }) => rateCode === BAR).map((one) => [cellKey(one), one]));
      const valueOf = (of: ReadonlyMap<string, RestrictionView>, cell: Cell) =>
        of.get(cellKey(cell))?.[limit] || null;
      const moved = cells.filter((cell) => valueOf(seen, cell) !== valueOf(now, cell));
      if (moved.length > 0) {
        await revenue.refreshRestrictions();
        throw new ApiError('', words.restrictedSince(moved));
      }
      await api.restrict(chosen, { [limit]: value }, { weekdays });
      await revenue.refreshRestrictions();
      const undo = async (): Promise<void> => {
        for (const { nights, rateCode, change } of stepsBack(cells, limit, before.items, before.rateCodes))
          await api.restrict({ ...nights, roomTypes: [nights.roomType] }, change, { rateCode });
        await revenue.refreshRestrictions();
      };
      return { text: said(cells.length), undo };
    });
  }

  async #attempt(work: (api: RevenueApi) => Promise<Done>): Promise<void> {
    const { api } = this.#desk.revenue;
    if (!api || this.busy.peek()) return;
    batch(() => {
      this.#forget();
      this.#desk.changes.forget();
      this.busy.value = true;
    });
    try {
      const done = await work(api);
      batch(() => {
        this.done.value = done;
        this.rateText.value = '';
        this.percentText.value = '';
        this.agreedTo.value = undefined;
      });
    } catch (error) {
      this.#refuse(faultText(error, words.failed));
    } finally {
      this.busy.value = false;
    }
  }

  /** Rates of the chosen nights as they are to be, or what is wrong. */
  #wanted(): WantedRate[] | string {
    const cells = this.#within();
    if (typeof cells === 'string') return cells;
    const percent = percentIn(this.percentText.value);
    const decimals = incrementOf(this.#desk.currency.value) === 1 ? 2 : 0;
    const rate = amountIn(this.rateText.value, decimals);
    if (this.percentText.value !== '' && (percent === undefined || percent <= -100)) return words.noPercent;
    if (this.percentText.value === '' && (rate === undefined || rate === 0))
      return rateProblem(this.rateText.value, decimals);
    const nights = cells.flatMap(({ roomType, date }) => {
      const previousRate = this.#rateOf({ roomType, date });
      if (percent === undefined) return [{ roomType, date, rate: rate!, previousRate }];
      return previousRate === null
        ? []
        : [{ roomType, date, rate: byPercent(previousRate, percent, decimals), previousRate }];
    });
    return nights.length === 0 ? words.noRates : nights;
  }

  #rateOf({ roomType, date }: Cell): number | null {
    return this.#desk.cell(cellKey({ roomType, date })).value.item?.rate ?? null;
  }

  #within(): readonly Cell[] | string {
    const cells = this.cells.value;
    if (cells.length === 0) return words.noNights;
    return cells.length > MAX_NIGHT_RATES ? words.tooMany(MAX_NIGHT_RATES) : cells;
  }

  #previewSoon(): void {
    clearTimeout(this.#typing);
    this.#question += 1;
    this.#seen = undefined;
    batch(() => {
      this.preview.value = undefined;
      this.error.value = undefined;
    });
    if (!this.#isTyped) return;
    this.#typing = setTimeout(() => void this.#tryOut(), TYPING_MS);
  }

  async #tryOut(): Promise<void> {
    if (!this.#isTyped || this.#rates.peek() === '') return;
    const wanted = this.#wanted();
    if (typeof wanted === 'string') return this.#refuse(wanted);
    const { api } = this.#desk.revenue;
    const question = ++this.#question;
    this.#seen = this.#rates.peek();
    const currency = this.#desk.currency.peek();
    try {
      const preview = await api?.tryRates(wanted);
      if (question !== this.#question || !preview) return;
      const { revenueBefore, revenueAfter } = preview.forecast;
      const isKnown = revenueBefore !== null && revenueAfter !== null;
      this.preview.value = {
        moves: movesText(preview.items, currency) + newOnSale(preview.items),
        revenue: isKnown ? revenueText(revenueBefore, revenueAfter, currency) : undefined,
      };
    } catch (error) {
      if (question === this.#question) this.#refuse(faultText(error, words.failed));
    }
  }

  #refuse(text: string): void {
    this.error.value = text;
  }

  #forget(): void {
    this.#question += 1;
    this.#seen = undefined;
    clearTimeout(this.#typing);
    this.preview.value = undefined;
    this.error.value = undefined;
    this.done.value = undefined;
  }

  #chosen(): ReturnType<typeof nightsBetween> | undefined {
    const key = this.#desk.selected.value;
    if (key === undefined) return undefined;
    return nightsBetween(cellIn(key), cellIn(this.reach.value ?? key), this.#desk.roomTypes.value);
  }
}

/** The cell of a {@link cellKey}. */
function cellIn(key: string): Cell {
  const at = key.indexOf(' ');
  return { date: key.slice(0, at), roomType: key.slice(at + 1) };
}
