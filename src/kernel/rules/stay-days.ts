import type { Day } from './dates.ts';

/** Longest stay in nights (docs/reference/api.md#dates-and-times). The table of reservations has it as a check too. */
export const MAX_NIGHTS = 90;

/** Days of a stay: check-in night inclusive, check-out day exclusive. */
export type StayDays = {
  checkIn: Day;
  checkOut: Day;
  /**
   * The guest leaves on the day of arrival ({@link departureOf}). The room is taken for the night of that day, so that
   * `checkOut` is the day after.
   */
  dayUse?: true;
};

/** The day on which a guest leaves. */
export const departureOf = ({ checkIn, checkOut, dayUse }: StayDays): Day => (dayUse ? checkIn : checkOut);

/** Nights that a guest sleeps: none of day use. */
export const nightsOfStay = (stay: StayDays): number => departureOf(stay) - stay.checkIn;

/** Days of a stay from its dates as guests say them: day use when both are the same. */
export const daysUntil = (checkIn: Day, departure: Day): StayDays =>
  departure === checkIn ? { checkIn, checkOut: checkIn + 1, dayUse: true } : { checkIn, checkOut: departure };
