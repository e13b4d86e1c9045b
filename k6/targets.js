/**
 * Performance targets (docs/operations/health.md#metrics), in milliseconds at the 95th percentile; `live` is our own: a
 * change is visible a quarter of a second after its commit.
 */
export const TARGETS = { service: 500, create: 2_000, modify: 1_000, checkin: 30_000, live: 250 };

/**
 * Our own goals, stricter than the targets: thresholds of an endpoint that count where GOALS is set, as `npm run load`
 * does. They depend on the machine, so they are reported and fail nothing.
 */
export const GOALS = {
  create: ['p(99)<50'],
  list: ['p(95)<20'],
  offers: ['p(99)<10'],
};

const hasGoals = typeof __ENV !== 'undefined' && Boolean(__ENV.GOALS);

/** Maximum share of failed requests, and of unexpected answers. */
const MAX_FAILURES = 0.001;

/**
 * Thresholds of a script: for each endpoint the target of that name, or the general one, and at least one request, since
 * k6 calls percentiles of nothing met; failures; and no dropped iteration, since unsent requests would be missing in the
 * percentiles.
 */
export function thresholds(endpoints) {
  return {
    ...Object.fromEntries(endpoints.map((endpoint) => [`http_reqs{endpoint:${endpoint}}`, ['count>0']])),
    ...Object.fromEntries(
      endpoints.map((endpoint) => [
        `http_req_duration{endpoint:${endpoint}}`,
        [`p(95)<${TARGETS[endpoint] || TARGETS.service}`, ...((hasGoals && GOALS[endpoint]) || [])],
      ]),
    ),
    http_req_failed: [`rate<${MAX_FAILURES}`],
    checks: [`rate>${1 - MAX_FAILURES}`],
    dropped_iterations: ['count<1'],
  };
}
