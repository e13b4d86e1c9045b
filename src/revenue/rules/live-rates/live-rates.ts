import type { Minor } from '../../../kernel/rules/money.ts';
import type { BestRates } from './best-rate.ts';
import { type ExpectedStays, type RoomValueInput, roomValues, type SalesPeriod } from './room-values.ts';

/** What is assumed of the guests of a room type. Nights and days count from the same origin. */
export type GuestModel = {
  /** Days before arrival from which on a period of sales lasts, ascending from 0. */
  periods: readonly number[];
  /** Nights of each class of lengths of stay. */
  lengths: readonly number[];
  /**
   * Rooms still expected to be booked in a period, from today on, for an arrival and a class of lengths: at the usual
   * rate, cancelled ones excluded.
   */
  expected(arrival: number, period: number, length: number): number;
  /** Variance of the demand of a night by its mean; absent: {@link DISPERSION}. */
  dispersion?(night: number): number;
  /** Price response of guests of a night in a period. */
  best(night: number, period: number): BestRates;
  /** Reference price of guests. */
  usual(night: number): Minor;
};

/** Nights of a stay from arrival on, and how many rooms. */
type RequestedStay = { arrival: number; nights: number; rooms: number };

type Around = { length: number; nights: number; first: number; values: readonly number[] };

/** Variance of demand by its mean: guests book for several rooms, and a forecast errs by a part of what it expects. */
const DISPERSION = { least: 1.5, perRoom: 0.03 };
/** Rooms that cancellations may bring back before values are computed again. */
const SPARE_ROOMS = 3;

/**
 * Rates of a room type that move with each booking (docs/concepts/forecast.md#live-rates). Each night has a table of
 * what its rooms are worth, by rooms left. A stay costs what its nights are worth, and what its guests bear on top. A
 * sale moves the next rate by the table; the tables follow demand when they are renewed.
 */
export class LiveRates {
  readonly #tables: Float64Array[];
  readonly #left: Float64Array;
  readonly #values: Float64Array;

  readonly #valuesOf: (night: RoomValueInput) => Float64Array;

  /** @param valuesOf values of a night's rooms, by rooms left */
  constructor(nights: number, valuesOf: (night: RoomValueInput) => Float64Array = roomValues) {
    this.#valuesOf = valuesOf;
    this.#tables = Array.from({ length: nights }, () => new Float64Array(2));
    this.#left = new Float64Array(nights);
    this.#values = new Float64Array(nights);
  }

  /** Sets the rooms left of a night, in fractions where bookings may be cancelled. */
  setLeft(night: number, rooms: number): void {
    this.#left[night] = rooms;
    this.#values[night] = this.#valueOf(night, rooms);
  }

  /** Takes the rooms of a booking, in fractions where it may be cancelled, from its nights. */
  take({ arrival, nights }: RequestedStay, rooms: number): void {
    for (let night = arrival; night < arrival + nights; night++) this.setLeft(night, this.#left[night]! - rooms);
  }

  /** Value of the next room of a night. */
  value(night: number): Minor {
    return this.#values[night] ?? 0;
  }

  /** Sets the value of a night's next room that others count with until its table is computed. */
  assume(night: number, value: Minor): void {
    this.#values[night] = value;
  }

  /** Computes the table of a night anew. */
  renew(night: number, today: number, guests: GuestModel): void {
    const left = this.#left[night]!;
    const rooms = Math.max(1, Math.ceil(left) + SPARE_ROOMS);
    const around = this.#around(night, today, guests);
    const periods = guests.periods
      .map((from, period) => ({ from, period }))
      .filter(({ from }) => from <= night - today)
      .map(({ period }) => this.#period({ night, period }, guests, around));
    const expected = periods.reduce((sum, { stays }) => sum + stays.reduce((all, stay) => all + stay.rooms, 0), 0);
    const dispersion = guests.dispersion?.(night) ?? DISPERSION.least + DISPERSION.perRoom * expected;
    this.#tables[night] = this.#valuesOf({ rooms, left, usual: guests.usual(night), periods, dispersion });
    this.setLeft(night, left);
  }

  /** The rate of a single night that is expected to earn most when so many rooms are left, in minor units. */
  nightRate(night: number, left: number, guests: GuestModel, period: number): Minor {
    const usual = guests.usual(night);
    return Math.round(usual * guests.best(night, period).rate(this.#valueOf(night, left) / usual));
  }

  /** The rate of a room and night of a stay that is expected to earn most, in minor units. */
  rate({ arrival, nights, rooms }: RequestedStay, guests: GuestModel, period: number): Minor {
    let cost = 0;
    let usual = 0;
    for (let night = arrival; night < arrival + nights; night++) {
      usual += guests.usual(night) / nights;
      for (let room = 0; room < rooms; room++) cost += this.#valueOf(night, this.#left[night]! - room);
    }
    cost /= nights * rooms;
    return Math.round(usual * guests.best(arrival, period).rate(cost / usual));
  }

  /** Guests of a night in a period by their lengths of stay, with the values of their other nights. */
  #period(
    { night, period }: { night: number; period: number },
    guests: GuestModel,
    around: readonly Around[],
  ): SalesPeriod {
    const stays: ExpectedStays[] = [];
    for (const { length, nights, first, values } of around) {
      let rooms = 0;
      let others = 0;
      for (const [n, value] of values.entries()) {
        const expected = guests.expected(first + n, period, length);
        rooms += expected;
        others += expected * value;
      }
      if (rooms > 0) stays.push({ rooms, nights, others: others / rooms });
    }
    return { best: guests.best(night, period), stays };
  }

  /** Of the stays that lead over a night, by length: the first arrival, and what their other nights are worth. */
  #around(night: number, today: number, guests: GuestModel): Around[] {
    return guests.lengths.map((nights, length) => {
      const first = Math.max(today, night - nights + 1);
      const values = Array.from({ length: Math.max(0, night - first + 1) }, (_, n) => {
        let value = 0;
        for (let other = first + n; other < first + n + nights; other++)
          if (other !== night) value += this.value(other);
        return value;
      });
      return { length, nights, first, values };
    });
  }

  #valueOf(night: number, rooms: number): number {
    const table = this.#tables[night]!;
    const at = Math.min(table.length - 1, Math.max(0, rooms));
    const low = Math.trunc(at);
    const value = table[low]!;
    return at === low ? value : value + (table[low + 1]! - value) * (at - low);
  }
}
