import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import type { PageSession } from '../../../src/live/contracts/page-config.ts';
import { access } from './messages.ts';

/** A signed-in user of one tenant. The token is in the memory of the page, and in no URL. */
export type SignedIn = PageSession;

/** Signing in did not work; the message is for the person at the screen. */
export class SignInError extends Error {
  override name = 'SignInError';
}

const TOKEN_KEY = 'innkeeper.signed-in';
/** Assumed expiry of tokens without one; the server decides. */
const UNKNOWN_LIFETIME_MS = 3_600_000;
/** The clock of a browser may be so wrong: whether a token is over is for the server to say. */
const CLOCK_SLACK_MS = 900_000;

/** A user who brought a token along: it ends with the tab. */
export function signedIn(): SignedIn | undefined {
  const text = sessionStorage.getItem(TOKEN_KEY);
  const stored = text === null ? undefined : (JSON.parse(text) as SignedIn);
  return stored && stored.expiresAt + CLOCK_SLACK_MS > Date.now() ? stored : undefined;
}

/** Ends the session, also on the server. */
export async function signOut(): Promise<void> {
  sessionStorage.removeItem(TOKEN_KEY);
  await fetch('/auth/sign-out', { method: 'POST', keepalive: true }).catch(() => undefined);
}

/** Takes an access token that somebody brought along, from `npm run token` for example. */
export function useToken(token: string, tenantId: TenantId): SignedIn {
  const user = { token, tenantId, expiresAt: expiryOf(token) ?? Date.now() + UNKNOWN_LIFETIME_MS };
  sessionStorage.setItem(TOKEN_KEY, JSON.stringify(user));
  return user;
}

/**
 * Leaves for the issuer, by way of our server: it has the secrets of the sign-in, and the session afterwards.
 *
 * @param hint names a demo user, whom the development issuer signs in at once
 */
export function beginSignIn(tenantId: TenantId, hint?: string): void {
  const parameters = new URLSearchParams({ tenant: tenantId, ...(hint !== undefined && { hint }) });
  location.assign(`/auth/sign-in?${parameters.toString()}`);
}

/**
 * The user of the session that this browser has, if any; its token is fresh.
 *
 * @throws SignInError when signing in has just failed
 */
export async function sessionUser(): Promise<SignedIn | undefined> {
  const failure = new URLSearchParams(location.search).get('sign-in');
  if (failure !== null) {
    history.replaceState(null, '', location.pathname);
    throw new SignInError(access.reasons[failure] ?? access.signInFailed);
  }
  const response = await fetch('/auth/session').catch(() => undefined);
  return response?.status === 200 ? ((await response.json()) as SignedIn) : undefined;
}

/** `exp` of a JWT in milliseconds; `undefined` for opaque tokens. Only for warning users in time. */
function expiryOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const exp: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'exp') : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
