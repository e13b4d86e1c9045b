import type { Instant } from '../../kernel/rules/property-time.ts';

/** What a guest thought of a stay that is over (docs/concepts/rooms.md#housekeeping). */
export type StaySurvey = {
  /** 1 (poor) to 5 (excellent). */
  rating: number;
  /** In the guest's own words; none when he wrote none or was forgotten since. */
  comment?: string;
  answeredAt: Instant;
};
