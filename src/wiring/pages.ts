import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';

import { BrowserSessions } from '../../gateways/auth/browser-sessions.ts';
import { SessionCookies } from '../../gateways/auth/session-cookie.ts';
import type { RateLimits } from '../../gateways/http/admission/rate-limit.ts';
import { sendProblem } from '../../gateways/http/problem-filter.ts';
import { registerSignIn } from '../../gateways/live/transport/sign-in.ts';
import { registerPage, type PageOptions } from '../../gateways/live/transport/static.ts';
import { DEMO_USERS } from '../demo/rules/demo-users.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from './context.ts';

/** Opens the dashboards and their sign-in. Routes added before Nest has started would not have its error answers. */
export async function openPages(pages: FastifyInstance, context: Context, limits: RateLimits): Promise<void> {
  const { config, log } = context;
  pages.setErrorHandler((error, request, reply) => sendProblem(log, error, request, reply));
  const origins = config.PUBLIC_LIVE_URL === undefined ? config.corsOrigins : [config.PUBLIC_LIVE_URL];
  registerSignIn(pages, { sessions: sessionsOf(context), origins, limits, log });
  await registerPage(pages, dashboardPageOf(config, context.demo !== undefined));
}

/** Browser sessions by the introspection client, or the public client of the dashboards. */
function sessionsOf({ config, browserSessions: store, services: { sealed } }: Context): BrowserSessions {
  const { issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  const client = id === undefined ? { id: 'dashboard' } : { id, ...(secret !== undefined && { secret }) };
  const cookies = new SessionCookies(config.secretKeys.map(({ id, key: secret }) => ({ id, secret })));
  return new BrowserSessions({ issuer, audience, client, store, sealed, cookies });
}

/** Configuration of the page: the issuer, and the services' addresses. */
function dashboardPageOf(config: Config, lives: boolean): PageOptions {
  const { issuer, embeddedIssuer, production } = config;
  const demoUsers = DEMO_USERS.map(({ tenantId: tenant, role, name }) => ({ tenant, role, name }));
  return {
    dir: config.DASHBOARD_DIR ?? join(config.dataDir, 'dashboard'),
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
