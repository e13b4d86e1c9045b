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
import { markOf } from '../../src/tenants/contracts/person-key.ts';
import { MAX_SESSIONS_OF_PERSON } from '../../src/tenants/contracts/person.ts';
import type { VerifiedUser } from '../../src/tenants/operations/invite-users.ts';
import type { BrowserSessionStore, OwnSession, SessionPlace, WhichSessions } from '../../src/tenants/ports.ts';
import type { PersonId } from '../../src/tenants/rules/preferences.ts';
import type { SessionCookies } from './session-cookie.ts';
import { verifiedUser } from './verified-user.ts';

type SignInSettings = {
  issuer: string;
  client: { id: string; secret?: string };
  /** Audience to request, where an issuer makes tokens for many services. */
  audience: string;
  /** Storage of sessions beyond the life of this process. */
  store: BrowserSessionStore;
  /** Encrypts tokens and sign-in state: only nodes of this installation can read them. */
  sealed: SealedText;
  /** Creates cookies, and recognizes its own without reading the store. */
  cookies: SessionCookies;
  /** Called before the session is stored, for a user whose mail address the issuer has verified. */
  onVerified?(tenantId: TenantId, who: VerifiedUser): Promise<void>;
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

/** Longest duration of a sign-in. */
export const SIGN_IN_MS = 10 * 60_000;
/** A session ends after this time without use, and after a day in any case. */
export const SESSION_MS = 12 * 3_600_000;
const REFRESH_BEFORE_MS = 60_000;
const ISSUER_TIMEOUT_SECONDS = 5;
/**
 * How long another node may take to renew a session: twice the issuer's time limit, since a node may die during it.
 */
const RENEWAL_CLAIM_MS = 2 * ISSUER_TIMEOUT_SECONDS * 1000;
const LOOK_MS = 100;
const DEFAULT_LIFETIME_SECONDS = 300;
/** Remembered ended sessions, whose cookies are no longer looked up. An ended session never comes back. */
const MAX_GONE = 10_000;
/** How often the use of a session is noted at most. */
const NOTED_EVERY_MS = 60_000;
/** Sessions whose use was noted within that time: others are noted once more. */
const MAX_NOTED = 10_000;
/** Minimum interval between attempts to discover an issuer that could not be reached. */
const DISCOVERY_COOLDOWN_MS = 1_000;
/** Concurrent and waiting code exchanges: each is a request to the issuer. */
const EXCHANGES = { concurrent: 8, waiting: 64 };
/** Longest sealed state of a sign-in, with a margin. */
const MAX_SIGNING_IN = 2_000;
const SIGNING_IN = 'signing in';

/**
 * Sessions of browsers: authorization code with PKCE (RFC 7636) by openid-client. The browser has a cookie that
 * scripts cannot read and that only says where to look; tokens are stored encrypted in a table. So users stay signed
 * in over a restart and on every node, and a sign-out takes effect everywhere. A cookie with the tokens would need no
 * table, but could not be revoked, and two nodes could not share a single-use refresh token.
 *
 * The state of a sign-in is in an encrypted cookie: it lives for minutes, and any node may complete it.
 */
export class BrowserSessions {
  readonly #settings: SignInSettings;
  readonly #refreshBeforeMs: number;
  readonly #refreshing = new Map<string, Promise<Session | undefined>>();
  readonly #finding = new Map<string, Promise<Session | undefined>>();
  readonly #gone = new LRUCache<string, true>({ max: MAX_GONE });
  readonly #noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: NOTED_EVERY_MS });
  readonly #exchanges = bulkhead(EXCHANGES.concurrent, EXCHANGES.waiting);
  #issuer: Promise<Configuration> | undefined;

  /** @param refreshBeforeMs how long before its expiry a token is refreshed */
  constructor(settings: SignInSettings, refreshBeforeMs = REFRESH_BEFORE_MS) {
    this.#settings = settings;
    this.#refreshBeforeMs = refreshBeforeMs;
  }

  /**
   * Starts a sign-in.
   *
   * @returns where to send the browser, and the state that it must return in a cookie
   * @throws Error when the issuer cannot be reached
   */
  async begin(tenantId: TenantId, redirectUri: string, hint?: string): Promise<{ url: string; browser: string }> {
    const issuer = await this.#discovered();
    const verifier = randomPKCECodeVerifier();
    const state = randomState();
    const url = buildAuthorizationUrl(issuer, {
      redirect_uri: redirectUri,
      scope: 'openid email',
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
   * Completes a sign-in.
   *
   * @param query of the callback, with `code` and `state`
   * @param browser the state that `begin` gave this browser: an answer to another browser is refused
   * @returns the cookie of the new session, and its access token
   * @throws Error when the issuer refused, or the answer is not for this browser
   */
  async finish(query: URLSearchParams, browser = ''): Promise<{ cookie: string; token: string }> {
    if (browser === '' || browser.length > MAX_SIGNING_IN)
      throw new Error('the sign-in was not started by this browser');
    const pending = signingIn.parse(JSON.parse(this.#settings.sealed.open(browser, SIGNING_IN)));
    if (pending.until < Date.now()) throw new Error('the sign-in was started too long ago');
    const answer = new URL(`${pending.redirectUri}?${query.toString()}`);
    const checks = { pkceCodeVerifier: pending.verifier, expectedState: pending.state };
    const issuer = await this.#discovered();
    const tokens = await this.#exchanges.execute(() => authorizationCodeGrant(issuer, answer, checks));
    const who = verifiedUser(this.#settings.issuer, tokens.claims());
    if (who) await this.#settings.onVerified?.(pending.tenantId, who);
    const { cookie, place } = this.#settings.cookies.make(pending.tenantId);
    const begun = sessionOf(tokens);
    await this.#settings.store.store(place, this.#stored(place, begun));
    return { cookie, token: begun.token };
  }

  /** Where the session of a cookie is stored; `undefined` for a cookie of another origin. */
  placeOf(cookie: string | undefined): SessionPlace | undefined {
    return this.#settings.cookies.placeOf(cookie);
  }

  /**
   * The session with a token that is valid for a while; `undefined` when there is none. The store is read for own
   * cookies only, once at a time per cookie, and never again after the session has ended.
   */
  async current(cookie: string | undefined): Promise<PageSession | undefined> {
    const place = this.placeOf(cookie);
    const found = place && (await this.#findOnce(place));
    if (place === undefined || found === undefined) return undefined;
    const { token, expiresAt } = await this.#fresh(place, found);
    return expiresAt > Date.now() ? { tenantId: place.tenantId, token, expiresAt } : undefined;
  }

  /** Notes whose session it is and that it is used from a browser, at most once a minute. */
  async used(
    cookie: string | undefined,
    session: PageSession,
    by: { person: PersonId; browser: string },
  ): Promise<void> {
    const place = this.placeOf(cookie);
    if (place === undefined || this.#noted.has(place.id)) return;
    this.#noted.set(place.id, true);
    const token = { mark: markOf(session.token), endsAt: session.expiresAt };
    await this.#settings.store.used(place, { ...by, token });
  }

  /** Sessions of a person in all tenants, the last used first. */
  ofPerson(person: PersonId): Promise<OwnSession[]> {
    return this.#settings.store.ofPerson(person, MAX_SESSIONS_OF_PERSON);
  }

  /**
   * Ends one session of a person, or all others. Their access tokens are refused from then on
   * (docs/reference/own-settings.md#sessions).
   *
   * @returns how many were ended
   */
  async endOfPerson(person: PersonId, which: WhichSessions): Promise<number> {
    const ended = await this.#settings.store.endOfPerson(person, which);
    for (const { sealed, ...place } of ended) {
      this.#gone.set(place.id, true);
      void this.#revoke(place, sealed);
    }
    return ended.length;
  }

  /** Ends the session on every node, and revokes its refresh token at the issuer. */
  async end(cookie: string | undefined): Promise<void> {
    const place = this.placeOf(cookie);
    if (place === undefined || this.#gone.has(place.id)) return;
    const ended = await this.#settings.store.end(place);
    this.#gone.set(place.id, true);
    await this.#revoke(place, ended);
  }

  /** The session has ended even if the issuer is away or does not revoke. */
  async #revoke(place: SessionPlace, sealed: string | undefined): Promise<void> {
    const refreshToken = this.#opened(place, sealed)?.refreshToken;
    if (refreshToken !== undefined)
      await this.#exchanges
        .execute(async () => tokenRevocation(await this.#discovered(), refreshToken))
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
    // The user may have signed out during the request.
    return this.#gone.has(place.id) ? undefined : this.#opened(place, sealed);
  }

  async #find(place: SessionPlace): Promise<Session | undefined> {
    return this.#opened(place, await this.#settings.store.find(place));
  }

  async #fresh(place: SessionPlace, found: Session): Promise<Session> {
    if (found.refreshToken === undefined || !this.#endsSoon(found)) return found;
    // Refresh tokens are single-use: concurrent tabs share the answer.
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
      // Another request renewed the session between the read and the claim, and has used the refresh token.
      await store.renew(place, this.#stored(place, found));
      return found;
    }
    try {
      const tokens = await refreshTokenGrant(await this.#discovered(), refreshToken);
      const renewed = { refreshToken, ...sessionOf(tokens) };
      await store.renew(place, this.#stored(place, renewed));
      return renewed;
    } catch (refused) {
      // The issuer has ended the session. If it is only away, the next request tries again.
      if (refused instanceof ResponseBodyError && refused.error === 'invalid_grant') await store.end(place);
      return undefined;
    }
  }

  /** The tokens that another node or a faster request got for the refresh token. */
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
    const token = { mark: markOf(session.token), endsAt: session.expiresAt };
    return { sealed, endsAt: Date.now() + SESSION_MS, token };
  }

  /** A record that cannot be decrypted (its key is gone, or it was changed) counts as no session. */
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
