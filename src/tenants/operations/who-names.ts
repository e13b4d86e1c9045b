import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';

/**
 * Names of those who did something, by what the records say of them; the e-mail address of a user without a name. A
 * VIEWER learns none, and what nobody knows is absent.
 * @param subjects a missing one is left out
 */
export async function whoNames(
  { userNames }: Pick<Services, 'userNames'>,
  { tenantId, role }: Pick<Caller, 'tenantId' | 'role'>,
  subjects: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  const known = subjects.filter((subject) => typeof subject === 'string');
  return role === 'VIEWER' || known.length === 0 ? new Map() : userNames(tenantId, known);
}
