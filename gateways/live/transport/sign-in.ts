import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Role } from '../../../src/kernel/rules/caller.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Language } from '../../../src/kernel/rules/languages.ts';
import { browserName } from '../../../src/tenants/rules/browser-name.ts';
import { type BrowserSessions, SESSION_MS, SIGN_IN_MS } from '../../auth/browser-sessions.ts';
import { stampedReply, stampedSlowly } from '../../http/admission/admission.ts';
import { countedAddress } from '../../http/admission/client-address.ts';
import type { RateLimits } from '../../http/admission/rate-limit.ts';
import type { LiveLog } from '../log.ts';
import { originAllowed } from './origin.ts';
import { type OwnSettingsOptions, preferencesBy, registerOwnSettings } from './own-settings.ts';

type SignInOptions = {
  sessions: BrowserSessions;
  /** Origins of the page as browsers see them. */
  origins: readonly string[];
  /** Counts foreign cookies and sign-ins by address. */
  limits: RateLimits;
  log: LiveLog;
  roleOf: RoleOf;
  /** Whose tokens they are, and what belongs to a person. */
  own: OwnSettingsOptions;
};

/** Role of the user of a token in a tenant; `undefined` for a token or a user that is refused. */
export type RoleOf = (token: string, tenantId: string, address: string) => Promise<Role | undefined>;

/** `__Host-`: https or localhost only, for this host alone; pages of other hosts cannot set it. */
const SESSION = '__Host-innkeeper-session';
const SIGNING_IN = '__Host-innkeeper-signing-in';
const CALLBACK = '/auth/callback';
const TENANT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;
const MAX_HINT = 200;
const AGAIN_SECONDS = 2;
/** A chosen language, as the page itself notes it. */
const LANGUAGE_SECONDS = 31_536_000;

/** None of these routes reads a body. */
const MAX_BODY_BYTES = 1_024;
const OPEN = { bodyLimit: MAX_BODY_BYTES, config: { access: { gate: 'open' as const } } };
/** Sign-in calls the issuer over the network, so frequent attempts are limited. */
const FOR_FEW = { ...OPEN, config: { access: { gate: 'link' as const } } };
type Query = Record<string, string | undefined>;

/**
 * Routes for signing in and out: `/auth/sign-in`, `/auth/callback`, `/auth/session`, `/auth/role`, `/auth/sign-out`, and
 * those of what belongs to a person (own-settings.ts).
 */
export function registerSignIn(fastify: FastifyInstance, options: SignInOptions): void {
  const { sessions, origins, limits, log, roleOf, own } = options;
  const ours = ownCookieBy(sessions, limits);
  fastify.get('/auth/sign-in', FOR_FEW, async (request, reply) => {
    const { tenant = '', hint } = request.query as Query;
    try {
      if (!TENANT.test(tenant)) throw new Error('the sign-in names no valid tenant');
      const target = `${originOf(request, origins)}${CALLBACK}`;
      const { url, browser } = await sessions.begin(tenant, target, hint?.slice(0, MAX_HINT));
      // Lax: the issuer, another site, redirects back here.
      setCookie(reply, SIGNING_IN, browser, 'Lax', SIGN_IN_MS);
      return reply.redirect(url, 302);
    } catch (error) {
      return failed(reply, error, 'unavailable');
    }
  });
  fastify.get(CALLBACK, FOR_FEW, async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?')[1]);
    clearCookie(reply, SIGNING_IN, 'Lax');
    try {
      const { cookie, token } = await sessions.finish(query, cookieOf(request, SIGNING_IN));
      setCookie(reply, SESSION, cookie, 'Strict', SESSION_MS);
      const known = await preferencesBy(own, token, countedAddress(request.ip));
      // The first document is in the language of the person already.
      if (known?.preferences.language !== undefined) setLanguage(reply, known.preferences.language);
      return reply.redirect('/', 302);
    } catch (error) {
      return failed(reply, error, 'refused');
    }
  });
  fastify.get('/auth/session', OPEN, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const cookie = otherOrigin(request) ? undefined : await ours(request, reply);
    try {
      const session = await sessions.current(cookie);
      if (session === undefined) return reply.code(204).send();
      const address = countedAddress(request.ip);
      const role = await roleOf(session.token, session.tenantId, address);
      const known = await preferencesBy(own, session.token, address);
      const browser = browserName(request.headers['user-agent']);
      if (known) await sessions.used(cookie, session, { person: known.person, browser });
      return { ...session, role, preferences: known?.preferences };
    } catch (error) {
      return away(reply, error);
    }
  });
  registerRole(fastify, roleOf, own);
  registerOwnSettings(fastify, { ...own, sessions, limits, ownCookie: ours, isForeign: otherOrigin });
  fastify.post('/auth/sign-out', OPEN, async (request, reply) => {
    if (otherOrigin(request)) return reply.code(403).send();
    const cookie = await ours(request, reply);
    clearCookie(reply, SESSION, 'Strict');
    try {
      await sessions.end(cookie);
      return reply.code(204).send();
    } catch (error) {
      return away(reply, error);
    }
  });

  /** Redirects with an error code that the page explains; details are logged. */
  function failed(reply: FastifyReply, error: unknown, why: 'unavailable' | 'refused'): FastifyReply {
    log.warn({ err: error }, `sign-in ${why}`);
    return reply.redirect(`/?sign-in=${why}`, 302);
  }

  /** Sessions are in the database; its errors are not shown. */
  function away(reply: FastifyReply, error: unknown): FastifyReply {
    // Requests over a quota are counted, not logged one by one.
    if (!(error instanceof DomainError)) log.warn({ err: error }, 'sessions cannot be read');
    return reply.code(503).header('retry-after', AGAIN_SECONDS).send();
  }
}

/**
 * Reads the session cookie of a request, if this installation made it. A foreign one, forged or of an earlier release,
 * is cleared and counted. An own session is counted by itself, so that others at its address do not affect it.
 */
function ownCookieBy(sessions: BrowserSessions, limits: RateLimits) {
  /** @throws QuotaExceeded */
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> => {
    const cookie = cookieOf(request, SESSION);
    if (cookie === undefined || cookie === '') return undefined;
    const place = sessions.placeOf(cookie);
    if (place !== undefined) {
      stampedReply(reply, () => limits.countSubject(`session|${place.id}`));
      return cookie;
    }
    clearCookie(reply, SESSION, 'Strict');
    await stampedSlowly(reply, limits.countUnauthenticated(countedAddress(request.ip)));
    return undefined;
  };
}

/** Names role and preferences for a token that was entered by hand: there is no session that would. */
function registerRole(fastify: FastifyInstance, roleOf: RoleOf, own: OwnSettingsOptions): void {
  fastify.get('/auth/role', FOR_FEW, async ({ headers, ip }, reply) => {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const address = countedAddress(ip);
    const role = await roleOf(token, String(headers['x-tenant-id'] ?? ''), address);
    const known = role === undefined ? undefined : await preferencesBy(own, token, address);
    return reply.header('cache-control', 'no-store').send({ role: role ?? null, preferences: known?.preferences });
  });
}

/** Whether the request is cross-site, whatever cookies the browser adds. */
function otherOrigin({ raw, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return !originAllowed(raw, []) || (site !== undefined && site !== 'same-origin' && site !== 'none');
}

/** The origin as browsers know it; behind a proxy one of the configured origins. */
function originOf({ headers: { host = '' }, protocol }: FastifyRequest, origins: readonly string[]): string {
  return origins.find((origin) => URL.parse(origin)?.host === host) ?? `${protocol}://${host}`;
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Read by scripts too: the page says in which language it is to be sent (page-documents.ts). */
function setLanguage(reply: FastifyReply, language: Language): void {
  reply.header('set-cookie', `language=${language}; Path=/; Max-Age=${LANGUAGE_SECONDS}; SameSite=Lax`);
}

function setCookie(reply: FastifyReply, name: string, value: string, site: 'Lax' | 'Strict', ms: number): void {
  const seconds = Math.floor(ms / 1000);
  reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=${site}`);
}

function clearCookie(reply: FastifyReply, name: string, site: 'Lax' | 'Strict'): void {
  setCookie(reply, name, '', site, 0);
}
