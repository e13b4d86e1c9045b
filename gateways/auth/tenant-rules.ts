import type { Role } from '../../src/kernel/rules/caller.ts';
import type { TenantStatus } from '../../src/tenants/rules/tenant.ts';

/**
 * Kinds of requests to a tenant: reading, running a property, selling and set-up
 * (docs/concepts/tenants-and-roles.md#status-of-a-tenant).
 */
export const OPERATIONS = ['read', 'run', 'sell'] as const;
export type Operation = (typeof OPERATIONS)[number];

type Rule = (role: Role, operation: Operation) => boolean;

/** TRIAL is ACTIVE; SUSPENDED sells nothing; INACTIVE and CANCELLED only let their OWNER look. */
const RULES: Record<TenantStatus, Rule> = {
  TRIAL: () => true,
  ACTIVE: () => true,
  SUSPENDED: (_, operation) => operation !== 'sell',
  INACTIVE: onlyTheOwnerLooks,
  CANCELLED: onlyTheOwnerLooks,
};

/** Whether a tenant of this status lets `role` do this. */
export function tenantAllows(status: TenantStatus, role: Role, operation: Operation): boolean {
  return RULES[status](role, operation);
}

function onlyTheOwnerLooks(role: Role, operation: Operation): boolean {
  return role === 'OWNER' && operation === 'read';
}
