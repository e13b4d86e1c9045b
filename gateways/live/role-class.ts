import { atLeast, type Role } from '../../src/domain/caller.ts';

/**
 * Roles that see the same bytes: VIEWER gets masked names, STAFF names, MANAGER and above also amounts
 * (contracts.md 9).
 */
export const ROLE_CLASSES = ['viewer', 'staff', 'manager'] as const;
export type RoleClass = (typeof ROLE_CLASSES)[number];

export function roleClassOf(role: Role): RoleClass {
  if (atLeast(role, 'MANAGER')) return 'manager';
  return atLeast(role, 'STAFF') ? 'staff' : 'viewer';
}
