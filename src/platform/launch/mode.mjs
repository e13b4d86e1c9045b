/** Loopback addresses. */
const loopback = /^(127(\.\d{1,3}){3}|localhost|::1|\[::1\])$/i;

/**
 * Whether a listener there is reachable from this machine only.
 * @param {string} host
 */
export function isLoopback(host) {
  return loopback.test(host);
}

/**
 * The missing mode. Development lets everybody sign in, accepts any card and moves the clock, so it is no default when
 * real data, real users or other machines may be involved.
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
