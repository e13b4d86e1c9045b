import type { Role } from '../../src/kernel/rules/caller.ts';
import { may } from '../auth/permissions.ts';

/**
 * Roles that see the same bytes: VIEWER gets masked names, STAFF names, MANAGER and above also amounts
 * (docs/reference/live-protocol.md#patches).
 */
const ROLE_CLASSES = ['viewer', 'staff', 'manager'] as const;
export type RoleClass = (typeof ROLE_CLASSES)[number];

export function roleClassOf(role: Role): RoleClass {
  if (may({ role }, 'revenue.read')) return 'manager';
  return may({ role }, 'contact.read') ? 'staff' : 'viewer';
}
