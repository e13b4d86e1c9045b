/**
 * Performance targets (docs/operations/health.md#metrics), in milliseconds at the 95th percentile; `live` is our own: a
 * change is visible a quarter of a second after its commit.
 */
export const TARGETS = { service: 500, create: 2_000, modify: 1_000, checkin: 30_000, live: 250 };

/** Maximum share of failed requests, and of unexpected answers. */
const MAX_FAILURES = 0.001;

/**
 * Thresholds of a script: for each endpoint the target of that name, or the general one; failures; and no dropped
 * iteration, since unsent requests would be missing in the percentiles.
 */
export function thresholds(endpoints) {
  return {
    ...Object.fromEntries(
      endpoints.map((endpoint) => [
        `http_req_duration{endpoint:${endpoint}}`,
        [`p(95)<${TARGETS[endpoint] || TARGETS.service}`],
      ]),
    ),
    http_req_failed: [`rate<${MAX_FAILURES}`],
    checks: [`rate>${1 - MAX_FAILURES}`],
    dropped_iterations: ['count<1'],
  };
}
