import { bulkhead } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
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
  ResponseBodyError,
  type TokenEndpointResponse,
  tokenRevocation,
} from 'openid-client';
import { z } from 'zod';

import type { SealedText } from '../../src/kernel/operations/sealed-text.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { PageSession } from '../../src/live/contracts/page-config.ts';
import type { BrowserSessionStore, SessionPlace } from '../../src/tenants/ports.ts';
import type { SessionCookies } from './session-cookie.ts';

type SignInSettings = {
  issuer: string;
  client: { id: string; secret?: string };
  /** Requested by name where an issuer makes tokens for many services. */
  audience: string;
  /** Where sessions outlive this process. */
  store: BrowserSessionStore;
  /** Makes tokens and sign-ins under way unreadable for everybody but the nodes of this installation. */
  sealed: SealedText;
  /** Makes cookies, and recognizes ours without reading the store. */
  cookies: SessionCookies;
};

const session = z.object({
  token: z.string(),
  expiresAt: z.number(),
  refreshToken: z.string().optional(),
});
type Session = z.infer<typeof session>;

const signingIn = z.object({
  verifier: z.string(),
  state: z.string(),
  tenantId: z.string(),
  redirectUri: z.string(),
  until: z.number(),
});

/** Somebody who takes longer to sign in begins again. */
export const SIGN_IN_MS = 10 * 60_000;
/** A session nobody has used for so long is over, and at the end of a day every one. */
export const SESSION_MS = 12 * 3_600_000;
const REFRESH_BEFORE_MS = 60_000;
const ISSUER_TIMEOUT_SECONDS = 5;
/** Another node that renews a session is given so long: twice the issuer's time, since a node may die over it. */
const RENEWAL_CLAIM_MS = 2 * ISSUER_TIMEOUT_SECONDS * 1000;
const LOOK_MS = 100;
const DEFAULT_LIFETIME_SECONDS = 300;
/** Sessions known to be gone: their cookies are not looked up any more. A session that is gone never comes back. */
const MAX_GONE = 10_000;
/** After the issuer could not be found, the next sign-in retries only after this. */
const DISCOVERY_COOLDOWN_MS = 1_000;
/** Answers of the issuer that are exchanged at a time, and those that wait: each is a request to it. */
const EXCHANGES = { concurrent: 8, waiting: 64 };
/** What a sign-in under way weighs, with room. */
const MAX_SIGNING_IN = 2_000;
const SIGNING_IN = 'signing in';

/**
 * Sessions of browsers: authorization code with PKCE (RFC 7636) by openid-client. The browser has a cookie that no
 * script can read and that says nothing but where to look; tokens are in a table, sealed. So people stay signed in over
 * a restart and on every node, and a sign-out holds everywhere. A cookie that holds the tokens itself would
 * need no table, and could not be taken back from who has a copy; nor could two nodes share a refresh token, which is
 * good for one use.
 *
 * A sign-in under way is in a cookie, sealed: it lives for minutes, and any node may get its end.
 */
export class BrowserSessions {
  readonly #settings: SignInSettings;
  readonly #refreshBeforeMs: number;
  readonly #refreshing = new Map<string, Promise<Session | undefined>>();
  readonly #finding = new Map<string, Promise<Session | undefined>>();
  readonly #gone = new LRUCache<string, true>({ max: MAX_GONE });
  readonly #exchanges = bulkhead(EXCHANGES.concurrent, EXCHANGES.waiting);
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
  async begin(tenantId: TenantId, redirectUri: string, hint?: string): Promise<{ url: string; browser: string }> {
    const issuer = await this.#discovered();
    const verifier = randomPKCECodeVerifier();
    const state = randomState();
    const url = buildAuthorizationUrl(issuer, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      audience: this.#settings.audience,
      ...(hint !== undefined && { login_hint: hint }),
    });
    const pending = { verifier, state, tenantId, redirectUri, until: Date.now() + SIGN_IN_MS };
    return { url: url.href, browser: this.#settings.sealed.seal(JSON.stringify(pending), SIGNING_IN) };
  }

  /**
   * Takes the issuer's answer.
   *
   * @param query of the callback, with `code` and `state`
   * @param browser what `begin` gave this browser: an answer to another browser signs nobody in
   * @returns what the browser's cookie says from now on
   * @throws Error when the issuer refused, or the answer is not for this browser
   */
  async finish(query: URLSearchParams, browser = ''): Promise<string> {
    if (browser === '' || browser.length > MAX_SIGNING_IN) throw new Error('not begun by this browser');
    const pending = signingIn.parse(JSON.parse(this.#settings.sealed.open(browser, SIGNING_IN)));
    if (pending.until < Date.now()) throw new Error('begun too long ago');
    const answer = new URL(`${pending.redirectUri}?${query.toString()}`);
    const checks = { pkceCodeVerifier: pending.verifier, expectedState: pending.state };
    const issuer = await this.#discovered();
    const tokens = await this.#exchanges.execute(() => authorizationCodeGrant(issuer, answer, checks));
    const { cookie, place } = this.#settings.cookies.make(pending.tenantId);
    await this.#settings.store.keep(place, this.#stored(place, sessionOf(tokens)));
    return cookie;
  }

  /** Where the session of a cookie is stored; `undefined` for a cookie that this installation did not make. */
  placeOf(cookie: string | undefined): SessionPlace | undefined {
    return this.#settings.cookies.placeOf(cookie);
  }

  /**
   * The session, with a token that lasts for a while; `undefined` when there is none, or no more. The store is read
   * for cookies of ours only, once at a time for each of them, and never again for one whose session is gone.
   */
  async current(cookie: string | undefined): Promise<PageSession | undefined> {
    const place = this.placeOf(cookie);
    const found = place && (await this.#findOnce(place));
    if (place === undefined || found === undefined) return undefined;
    const { token, expiresAt } = await this.#fresh(place, found);
    return expiresAt > Date.now() ? { tenantId: place.tenantId, token, expiresAt } : undefined;
  }

  /** Forgets the session on every node, and its refresh token at the issuer. */
  async end(cookie: string | undefined): Promise<void> {
    const place = this.placeOf(cookie);
    if (place === undefined || this.#gone.has(place.id)) return;
    const ended = await this.#settings.store.end(place);
    this.#gone.set(place.id, true);
    const refreshToken = this.#opened(place, ended)?.refreshToken;
    // An issuer that is away, or that revokes nothing, keeps nobody signed in here.
    if (refreshToken !== undefined)
      await this.#discovered()
        .then((issuer) => tokenRevocation(issuer, refreshToken))
        .catch(() => undefined);
  }

  #findOnce(place: SessionPlace): Promise<Session | undefined> {
    if (this.#gone.has(place.id)) return Promise.resolve(undefined);
    const running = this.#finding.get(place.id);
    if (running !== undefined) return running;
    const finding = this.#look(place).finally(() => this.#finding.delete(place.id));
    this.#finding.set(place.id, finding);
    return finding;
  }

  async #look(place: SessionPlace): Promise<Session | undefined> {
    const sealed = await this.#settings.store.find(place);
    if (sealed === undefined) this.#gone.set(place.id, true);
    // Somebody may have signed out between the question and its answer.
    return this.#gone.has(place.id) ? undefined : this.#opened(place, sealed);
  }

  async #find(place: SessionPlace): Promise<Session | undefined> {
    return this.#opened(place, await this.#settings.store.find(place));
  }

  async #fresh(place: SessionPlace, found: Session): Promise<Session> {
    if (found.refreshToken === undefined || !this.#endsSoon(found)) return found;
    // Refresh tokens are used once: concurrent tabs share the answer.
    let running = this.#refreshing.get(place.id);
    if (running === undefined) {
      running = this.#renewed(place, found, found.refreshToken).finally(() => this.#refreshing.delete(place.id));
      this.#refreshing.set(place.id, running);
    }
    return (await running) ?? found;
  }

  async #renewed(place: SessionPlace, seen: Session, refreshToken: string): Promise<Session | undefined> {
    const { store } = this.#settings;
    if (!(await store.claim(place, RENEWAL_CLAIM_MS))) return this.#renewedByOthers(place, seen);
    const found = await this.#find(place);
    if (found !== undefined && found.token !== seen.token) {
      // Another request was faster between our read and our lock, and has used the refresh token that we know.
      await store.renew(place, this.#stored(place, found));
      return found;
    }
    try {
      const tokens = await refreshTokenGrant(await this.#discovered(), refreshToken);
      const renewed = { refreshToken, ...sessionOf(tokens) };
      await store.renew(place, this.#stored(place, renewed));
      return renewed;
    } catch (refused) {
      // The issuer has ended it. One that is away has not: the next request tries again.
      if (refused instanceof ResponseBodyError && refused.error === 'invalid_grant') await store.end(place);
      return undefined;
    }
  }

  /** What another node, or another request that was faster, got for the refresh token. */
  async #renewedByOthers(place: SessionPlace, seen: Session): Promise<Session | undefined> {
    for (const end = performance.now() + RENEWAL_CLAIM_MS; performance.now() < end; await pause(LOOK_MS)) {
      const found = await this.#find(place);
      if (found === undefined || found.token !== seen.token || found.expiresAt > Date.now()) return found;
    }
    return undefined;
  }

  #endsSoon({ expiresAt }: Session): boolean {
    return expiresAt - Date.now() <= this.#refreshBeforeMs;
  }

  #stored(place: SessionPlace, session: Session) {
    const sealed = this.#settings.sealed.seal(JSON.stringify(session), boundOf(place));
    return { sealed, endsAt: Date.now() + SESSION_MS };
  }

  /** What cannot be opened, because its key is gone or somebody has changed it, is no session. */
  #opened(place: SessionPlace, sealed: string | undefined): Session | undefined {
    try {
      return sealed === undefined
        ? undefined
        : session.parse(JSON.parse(this.#settings.sealed.open(sealed, boundOf(place))));
    } catch {
      return undefined;
    }
  }

  #discovered(): Promise<Configuration> {
    this.#issuer ??= this.#discover().catch((error: unknown) => {
      setTimeout(() => (this.#issuer = undefined), DISCOVERY_COOLDOWN_MS).unref();
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

function sessionOf(tokens: TokenEndpointResponse): Session {
  const { access_token: token, expires_in: seconds = DEFAULT_LIFETIME_SECONDS, refresh_token: refreshToken } = tokens;
  return { token, expiresAt: Date.now() + seconds * 1000, ...(refreshToken !== undefined && { refreshToken }) };
}

const boundOf = ({ tenantId, id }: SessionPlace): string => `browser session ${tenantId} ${id}`;
