import type { BehindBreaker } from './breaker.ts';
import type { Delivery } from './delivery.ts';

/** A report on its way, as JSON. The same report has the same key at each try: who gets it twice has it once. */
export type Push = { key: string; body: object };

/** Whoever analyses reports elsewhere (`ANALYTICS_URL`, docs/concepts/night-audit.md#push). */
export interface AnalyticsService extends BehindBreaker {
  push(push: Push, signal: AbortSignal): Promise<Delivery>;
}
