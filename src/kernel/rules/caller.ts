import type { TenantId, PropertyId } from './ids.ts';

/**
 * Roles from the least to the most powerful (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export const ROLES = ['VIEWER', 'STAFF', 'MANAGER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/** The caller: the first parameter of everything that belongs to a tenant. */
export type Caller = {
  tenantId: TenantId;
  /** The user's id in the association table; what audit rows record. */
  subject: string;
  role: Role;
  requestId: string;
  /** Place of the request in its trace (W3C `traceparent`), where it is traced. */
  trace?: string;
};

/** A property within its tenant: what a request is routed by. */
export type Address = { tenantId: TenantId; propertyId: PropertyId };

/** Whether `role` may do what needs at least `least`: each role may do all that the lesser ones may. */
export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/**
 * One text for an address, as map key and Kafka key (docs/reference/events.md#format). Tenants never contain a colon.
 */
export function addressKey(to: Address): string {
  return `${to.tenantId}:${to.propertyId}`;
}
