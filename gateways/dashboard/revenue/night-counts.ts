/** Numbers of nights in the grid; the largest unless the address names another. */
export const NIGHT_COUNTS = [30, 60, 90] as const;
/** How many nights the grid shows. */
export type NightCount = (typeof NIGHT_COUNTS)[number];
