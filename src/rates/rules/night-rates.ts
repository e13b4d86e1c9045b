/** Nights of one change of rates at most, of all room types together (docs/reference/rates.md#rates-of-nights). */
export const MAX_NIGHT_RATES = 1_000;
