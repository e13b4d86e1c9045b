import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  type Configuration,
  discovery,
  None,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client';
import type { PageSession } from '../../src/contracts/page-config.ts';

export type SignInSettings = {
  issuer: string;
  client: { id: string; secret?: string };
  /** Asked for by name where an issuer makes tokens for many services. */
  audience: string;
};

type Session = PageSession & { refreshToken?: string };
type Pending = { verifier: string; tenantId: string; redirectUri: string; browser: string };

/** Sign-ins that were begun, and sessions; the oldest go when there are more. */
const MAX_PENDING = 5_000;
const MAX_SESSIONS = 20_000;
/** Somebody who takes longer to sign in begins again. */
export const SIGN_IN_MS = 10 * 60_000;
/** A session nobody has used for so long is over, and at the end of a day every one. */
export const SESSION_MS = 12 * 3_600_000;
const REFRESH_BEFORE_MS = 60_000;
const ISSUER_TIMEOUT_SECONDS = 5;
const DEFAULT_LIFETIME_SECONDS = 300;
const SECRET_BYTES = 32;

/**
 * Sessions of browsers: authorization code with PKCE (RFC 7636) by openid-client. Refresh tokens stay here; the browser
 * has a cookie that no script can read.
 */
export class BrowserSessions {
  readonly #settings: SignInSettings;
  readonly #refreshBeforeMs: number;
  readonly #pending = new LRUCache<string, Pending>({ max: MAX_PENDING, ttl: SIGN_IN_MS });
  readonly #sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS, ttl: SESSION_MS });
  readonly #refreshing = new Map<string, Promise<Session | undefined>>();
  #issuer: Promise<Configuration> | undefined;

  /** @param refreshBeforeMs how long before its end a token is exchanged for a new one */
  constructor(settings: SignInSettings, refreshBeforeMs = REFRESH_BEFORE_MS) {
    this.#settings = settings;
    this.#refreshBeforeMs = refreshBeforeMs;
  }

  /**
   * Begins to sign in.
   *
   * @returns where to send the browser, and what it must bring back in a cookie
   * @throws Error when the issuer cannot be reached
   */
  async begin(tenantId: string, redirectUri: string, hint?: string): Promise<{ url: string; browser: string }> {
    const issuer = await this.#discovered();
    const [verifier, state, browser] = [randomPKCECodeVerifier(), randomState(), secret()];
    const url = buildAuthorizationUrl(issuer, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      audience: this.#settings.audience,
      ...(hint !== undefined && { login_hint: hint }),
    });
    this.#pending.set(state, { verifier, tenantId, redirectUri, browser });
    return { url: url.href, browser };
  }

  /**
   * Takes the issuer's answer.
   *
   * @param query of the callback, with `code` and `state`
   * @param browser what `begin` gave this browser: an answer that was begun elsewhere signs nobody in
   * @returns the id of the session
   * @throws Error when the issuer refused, or the answer is not for this browser
   */
  async finish(query: URLSearchParams, browser: string | undefined): Promise<string> {
    const state = query.get('state') ?? '';
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    if (pending === undefined || pending.browser !== browser) throw new Error('not begun by this browser');
    const answer = new URL(`${pending.redirectUri}?${query.toString()}`);
    const tokens = await authorizationCodeGrant(await this.#discovered(), answer, {
      pkceCodeVerifier: pending.verifier,
      expectedState: state,
    });
    const id = secret();
    this.#sessions.set(id, sessionOf(tokens, pending.tenantId));
    return id;
  }

  /** The session, with a token that lasts for a while; `undefined` when there is none, or no more. */
  async current(id: string | undefined): Promise<PageSession | undefined> {
    if (id === undefined) return undefined;
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    const { tenantId, token, expiresAt } = await this.#fresh(id, session);
    if (expiresAt > Date.now()) return { tenantId, token, expiresAt };
    this.#sessions.delete(id);
    return undefined;
  }

  /** Forgets the session here, and its refresh token at the issuer. */
  async end(id: string | undefined): Promise<void> {
    const refreshToken = this.#sessions.get(id ?? '')?.refreshToken;
    this.#sessions.delete(id ?? '');
    // An issuer that is away, or that revokes nothing, keeps nobody signed in here.
    if (refreshToken !== undefined)
      await tokenRevocation(await this.#discovered(), refreshToken).catch(() => undefined);
  }

  async #fresh(id: string, session: Session): Promise<Session> {
    if (session.refreshToken === undefined || session.expiresAt - Date.now() > this.#refreshBeforeMs) return session;
    // Refresh tokens are used once: tabs that ask at the same moment share the answer.
    let running = this.#refreshing.get(id);
    if (running === undefined) {
      running = this.#refreshed(session.refreshToken, session).finally(() => this.#refreshing.delete(id));
      this.#refreshing.set(id, running);
    }
    const renewed = await running;
    // Whoever signed out meanwhile stays signed out.
    if (renewed !== undefined && this.#sessions.has(id)) this.#sessions.set(id, renewed);
    return renewed ?? session;
  }

  async #refreshed(refreshToken: string, { tenantId }: Session): Promise<Session | undefined> {
    try {
      const tokens = await refreshTokenGrant(await this.#discovered(), refreshToken);
      return { refreshToken, ...sessionOf(tokens, tenantId) };
    } catch {
      return undefined;
    }
  }

  #discovered(): Promise<Configuration> {
    this.#issuer ??= this.#discover().catch((error: unknown) => {
      this.#issuer = undefined;
      throw error;
    });
    return this.#issuer;
  }

  #discover(): Promise<Configuration> {
    const { issuer, client } = this.#settings;
    const url = new URL(issuer);
    const method = client.secret === undefined ? None() : ClientSecretBasic(client.secret);
    const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
    return discovery(url, client.id, undefined, method, { execute, timeout: ISSUER_TIMEOUT_SECONDS });
  }
}

function sessionOf(tokens: TokenEndpointResponse, tenantId: string): Session {
  const { access_token: token, expires_in: seconds = DEFAULT_LIFETIME_SECONDS, refresh_token: refreshToken } = tokens;
  return {
    ...{ tenantId, token, expiresAt: Date.now() + seconds * 1000 },
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
