/** Standard deviation of a week's demand around its forecast, as a part of it. */
const FORECAST_DEVIATION = 0.2;

/**
 * A week's demand as a part of its forecast, given what has been booked so far. Few bookings move it little (Gamma
 * prior, Poisson bookings).
 * @param booked rooms booked so far, each counted as the number that would have been booked at the usual rate
 * @param expected rooms that the forecast expected so far, at the usual rate
 */
export function demandLevel(booked: number, expected: number): number {
  const prior = 1 / FORECAST_DEVIATION ** 2;
  return (prior + booked) / (prior + expected);
}
