/** Addresses that only programs of this machine reach. */
const loopback = /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/i;

/**
 * Whether a service that listens there is reached from this machine only.
 * @param {string} host
 */
export function isLoopback(host) {
  return loopback.test(host);
}

/**
 * Mode that nobody has said: development lets everybody sign in, takes any card and moves the clock, so it is no default
 * as soon as real data, real users or other machines may be meant.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined} one line that says what to set, `undefined` where the mode is clear
 */
export function missingMode(env) {
  if (env.NODE_ENV) return undefined;
  const given = [
    ...(env.DATABASE_URL && !env.INNKEEPER_EMBEDDED_POSTGRES ? ['DATABASE_URL'] : []),
    ...(env.OIDC_ISSUER ? ['OIDC_ISSUER'] : []),
    ...(env.HOST && !isLoopback(env.HOST) ? [`HOST=${env.HOST}`] : []),
  ];
  if (given.length === 0) return undefined;
  return (
    `NODE_ENV: not set, and ${given.join(', ')} given: set NODE_ENV=production for real guests, ` +
    'or NODE_ENV=development for a trial (demo users, simulated payments, a clock that can be moved)'
  );
}
