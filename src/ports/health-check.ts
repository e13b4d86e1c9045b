/** Spring Boot's states of a component (docs/operations/health.md#health). */
export const HEALTH_STATES = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** What one component says of itself; `details` are shown to operators only, and hold no secrets all the same. */
export type Health = { status: HealthState; details?: Record<string, unknown> };

/** One component of `/actuator/health`. */
export interface HealthCheck {
  /** Whether the process is DOWN without it; partners and brokers degrade only their own entry. */
  readonly essential: boolean;
  /** Asks the component now. Throwing counts as DOWN; an answer is waited for 2 s. */
  check(): Promise<Health>;
}
