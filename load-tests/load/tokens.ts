/** When the first of some access tokens expires, in milliseconds since 1970; `undefined` where none of them says so. */
export function firstExpiry(tokens: string): number | undefined {
  const times = tokens.split(',').flatMap((token) => expiryOf(token) ?? []);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/**
 * What is wrong with tokens for a run that ends at `endsAt`, and what to do; `undefined` when they last.
 * @param endsAt milliseconds since 1970
 */
export function tokenProblem(tokens: string, now: number, endsAt: number): string | undefined {
  const expiry = firstExpiry(tokens);
  if (expiry === undefined || expiry >= endsAt) return undefined;
  const at = new Date(expiry).toISOString();
  const what = expiry <= now ? `a token expired at ${at}` : `a token expires in the run, at ${at}`;
  return `${what}: give one that lasts until ${new Date(endsAt).toISOString()}, or choose fewer seconds`;
}

/** Reads `exp` without verifying: the service does that. Opaque tokens have none. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
}
