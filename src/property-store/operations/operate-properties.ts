import type { Services } from '../../kernel/operations/services.ts';
import type { ActorFigures } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { MissingNode, NodeLooks } from '../../platform/coordination/ports.ts';
import type { OwnedProperty, TailEntry } from '../ports.ts';

/** An actor as all nodes see it. */
type SeenActor = OwnedProperty & {
  resident: (ActorFigures & { nodeId: string })[];
  tail: TailEntry[];
  missing: MissingNode[];
};

/** Lists properties of a tenant with their owners, for operators: nothing of what they contain. */
export function listOwnedProperties(
  { actorReads }: Pick<Services, 'actorReads'>,
  tenantId: TenantId,
  text?: string,
): Promise<OwnedProperty[]> {
  return actorReads.list(tenantId, text);
}

/**
 * Reads the actor of a property on whichever node has it in memory, without activating it.
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function readActor(
  { actorReads }: Pick<Services, 'actorReads'>,
  looks: NodeLooks,
  to: Address,
): Promise<SeenActor> {
  const [found, { answers, missing }] = await Promise.all([
    actorReads.find(to),
    looks.all<ActorFigures | null>('actor', to),
  ]);
  if (!found) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  const resident = answers.flatMap(({ nodeId, answer }) => (answer ? [{ ...answer, nodeId }] : []));
  return { ...found.owned, resident, tail: found.tail, missing };
}
