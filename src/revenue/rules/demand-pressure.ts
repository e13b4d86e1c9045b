/**
 * How a forecast moves the price of a DYNAMIC plan, in one table: percent of the price for each point by which the
 * forecast occupancy lies above or below what the property usually reaches, and how far at most.
 */
const DEMAND_PRESSURE = { percentPerPoint: 0.5, least: -15, most: 25 } as const;

/**
 * The demand step of a night in whole percent (docs/concepts/forecast.md#demand-forecast).
 * @param forecast occupancy that is expected in the end, in percent; above 100 where more want to come than can
 * @param usual what the property has reached on average, in percent
 */
export function demandPressure(forecast: number, usual: number): number {
  const { percentPerPoint, least, most } = DEMAND_PRESSURE;
  const percent = Math.round((forecast - usual) * percentPerPoint);
  return Math.max(least, Math.min(most, percent)) + 0;
}
