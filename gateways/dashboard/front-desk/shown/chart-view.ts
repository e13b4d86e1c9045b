import { batch, computed, signal } from '@preact/signals';

import { addDays } from '../../grid/days.ts';
import type { FrontDesk } from '../front-desk.ts';
import type { Lane } from '../lanes.ts';
import type { BoardStay, ReservationView } from '../shapes.ts';
import { isShown } from '../tasks.ts';
import { type ChartFilter, DEFAULT_SPAN, filteredLanes, homeOf, type Span } from './chart-filter.ts';

/** Which days the tape chart shows, and which of its lanes; `desk-address.ts` keeps the address of both. */
export class ChartView {
  /** Days at once. */
  readonly span = signal<Span>(DEFAULT_SPAN);
  readonly filter = signal<ChartFilter>({});
  /** Floors by room number; without them nothing is narrowed by floor. */
  readonly floors = signal<ReadonlyMap<string, number>>(new Map());
  /** The stay to be brought into view once the chart has it. */
  readonly sought = signal<string | undefined>(undefined);
  /** The lanes that the filters leave. */
  readonly shown = computed(() => filteredLanes(this.#desk.groups.value, this.filter.value, this.floors.value));
  readonly #desk: FrontDesk;

  constructor(desk: FrontDesk) {
    this.#desk = desk;
  }

  /** Whether the chart starts where it does while it follows today. */
  get isHome(): boolean {
    return this.#desk.start.value === this.#home();
  }

  /** For another property: today, with the same zoom and without filters, which name its types and floors. */
  reset(): void {
    this.filter.value = {};
    this.floors.value = new Map();
    this.sought.value = undefined;
    this.#desk.start.value = this.#home();
  }

  /** Moves by days; `0` goes back to today. */
  page(days: number): void {
    if (this.#desk.start.value !== '') this.show(days === 0 ? this.#home() : addDays(this.#desk.start.value, days));
  }

  /** Shows more or fewer days; a chart that follows today goes on doing so. */
  zoom(span: Span): void {
    if (this.#desk.start.value !== '') this.show(this.isHome ? this.#home(span) : this.#desk.start.value, span);
  }

  /** Shows days from the first on. */
  show(start: string, span: Span = this.span.value): void {
    if (start === this.#desk.start.peek() && span === this.span.peek()) return;
    batch(() => {
      this.#desk.start.value = start;
      this.span.value = span;
    });
    this.#desk.followDays();
  }

  /** Moves the chart where a day is not among those shown. */
  showDay(day: string): void {
    const { value: start } = this.#desk.start;
    if (day < start || day >= addDays(start, this.span.value)) this.show(homeOf(day, this.span.value));
  }

  /** Narrows the chart; members that are undefined do not. */
  narrow(filter: ChartFilter): void {
    const set = Object.entries(filter).filter(([, value]) => value !== undefined);
    this.filter.value = Object.fromEntries(set) as ChartFilter;
  }

  /** Opens a stay and brings it into view. */
  showStay(stay: BoardStay, read?: ReservationView): void {
    this.reveal(stay, read);
    void this.#desk.drawer.open(stay.reservationId);
  }

  /** Brings a stay into view: on other days, or without filters, where it is not shown. */
  reveal(stay: BoardStay, read?: ReservationView): void {
    if (!isShown(stay)) return;
    this.sought.value = stay.reservationId;
    const { value: start } = this.#desk.start;
    const isOn = stay.checkIn <= addDays(start, this.span.value - 1) && stay.checkOut >= start;
    if (!isOn) this.show(homeOf(stay.checkIn, this.span.value));
    if (read) this.#desk.put(read);
    if (isOn && this.#desk.loaded.value && !this.#has(stay)) this.narrow({});
  }

  #has({ reservationId }: BoardStay): boolean {
    const hasIt = (lane: Lane): boolean =>
      'bars' in lane && lane.bars.some(({ stay }) => stay.reservationId === reservationId);
    return this.shown.value.groups.some(({ lanes }) => lanes.some(hasIt));
  }

  #home(span = this.span.value): string {
    return homeOf(this.#desk.today.value, span);
  }
}
