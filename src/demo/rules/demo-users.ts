import { ROLES, type Role } from '../../kernel/rules/caller.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';

/**
 * A user of the demo tenants: seeded as association, and offered by the development issuer
 * (docs/reference/set-up.md#development-only).
 */
export type DemoUser = {
  tenantId: TenantId;
  role: Role;
  /** `sub` of the user's tokens. */
  subject: string;
  name: string;
  email: string;
};

export const DEMO_TENANTS = ['demo', 'rival'] as const;

const NAMES: Record<Role, readonly [string, string]> = {
  OWNER: ['Olivia Marsh', 'Ravi Menon'],
  ADMIN: ['Adrian Cole', 'Renata Silva'],
  MANAGER: ['Mara Lindt', 'Robin Hayes'],
  STAFF: ['Stefan Brandt', 'Rosa Keller'],
  VIEWER: ['Vera Novak', 'Rune Dahl'],
};

/** One user for each role of each demo tenant, `demo-manager` and so on. */
export const DEMO_USERS: readonly DemoUser[] = DEMO_TENANTS.flatMap((tenantId, tenant) =>
  ROLES.map((role): DemoUser => {
    const subject = `${tenantId}-${role.toLowerCase()}`;
    return { tenantId, role, subject, name: NAMES[role][tenant] ?? subject, email: `${subject}@example.com` };
  }),
);

/** `login_hint` of an authorization request that signs this user in at once: `demo:MANAGER`. */
export function hintOf({ tenantId, role }: DemoUser): string {
  return `${tenantId}:${role}`;
}

/** `sub` of the operator's token: belongs to no tenant. */
export const OPERATOR_SUBJECT = 'operator';
