import type { TenantShares } from '../../src/kernel/ports.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { type Identity, refuseNarrow } from '../auth/identity.ts';
import type { TokenGate } from '../auth/token-gate.ts';
import { QuotaExceeded, type RateLimits, slowDown } from '../http/admission/rate-limit.ts';
import type { LiveAuthenticator } from './membership.ts';
import type { RoleOf } from './transport/sign-in.ts';

/** The same authentication as for REST. */
export type LiveAuthenticators = {
  authenticator: Authenticator;
  gate: TokenGate;
  limits: RateLimits;
  share: TenantShares;
};

/** Authenticates sockets. Bad tokens count for the address, and answers to too many of them are delayed. */
export function liveAuthenticator({
  authenticator,
  gate,
  limits,
}: Omit<LiveAuthenticators, 'share'>): LiveAuthenticator<Identity> {
  const verified = async (token: string, address: string): Promise<Identity> => {
    try {
      const identity = await gate.identify(token, address);
      // Settings and invitations of a person are no business of a program.
      refuseNarrow(identity);
      return identity;
    } catch (refused) {
      if (refused instanceof DomainError && ['unauthenticated', 'limit'].includes(refused.kind))
        await limits.countUnauthenticated(address).catch(async (beyond: unknown) => {
          if (beyond instanceof QuotaExceeded) await slowDown(beyond);
        });
      throw refused;
    }
  };
  return {
    identify: verified,
    callerFor: authenticator.callerFor.bind(authenticator),
    now: authenticator.now,
  };
}

/** The role that a token has in a tenant, for the page: what the socket would say when it opens. */
export function roleBy<I extends { readonly expiresAt: Instant }>(authenticator: LiveAuthenticator<I>): RoleOf {
  return async (token, tenantId, address) => {
    try {
      const identity = await authenticator.identify(token, address);
      return (await authenticator.callerFor(identity, tenantId, '', 'stream.read')).role;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  };
}
