import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Identity } from '../auth/identity.ts';
import type { TokenGate } from '../auth/token-gate.ts';
import { QuotaExceeded, type RateLimits, slowDown } from '../http/admission/rate-limit.ts';
import type { LiveAuthenticator } from './membership.ts';

/** The same authentication as for REST. */
export type LiveAuthenticators = { authenticator: Authenticator; gate: TokenGate; limits: RateLimits };

/** Authenticates sockets. Bad tokens count for the address, and answers to too many of them are delayed. */
export function liveAuthenticator({ authenticator, gate, limits }: LiveAuthenticators): LiveAuthenticator<Identity> {
  const verified = async (token: string, address: string): Promise<Identity> => {
    try {
      return await gate.identify(token, address);
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
