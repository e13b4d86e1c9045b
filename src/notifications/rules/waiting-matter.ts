import type { Role } from '../../kernel/rules/caller.ts';
import type { WaitingKind } from '../../tenants/rules/preferences.ts';

/** What waits for somebody at a property: how much of a kind (docs/reference/own-settings.md#what-waits). */
export type WaitingMatter = {
  kind: WaitingKind;
  count: number;
  /** Who is meant, of an accepted invitation. */
  name?: string;
  /** Subject of the only user to see it. */
  of?: string;
};

/** Who can do something about it. */
const LEAST: Record<WaitingKind, Role> = {
  ROOMS_MISSING: 'STAFF',
  TASKS_OVERDUE: 'STAFF',
  MAINTENANCE_OVERDUE: 'STAFF',
  RECOMMENDATIONS: 'MANAGER',
  MESSAGES_FAILED: 'ADMIN',
  INVITATIONS_FAILED: 'OWNER',
  INVITATION_ACCEPTED: 'OWNER',
};

/** What of it a caller can do something about. */
export function mattersFor(
  matters: readonly WaitingMatter[],
  { subject, may }: { subject: string; may: (least: Role) => boolean },
): WaitingMatter[] {
  return matters.filter(({ kind, of }) => may(LEAST[kind]) && (of === undefined || of === subject));
}
