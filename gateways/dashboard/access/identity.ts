import type { Role } from '../../../src/kernel/rules/caller.ts';
import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import type { PageSession } from '../../../src/live/contracts/page-config.ts';
import type { Preferences } from '../../../src/tenants/rules/preferences.ts';
import { writeParameters } from '../address.ts';
import { readOnce, SESSION, TOKEN_KEY, userHeaders } from '../early/early.ts';
import { access } from './messages.ts';

/** A signed-in user of one tenant. The token is in the memory of the page, never in a URL. */
export type SignedIn = PageSession;

/** Sign-in failed; the message is shown to the user. */
export class SignInError extends Error {
  override name = 'SignInError';
}

/** Assumed expiry of tokens without one; the server decides. */
const UNKNOWN_LIFETIME_MS = 3_600_000;
/** Tolerated error of a browser's clock: whether a token has expired is decided by the server. */
const CLOCK_SLACK_MS = 900_000;

/** A user with a token entered by hand; it ends with the tab. */
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

/** Uses an access token entered by hand, for example from `npm run token`. */
export function useToken(token: string, tenantId: TenantId): SignedIn {
  const user = { token, tenantId, expiresAt: expiryOf(token) ?? Date.now() + UNKNOWN_LIFETIME_MS };
  sessionStorage.setItem(TOKEN_KEY, JSON.stringify(user));
  return user;
}

/**
 * Redirects to the issuer through the service, which has the client secret, and the session afterwards.
 *
 * @param hint names a demo user, whom the development issuer signs in at once
 */
export function beginSignIn(tenantId: TenantId, hint?: string): void {
  const parameters = new URLSearchParams({ tenant: tenantId, ...(hint !== undefined && { hint }) });
  location.assign(`/auth/sign-in?${parameters.toString()}`);
}

/**
 * The user of this browser's session, if any, with a fresh token.
 *
 * @throws SignInError when a sign-in has just failed
 */
export async function sessionUser(): Promise<SignedIn | undefined> {
  const failure = new URLSearchParams(location.search).get('sign-in');
  if (failure !== null) {
    writeParameters({ 'sign-in': undefined }, 'replace');
    throw new SignInError(access.reasons[failure] ?? access.signInFailed);
  }
  const response = await readOnce(SESSION).catch(() => undefined);
  return response?.status === 200 ? ((await response.json()) as SignedIn) : undefined;
}

/** The user with a token that has not expired, where the session still gives one: no connection of a page renews it. */
export async function freshUser(user: SignedIn): Promise<SignedIn> {
  return user.expiresAt < Date.now() ? ((await sessionUser()) ?? user) : user;
}

/** Who a token is of, so that drafts of one user are not shown to another; empty for opaque tokens. */
export function tokenSubject({ token }: SignedIn): string {
  const subject = claimOf(token, 'sub');
  return typeof subject === 'string' ? subject : '';
}

/** Role and preferences of a user; `undefined` where the service names none, and then the page opens without. */
export async function knownOf(user: SignedIn): Promise<Pick<SignedIn, 'role' | 'preferences'>> {
  const response = await fetch('/auth/role', { headers: userHeaders(user) }).catch(() => undefined);
  if (!response?.ok) return {};
  const { role, preferences } = (await response.json()) as { role: Role | null; preferences?: Preferences };
  return { ...(role !== null && { role }), ...(preferences && { preferences }) };
}

/** `exp` of a JWT in milliseconds; `undefined` for opaque tokens. Used only to warn users in time. */
function expiryOf(token: string): number | undefined {
  const exp = claimOf(token, 'exp');
  return typeof exp === 'number' ? exp * 1000 : undefined;
}

/** A claim of a JWT, unchecked; `undefined` for opaque tokens. */
function claimOf(token: string, name: string): unknown {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null ? Reflect.get(claims, name) : undefined;
  } catch {
    return undefined;
  }
}
