/** What the scripts share: where the service listens, tokens for it, and dates to come. */
export const dev = JSON.parse(open(__ENV.DEV_FILE || '../.data/dev.json'));

export const PROPERTY = __ENV.PROPERTY || 'harbor-hotel';
export const ROOM_TYPES = ['STD', 'DLX', 'STE'];

/** Headers of a member of the tenant demo. */
export function headers(role) {
  return {
    Authorization: `Bearer ${dev.tokens.demo[role]}`,
    'X-Tenant-ID': 'demo',
    'Content-Type': 'application/json',
  };
}

/** The date `n` days from now. */
export function day(n) {
  return new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
}

/** A smoke test: long enough to see percentiles, short enough for every day. */
export const smoke = { executor: 'constant-vus', vus: Number(__ENV.VUS || 4), duration: __ENV.DURATION || '20s' };

/** Between two quotes of a user: a smoke test measures times, it does not run into the limit of a subject. */
export const PAUSE_SECONDS = 0.02;
