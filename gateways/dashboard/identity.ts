import type { PageConfig } from '../../src/contracts/page-config.ts';

/** A signed-in user of one tenant. The token lives in sessionStorage: it ends with the tab and is in no URL. */
export type SignedIn = { token: string; tenantId: string; expiresAt: number };

type Pending = { state: string; verifier: string; tenantId: string; tokenEndpoint: string };

/** Signing in did not work; the message is for the person at the screen. */
export class SignInError extends Error {
  override name = 'SignInError';
}

const TOKEN_KEY = 'innkeeper.signed-in';
const PENDING_KEY = 'innkeeper.signing-in';
/** Taken for tokens that do not say when they expire; the server knows better and will tell. */
const UNKNOWN_LIFETIME_MS = 3_600_000;

/** The user of this tab, unless the token has expired. */
export function signedIn(): SignedIn | undefined {
  const kept = read(TOKEN_KEY) as SignedIn | undefined;
  return kept && kept.expiresAt > Date.now() ? kept : undefined;
}

export function signOut(): void {
  sessionStorage.removeItem(TOKEN_KEY);
}

/** Takes an access token that somebody brought along, from `npm run token` for example. */
export function useToken(token: string, tenantId: string): SignedIn {
  return keep({ token, tenantId, expiresAt: expiryOf(token) ?? Date.now() + UNKNOWN_LIFETIME_MS });
}

/**
 * Leaves for the issuer: authorization code with PKCE (RFC 7636), without a secret.
 *
 * @param hint names a demo user, whom the development issuer signs in at once
 * @throws SignInError when the issuer cannot be reached or this is no secure page
 */
export async function beginSignIn(config: PageConfig, tenantId: string, hint?: string): Promise<void> {
  const { authorization_endpoint: authorize, token_endpoint: tokenEndpoint } = await discover(config.issuer);
  if (!crypto.subtle) throw new SignInError('Signing in needs https, or this machine’s own address.');
  const [verifier, state] = [randomText(), randomText()];
  sessionStorage.setItem(PENDING_KEY, JSON.stringify({ state, verifier, tenantId, tokenEndpoint } satisfies Pending));
  const url = new URL(authorize);
  const parameters = {
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri(),
    scope: 'openid',
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    audience: config.audience,
    ...(config.resource !== undefined && { resource: config.resource }),
    ...(hint !== undefined && { login_hint: hint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/**
 * Takes the issuer's answer out of the address, if there is one, and exchanges the code for a token.
 *
 * @throws SignInError when the issuer refused, or the answer is not for this tab
 */
export async function finishSignIn(config: PageConfig): Promise<SignedIn | undefined> {
  const answer = new URLSearchParams(location.search);
  const [code, state, error] = [answer.get('code'), answer.get('state'), answer.get('error')];
  if (code === null && error === null) return undefined;
  // Neither the code nor an error shall stay in the history or be sent again by a reload.
  history.replaceState(null, '', location.pathname);
  const pending = read(PENDING_KEY) as Pending | undefined;
  sessionStorage.removeItem(PENDING_KEY);
  if (error !== null) throw new SignInError(`Signing in was refused: ${answer.get('error_description') ?? error}.`);
  if (!pending || pending.state !== state) throw new SignInError('Please sign in once more.');
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: code!,
    redirect_uri: redirectUri(),
    client_id: config.clientId,
    code_verifier: pending.verifier,
    ...(config.resource !== undefined && { resource: config.resource }),
  });
  const response = await reach(pending.tokenEndpoint, { method: 'POST', body });
  const answered: unknown = await response.json().catch(() => undefined);
  const token = textOf(answered, 'access_token');
  if (!response.ok || token === undefined)
    throw new SignInError('The sign-in service gave no token. Please try again.');
  const seconds: unknown = Reflect.get(answered as object, 'expires_in');
  const lifetimeMs = typeof seconds === 'number' ? seconds * 1000 : UNKNOWN_LIFETIME_MS;
  return keep({ token, tenantId: pending.tenantId, expiresAt: expiryOf(token) ?? Date.now() + lifetimeMs });
}

/** `exp` of a JWT in milliseconds; `undefined` for opaque tokens. Only for telling people in time. */
export function expiryOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const exp: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'exp') : undefined;
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

async function discover(issuer: string): Promise<{ authorization_endpoint: string; token_endpoint: string }> {
  const response = await reach(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const found: unknown = await response.json().catch(() => undefined);
  const [authorize, token] = [textOf(found, 'authorization_endpoint'), textOf(found, 'token_endpoint')];
  if (authorize === undefined || token === undefined) throw new SignInError('The sign-in service does not answer.');
  return { authorization_endpoint: authorize, token_endpoint: token };
}

async function reach(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch {
    throw new SignInError('The sign-in service cannot be reached.');
  }
}

function keep(user: SignedIn): SignedIn {
  sessionStorage.setItem(TOKEN_KEY, JSON.stringify(user));
  return user;
}

/** What this page itself has stored. */
function read(key: string): unknown {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}

function textOf(from: unknown, name: string): string | undefined {
  const value: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function redirectUri(): string {
  return `${location.origin}/`;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
