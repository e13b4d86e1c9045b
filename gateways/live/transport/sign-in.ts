import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { type BrowserSessions, SESSION_MS, SIGN_IN_MS } from '../../auth/browser-sessions.ts';
import { stampedReply, stampedSlowly } from '../../http/admission/admission.ts';
import { countedAddress } from '../../http/admission/client-address.ts';
import type { RateLimits } from '../../http/admission/rate-limit.ts';
import type { LiveLog } from '../log.ts';
import { originAllowed } from './origin.ts';

type SignInOptions = {
  sessions: BrowserSessions;
  /** Origins of the page as browsers see them. */
  origins: readonly string[];
  /** Counts foreign cookies and sign-ins by address. */
  limits: RateLimits;
  log: LiveLog;
};

/** `__Host-`: https or localhost only, for this host alone; pages of other hosts cannot set it. */
const SESSION = '__Host-innkeeper-session';
const SIGNING_IN = '__Host-innkeeper-signing-in';
const CALLBACK = '/auth/callback';
const TENANT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;
const MAX_HINT = 200;
const AGAIN_SECONDS = 2;

/** None of these routes reads a body. */
const MAX_BODY_BYTES = 1_024;
const OPEN = { bodyLimit: MAX_BODY_BYTES, config: { access: { gate: 'open' as const } } };
/** Sign-in calls the issuer over the network, so frequent attempts are limited. */
const FOR_FEW = { ...OPEN, config: { access: { gate: 'link' as const } } };
type Query = Record<string, string | undefined>;

/** Routes for signing in and out: `/auth/sign-in`, `/auth/callback`, `/auth/session`, `/auth/sign-out`. */
export function registerSignIn(fastify: FastifyInstance, { sessions, origins, limits, log }: SignInOptions): void {
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
      const id = await sessions.finish(query, cookieOf(request, SIGNING_IN));
      setCookie(reply, SESSION, id, 'Strict', SESSION_MS);
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
      return session === undefined ? reply.code(204).send() : session;
    } catch (error) {
      return away(reply, error);
    }
  });
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

  /**
   * The session cookie, if this installation made it. A foreign one, forged or of an earlier release, is cleared and
   * counted. An own session is counted by itself, so that others at its address do not affect it.
   *
   * @throws QuotaExceeded
   */
  async function ours(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const cookie = cookieOf(request, SESSION);
    if (cookie === undefined || cookie === '') return undefined;
    const place = sessions.placeOf(cookie);
    if (place !== undefined) {
      await stampedReply(reply, limits.countSubject(`session|${place.id}`));
      return cookie;
    }
    clearCookie(reply, SESSION, 'Strict');
    await stampedSlowly(reply, limits.countUnauthenticated(countedAddress(request.ip)));
    return undefined;
  }

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

function setCookie(reply: FastifyReply, name: string, value: string, site: 'Lax' | 'Strict', ms: number): void {
  const seconds = Math.floor(ms / 1000);
  reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=${site}`);
}

function clearCookie(reply: FastifyReply, name: string, site: 'Lax' | 'Strict'): void {
  setCookie(reply, name, '', site, 0);
}
