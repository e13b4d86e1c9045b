import { atLeast, type Role } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Operation } from './tenant-rules.ts';

/**
 * Requirements of a permission: the least role, and the kind of operation for tenants that are not active
 * (tenant-rules.ts).
 */
type Rule = { readonly role: Role; readonly operation: Operation };

/**
 * The table of permissions (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do), in the order of
 * its rows. Routes name an entry (`@Needs('reservation.create')`), the live gateway and the answers look up what a
 * caller may see, and OpenAPI shows it. `test/blackbox/groups/roles.ts` checks every route against a table of its own.
 */
const PERMISSIONS = {
  // Every role reads; guest data is masked for roles without access to contact data.
  'rate.read': { role: 'VIEWER', operation: 'read' },
  'availability.read': { role: 'VIEWER', operation: 'read' },
  'reservation.read': { role: 'VIEWER', operation: 'read' },
  'guest.read': { role: 'VIEWER', operation: 'read' },
  'property.read': { role: 'VIEWER', operation: 'read' },
  // Following a property keeps it resident, so it is closed to all roles of an inactive tenant, including its owner.
  'stream.read': { role: 'VIEWER', operation: 'run' },

  // Front desk. A change may be a new sale, so it counts as one.
  'contact.read': { role: 'STAFF', operation: 'read' },
  'desk.read': { role: 'STAFF', operation: 'read' },
  'company.read': { role: 'STAFF', operation: 'read' },
  'reservation.create': { role: 'STAFF', operation: 'sell' },
  'reservation.modify': { role: 'STAFF', operation: 'sell' },
  'reservation.confirm': { role: 'STAFF', operation: 'run' },
  'reservation.cancel': { role: 'STAFF', operation: 'run' },
  'reservation.pay': { role: 'STAFF', operation: 'run' },
  'reservation.check-in': { role: 'STAFF', operation: 'run' },
  'reservation.undo-check-in': { role: 'STAFF', operation: 'run' },
  'reservation.check-out': { role: 'STAFF', operation: 'run' },
  'folio.post': { role: 'STAFF', operation: 'run' },
  'reservation.no-show': { role: 'STAFF', operation: 'run' },
  'reservation.upgrade': { role: 'STAFF', operation: 'sell' },
  'reservation.room': { role: 'STAFF', operation: 'run' },
  'hold.place': { role: 'STAFF', operation: 'sell' },
  'waitlist.join': { role: 'STAFF', operation: 'sell' },
  'waitlist.leave': { role: 'STAFF', operation: 'run' },
  'inquiry.keep': { role: 'STAFF', operation: 'sell' },
  'inquiry.close': { role: 'STAFF', operation: 'run' },
  'hold.release': { role: 'STAFF', operation: 'run' },
  'refund.pay-out': { role: 'STAFF', operation: 'run' },
  'guest.change': { role: 'STAFF', operation: 'run' },
  'room.status': { role: 'STAFF', operation: 'run' },
  'message.send-again': { role: 'STAFF', operation: 'run' },
  'invoice.mail': { role: 'STAFF', operation: 'run' },
  'payment-link.send': { role: 'STAFF', operation: 'run' },
  'note.write': { role: 'STAFF', operation: 'run' },

  // Programs that book for people; what they become is in Authenticator. Each tool needs a further permission.
  'agent.act': { role: 'STAFF', operation: 'run' },
  // Programs of channels; what it opens is in CHANNEL_PERMISSIONS.
  'channel.act': { role: 'STAFF', operation: 'run' },

  // Prices and revenue.
  'revenue.read': { role: 'MANAGER', operation: 'read' },
  'demo.pace': { role: 'MANAGER', operation: 'run' },
  'rate.set': { role: 'MANAGER', operation: 'sell' },
  'plan.set': { role: 'MANAGER', operation: 'sell' },
  'promotion.set': { role: 'MANAGER', operation: 'sell' },
  'restriction.set': { role: 'MANAGER', operation: 'sell' },
  'restriction.override': { role: 'MANAGER', operation: 'sell' },
  'yield.optimize': { role: 'MANAGER', operation: 'sell' },
  'group.block': { role: 'MANAGER', operation: 'sell' },
  'penalty.waive': { role: 'MANAGER', operation: 'run' },
  'company.set': { role: 'MANAGER', operation: 'sell' },
  'company.pay': { role: 'MANAGER', operation: 'run' },
  'folio.void': { role: 'MANAGER', operation: 'run' },
  'refund.give': { role: 'MANAGER', operation: 'run' },
  'reservation.no-show-early': { role: 'MANAGER', operation: 'run' },
  'reservation.reinstate': { role: 'MANAGER', operation: 'sell' },
  'note.remove-any': { role: 'MANAGER', operation: 'run' },
  'reservation.walk': { role: 'MANAGER', operation: 'run' },
  'reservation.comp': { role: 'MANAGER', operation: 'run' },
  'reservation.rate-code': { role: 'MANAGER', operation: 'sell' },
  'guest.merge': { role: 'MANAGER', operation: 'run' },
  'guest.export': { role: 'MANAGER', operation: 'read' },

  // Administration and set-up.
  'admin.read': { role: 'ADMIN', operation: 'read' },
  'admin.run': { role: 'ADMIN', operation: 'run' },
  'channel.read': { role: 'ADMIN', operation: 'read' },
  'channel.book': { role: 'ADMIN', operation: 'run' },
  'property.set-up': { role: 'ADMIN', operation: 'sell' },
  'plan.restore': { role: 'ADMIN', operation: 'sell' },
  'guest.erase': { role: 'ADMIN', operation: 'run' },

  // The tenant itself: its users, their roles, its settings.
  'tenant.read': { role: 'OWNER', operation: 'read' },
  'tenant.set': { role: 'OWNER', operation: 'sell' },
  'user.set': { role: 'OWNER', operation: 'sell' },
  'user.remove': { role: 'OWNER', operation: 'run' },
} as const satisfies Record<string, Rule>;

/** A permission within a tenant. */
export type Permission = keyof typeof PERMISSIONS;

/**
 * Permissions that a token of a channel has instead of those of its user, who needs `channel.act` for them
 * (docs/reference/channels.md#tokens).
 */
const CHANNEL_PERMISSIONS: ReadonlySet<Permission> = new Set<Permission>(['channel.read', 'channel.book']);

/** Whether a channel's token is enough for a permission. */
export const opensToChannels = (permission: Permission): boolean => CHANNEL_PERMISSIONS.has(permission);

export function ruleOf(permission: Permission): Rule {
  return PERMISSIONS[permission];
}

/** Whether a caller's role suffices. Admission checks whether the tenant is active. */
export function may({ role }: { role: Role }, permission: Permission): boolean {
  return atLeast(role, PERMISSIONS[permission].role);
}

/**
 * Checks a permission.
 * @param what needs it, where a body field needs more than its route
 * @throws DomainError ROLE_TOO_LOW
 */
export function mustMay(caller: { role: Role }, permission: Permission, what = 'This'): void {
  if (may(caller, permission)) return;
  const { role } = PERMISSIONS[permission];
  throw new DomainError('ROLE_TOO_LOW', `${what} needs ${role}; you are ${caller.role}.`);
}
