import { localVerifier, remoteVerifier, type IntrospectionClient } from '../../gateways/auth/access-token.ts';
import { Authenticator } from '../../gateways/auth/authenticator.ts';
import type { DevelopmentKeys } from '../../gateways/auth/development-keys.ts';
import { TokenGate } from '../../gateways/auth/token-gate.ts';
import { RateLimits, openLimitOf } from '../../gateways/http/admission/rate-limit.ts';
import type { LiveAuthenticators } from '../../gateways/live/authenticator.ts';
import type { Config } from '../platform/config/config.ts';
import type { RequestCounters } from '../platform/coordination/ports.ts';
import type { Context } from './context.ts';

/** Authenticators and quotas for REST and sockets. */
export function authenticatorsOf(context: Context, keys: DevelopmentKeys | undefined): LiveAuthenticators {
  const { config, services, associations, requestCounters } = context;
  // The embedded issuer runs on this machine and uses its time.
  const now = keys ? Date.now : context.realTime;
  const rules = { issuer: config.issuer, audience: config.OIDC_AUDIENCE, tokenTyp: config.OIDC_TOKEN_TYP, now };
  const verify = keys ? localVerifier(keys, rules) : remoteVerifier(rules, introspectionOf(config));
  const authenticator = new Authenticator(verify, associations, { now });
  services.tenantChanges.on('changed', (tenantId) => authenticator.forget(tenantId));
  const limits = limitsOf(config, requestCounters);
  const share = services.tenantShares;
  return { authenticator, limits, gate: new TokenGate(authenticator, limits), share };
}

function limitsOf(config: Config, counters: RequestCounters): RateLimits {
  const { RATE_LIMIT_TENANT: tenant, RATE_LIMIT_SUBJECT: subject } = config;
  const { RATE_LIMIT_ADDRESS: address, RATE_LIMIT_COSTLY: costly } = config;
  return new RateLimits({ tenant, subject, address, costly, open: openLimitOf(address) }, counters);
}

/** Opaque tokens are supported only where configured (docs/guide/production.md#sign-in). */
function introspectionOf(config: Config): IntrospectionClient | undefined {
  const { OIDC_INTROSPECTION: on, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  return on && id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
