/** Pace of the guests of the demo: none come, as in a real hotel, or 60 times as fast. */
export const DEMO_PACES = ['OFF', 'REAL', 'FAST'] as const;
export type DemoPace = (typeof DEMO_PACES)[number];

/** How much faster than the clock the guests live. */
export const PACE_FACTORS: Record<DemoPace, number> = { OFF: 0, REAL: 1, FAST: 60 };
