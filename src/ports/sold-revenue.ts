import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Minor } from '../domain/money.ts';

/** Rooms of a type that are sold on a night, and what they bring: rates without taxes and fees. */
export type SoldNight = { roomType: string; day: Day; rooms: number; revenue: Minor };

/** What the nights of a property have been sold for, from the reservations. */
export interface SoldRevenue {
  /** Both days inclusive; nights on which nothing is sold are absent. */
  read(to: Address, start: Day, end: Day): Promise<SoldNight[]>;
}
