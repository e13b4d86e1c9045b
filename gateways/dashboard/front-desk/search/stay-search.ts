import { computed, signal } from '@preact/signals';

import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import { type BoardStay, type ReservationView, stayOf } from '../shapes.ts';
import { foundStays } from '../tasks.ts';

/** A pause in typing after which the service is called. */
const PAUSE_MS = 300;
const MIN_LETTERS = 2;
/** Guests whose stays are read, and stays of each: more words narrow a search better than a longer list. */
const MAX_GUESTS = 6;
const MAX_STAYS = 8;
const CONFIRMATION_NUMBER = /^[0-9A-Z]{10}$/;

/**
 * Finds stays by parts of names, by room and by confirmation number: those that are shown at once, all others of the
 * property by their guest after a pause in typing.
 */
export class StaySearch {
  readonly query = signal('');
  /** Stays beyond the shown days, newest arrival first; `undefined` while they are not read. */
  readonly beyond = signal<readonly BoardStay[] | undefined>(undefined);
  readonly error = signal<string | undefined>(undefined);
  readonly isOn = computed(() => this.query.value.trim() !== '');
  /** Stays that the front desk has read. */
  readonly here = computed(() => foundStays(this.#desk.screen.value.stays.values(), this.query.value));
  readonly #desk: FrontDesk;
  /** As they were read, for the chart when one of them is opened. */
  readonly #read = new Map<string, ReservationView>();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #question = 0;

  constructor(desk: FrontDesk) {
    this.#desk = desk;
  }

  /** All found stays; one is listed once. */
  readonly found = computed((): readonly BoardStay[] => {
    const here = this.here.value;
    const ids = new Set(here.map(({ reservationId }) => reservationId));
    return [...here, ...(this.beyond.value ?? []).filter(({ reservationId }) => !ids.has(reservationId))];
  });

  type(query: string): void {
    this.query.value = query;
    this.beyond.value = undefined;
    this.error.value = undefined;
    this.#question += 1;
    clearTimeout(this.#pause);
    if (query.trim().length >= MIN_LETTERS) this.#pause = setTimeout(() => void this.now(), PAUSE_MS);
  }

  /** Calls the service at once. */
  async now(): Promise<void> {
    clearTimeout(this.#pause);
    const query = this.query.peek().trim();
    if (query.length < MIN_LETTERS) return;
    const question = ++this.#question;
    try {
      const read = await this.#ask(query);
      if (question !== this.#question) return;
      for (const one of read) this.#read.set(one.reservationId, one);
      this.beyond.value = read
        .map((reservation) => stayOf(reservation))
        .sort((a, b) => (a.checkIn < b.checkIn ? 1 : a.checkIn > b.checkIn ? -1 : a.name.localeCompare(b.name)));
    } catch (error) {
      if (question === this.#question) this.error.value = errorText(error);
    }
  }

  /** Opens a found stay, and shows it in the chart. */
  open(stay: BoardStay): void {
    const read = this.#read.get(stay.reservationId);
    this.#desk.chart.showStay(stay, read);
  }

  clear(): void {
    this.type('');
    this.#read.clear();
  }

  async #ask(query: string): Promise<ReservationView[]> {
    const { api } = this.#desk;
    const number = query.toUpperCase();
    const [numbered, guests] = await Promise.all([
      CONFIRMATION_NUMBER.test(number) ? api.list({ confirmationNumber: number }) : [],
      api.guests(query, MAX_GUESTS),
    ]);
    const stays = await Promise.all(guests.map(({ guestId }) => api.staysOf(guestId, MAX_STAYS)));
    const all = [...numbered, ...stays.flat()];
    return [...new Map(all.map((one) => [one.reservationId, one])).values()];
  }
}
