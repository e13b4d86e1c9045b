import type { Role } from '../domain/caller.ts';
import type { TenantStatus } from '../domain/tenant.ts';

/**
 * A user's place in a tenant: the token says who, this says what they may do
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export type Association = { userId: string; role: Role; tenantStatus: TenantStatus };

/** Users and their tenants. */
export interface Associations {
  /** `undefined` for an unknown tenant, an unknown user, and a user without a role there: all look the same. */
  find(tenantId: string, issuer: string, subject: string): Promise<Association | undefined>;
}
