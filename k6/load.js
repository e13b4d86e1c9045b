/** Load: RATE iterations a second for DURATION (`30s`, `2m`), the same for all scenarios of a script. */
const DURATION = __ENV.DURATION || '30s';
const UNIT_SECONDS = { s: 1, m: 60, h: 3_600 };

/** Iterations a second, by default `usual`. */
export function rateOr(usual) {
  return Number(__ENV.RATE || usual);
}

export const SECONDS = secondsOf(DURATION);

/** Iterations begin on schedule whether earlier ones have ended or not, so that a slow service gets the full load. */
export function arrivals(exec, rate, more = {}) {
  return {
    executor: 'constant-arrival-rate',
    exec,
    rate,
    timeUnit: '1s',
    duration: DURATION,
    preAllocatedVUs: Math.max(20, Math.ceil(rate * 3)),
    ...more,
  };
}

function secondsOf(duration) {
  const parts = [...duration.matchAll(/(\d+)([smh])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration)
    throw new Error(`DURATION is ${duration}; say 30s, 2m or 1m30s`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit], 0);
}
