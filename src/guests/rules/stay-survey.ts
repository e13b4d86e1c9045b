import type { Instant } from '../../kernel/rules/property-time.ts';

/** A guest's answer about a stay that is over (docs/concepts/rooms.md#housekeeping). */
export type StaySurvey = {
  /** 1 (poor) to 5 (excellent). */
  rating: number;
  /** Free text; absent when the guest wrote none or was erased since. */
  comment?: string;
  answeredAt: Instant;
};
