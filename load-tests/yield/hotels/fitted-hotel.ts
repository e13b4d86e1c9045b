import type { Minor } from '../../../src/kernel/rules/money.ts';

/** First days of the rows by lead time: those of the demand model. */
export const LEAD_ROWS = [0, 1, 3, 7, 14, 30, 60, 90, 120, 180, 270] as const;
/** Stays of more nights count as this many. */
export const LONGEST_STAY = 14;

/** Lead times with the share that is cancelled or a no-show, and shares of stays of 1, 2, 3 ... nights. */
export type GuestTable = {
  leads: readonly { fromDays: number; share: number; cancelled: number }[];
  lengths: readonly number[];
};

/** Blocks of rooms: their share of all booked rooms, and how large they are. */
export type GroupTable = GuestTable & { share: number; sizes: readonly { rooms: number; share: number }[] };

/**
 * A hotel as counted in real bookings ("Hotel booking demand datasets", Antonio, de Almeida, Nunes, Data in Brief 22,
 * 2019, CC BY 4.0): tables of its guests, no booking of theirs.
 */
export type FittedHotel = {
  name: string;
  /** Bookings that it was counted in. */
  bookings: number;
  roomTypes: readonly {
    roomType: string;
    rooms: number;
    /** Share of all bookings. */
    share: number;
    /** Mean daily rates by month. */
    rates: readonly { month: number; weekday: Minor; weekend: Minor }[];
  }[];
  /** Rooms booked a day of arrival, later cancelled ones included, by month. */
  arrivals: readonly { month: number; rooms: number }[];
  /** Factors of that by weekday, Sunday first. */
  weekdays: readonly number[];
  guests: GuestTable;
  groups: GroupTable;
  /** Deciles of the part of the lead time that is left when a booking is cancelled. */
  cancelledWithLeft: readonly number[];
};
