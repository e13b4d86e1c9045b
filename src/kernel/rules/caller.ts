import type { TenantId, PropertyId } from './ids.ts';

/**
 * Roles from the least to the most powerful (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export const ROLES = ['VIEWER', 'STAFF', 'MANAGER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/** The caller: the first parameter of everything that belongs to a tenant. */
export type Caller = {
  tenantId: TenantId;
  /** The user's id in the association table, recorded in audit rows. */
  subject: string;
  role: Role;
  requestId: string;
  /** Position of the request in its trace (W3C `traceparent`), where it is traced. */
  trace?: string;
};

/** A property within its tenant, by which requests are routed. */
export type Address = { tenantId: TenantId; propertyId: PropertyId };

/** Whether a role is at least another one: each role includes the permissions of lesser ones. */
export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Text of an address, as map key and Kafka key (docs/reference/events.md#format). Tenant ids have no colon. */
export function addressKey(to: Address): string {
  return `${to.tenantId}:${to.propertyId}`;
}
