import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import { BrowserSessions } from '../../gateways/auth/browser-sessions.ts';
import { SessionCookies } from '../../gateways/auth/session-cookie.ts';
import { registerGuestPages } from '../../gateways/guest-pages/guest-pages.ts';
import { GuestLimits } from '../../gateways/guest-pages/limits.ts';
import type { GuestPagesOptions } from '../../gateways/guest-pages/request-context.ts';
import type { RateLimits } from '../../gateways/http/admission/rate-limit.ts';
import type { Forwarding } from '../../gateways/http/app.ts';
import { sendProblem } from '../../gateways/http/problem-filter.ts';
import type { OwnSettingsOptions } from '../../gateways/live/transport/own-settings.ts';
import { registerSignIn, type RoleOf } from '../../gateways/live/transport/sign-in.ts';
import { registerPage, type PageOptions } from '../../gateways/live/transport/static.ts';
import { DEMO_USERS } from '../demo/rules/demo-users.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { Config } from '../platform/config/config.ts';
import { acceptInvitation, type VerifiedUser } from '../tenants/operations/invite-users.ts';
import { readPerson } from '../tenants/operations/read-person.ts';
import type { Context } from './context.ts';
import { cardEntryOf } from './services.ts';

/** What the sign-in learns from a token. */
export type SignedInBy = { roleOf: RoleOf; identify: OwnSettingsOptions['identify'] };

/** Opens the dashboards and their sign-in. Routes added before Nest has started would not have its error answers. */
export async function openPages(
  pages: FastifyInstance,
  context: Context,
  limits: RateLimits,
  { roleOf, identify }: SignedInBy,
  forwarding: Forwarding | undefined,
): Promise<void> {
  const { config, log, people, services } = context;
  pages.setErrorHandler((error, request, reply) => sendProblem(log, error, request, reply));
  const origins = config.PUBLIC_LIVE_URL === undefined ? config.corsOrigins : [config.PUBLIC_LIVE_URL];
  registerSignIn(pages, {
    sessions: sessionsOf(context),
    origins,
    limits,
    log,
    roleOf,
    own: { people, identify, profileOf: (who, tenantId) => readPerson(services, who, tenantId) },
  });
  await registerPage(pages, dashboardPageOf(config, context.demo !== undefined));
  await openGuestPages(pages, context, forwarding);
}

/**
 * Opens the pages for guests: to everybody on the listener of the dashboards, and on another one to requests that
 * another node has forwarded, because not every owner of properties has dashboards.
 */
export async function openGuestPages(
  listener: FastifyInstance,
  { config, services, requestCounters, log }: Context,
  forwarding: Forwarding | undefined,
  isForForwarded = false,
): Promise<void> {
  const options: GuestPagesOptions = {
    services,
    limits: new GuestLimits(requestCounters, config.RATE_LIMIT_ADDRESS > 0),
    cards: cardEntryOf(config),
    dir: dirOf(config),
    ...(config.PUBLIC_LIVE_URL !== undefined && { publicUrl: config.PUBLIC_LIVE_URL }),
    isDevelopment: !config.production,
    ...(forwarding && { forwarding }),
    problem: (error, request, reply) => sendProblem(log, error, request, reply),
    isForForwarded,
  };
  await listener.register(async (pages) => registerGuestPages(pages, options));
}

/** Folder of the bundled pages. */
const dirOf = ({ DASHBOARD_DIR, dataDir }: Config): string => DASHBOARD_DIR ?? join(dataDir, 'dashboard');

/** Browser sessions by the introspection client, or the public client of the dashboards. */
function sessionsOf({ config, browserSessions: store, services }: Context): BrowserSessions {
  const { issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  const client = id === undefined ? { id: 'dashboard' } : { id, ...(secret !== undefined && { secret }) };
  const cookies = new SessionCookies(config.secretKeys.map(({ id, key: secret }) => ({ id, secret })));
  const { sealed } = services;
  const onVerified = (tenantId: TenantId, who: VerifiedUser): Promise<void> =>
    acceptInvitation(services, tenantId, who);
  return new BrowserSessions({ issuer, audience, client, store, sealed, cookies, onVerified });
}

/** Configuration of the page: the issuer, and the services' addresses. */
function dashboardPageOf(config: Config, lives: boolean): PageOptions {
  const { issuer, embeddedIssuer, production } = config;
  const demoUsers = DEMO_USERS.map(({ tenantId: tenant, role, name }) => ({ tenant, role, name }));
  return {
    dir: dirOf(config),
    ...(config.PUBLIC_LIVE_URL !== undefined && { publicUrl: config.PUBLIC_LIVE_URL }),
    config: {
      issuer,
      clientId: 'dashboard',
      audience: config.OIDC_AUDIENCE,
      development: !production,
      reservationUrl: config.PUBLIC_RESERVATION_URL ?? `http://${config.HOST}:${config.RESERVATION_PORT}`,
      rateUrl: config.PUBLIC_RATE_URL ?? `http://${config.HOST}:${config.RATE_PORT}`,
      ...(lives && { demo: true as const }),
      ...(embeddedIssuer && { demoUsers }),
    },
  };
}
