import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';

/**
 * Who a valid access token speaks for; what they may do is in the association table
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, on the real clock. */
  readonly expiresAt: number;
};

/** Checks an access token; throws DomainError UNAUTHENTICATED, or PARTNER_UNAVAILABLE when its issuer is away. */
export type VerifyToken = (token: string) => Promise<Identity>;

/** What spans tenants needs this scope, which no role of a tenant gives. */
export const OPERATE_SCOPE = 'innkeeper:operate';

/** No issuer of ours makes longer ones; longer ones are not even hashed. */
export const MAX_TOKEN_LENGTH = 8192;

/** Clocks of the issuer and ours may differ by so much (docs/concepts/tenants-and-roles.md#tokens). */
export const CLOCK_SKEW_SECONDS = 5;

/** The time outside, by which tokens count: not the development clock's. */
export type TokenClock = () => Instant;

/** Whether the token behind an identity is over, the clocks' difference allowed for. */
export function isOverIdentity({ expiresAt }: Pick<Identity, 'expiresAt'>, now: Instant): boolean {
  return expiresAt + CLOCK_SKEW_SECONDS * 1000 <= now;
}

export function unauthenticated(detail: string): DomainError {
  return new DomainError('UNAUTHENTICATED', detail);
}
