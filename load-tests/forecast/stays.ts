import type { Day } from '../../src/kernel/rules/dates.ts';
import { type BookChange, OnTheBooks } from '../../src/revenue/rules/forecast/on-the-books.ts';
import type { RealBooking } from '../replay/bookings.ts';
import { MoneyOfStays } from './money.ts';

/** The nights of a file of bookings. */
export type Stays = {
  books: OnTheBooks;
  /** Occupied rooms by night: those of guests who arrived. */
  occupied: ReadonlyMap<Day, number>;
  /** What they paid. */
  money: MoneyOfStays;
  firstNight: Day;
  /** Night of the last arrival: of later nights the file has only stays that began before. */
  lastNight: Day;
};

/**
 * The on-the-books ledger that a hotel would have had. A cancelled or no-show stay is on the books until the day on
 * which that was recorded; at the end of that day it is not. A stay of no nights takes no room.
 */
export function staysOf(bookings: readonly RealBooking[]): Stays {
  const arrivals = bookings.filter(({ nights }) => nights > 0).map(({ arrival }) => arrival);
  const lastNight = arrivals.reduce((last, arrival) => Math.max(last, arrival), -Infinity);
  const occupied = new Map<Day, number>();
  const changes: BookChange[] = [];
  for (const { arrival, nights, leadDays, outcome, outcomeDay } of bookings) {
    const booked = arrival - leadDays;
    for (let night = arrival; night < Math.min(arrival + nights, lastNight + 1); night += 1) {
      changes.push({ moment: booked, night, rooms: 1 });
      if (outcome === 'Check-Out') occupied.set(night, (occupied.get(night) ?? 0) + 1);
      else changes.push({ moment: Math.max(booked, outcomeDay), night, rooms: -1 });
    }
  }
  const books = new OnTheBooks(
    changes.toSorted((one, other) => one.moment - other.moment),
    lastNight,
  );
  const money = new MoneyOfStays(bookings, books, lastNight);
  return { books, occupied, money, firstNight: books.firstNight, lastNight };
}
