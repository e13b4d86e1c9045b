/**
 * Price adjustment of a DYNAMIC plan by the forecast: percent of the price for each point of forecast occupancy above
 * or below the property's usual one, and its limits.
 */
const DEMAND_PRESSURE = { percentPerPoint: 0.5, least: -15, most: 25 } as const;

/**
 * The demand step of a night in whole percent (docs/concepts/forecast.md#demand-forecast).
 * @param forecast expected final occupancy in percent; above 100 when demand exceeds the rooms
 * @param usual mean occupancy of the property in percent
 */
export function demandPressure(forecast: number, usual: number): number {
  const { percentPerPoint, least, most } = DEMAND_PRESSURE;
  const percent = Math.round((forecast - usual) * percentPerPoint);
  return Math.max(least, Math.min(most, percent)) + 0;
}
