import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';

/**
 * Sets which recommended rates are accepted without a person (docs/reference/rates.md#acceptance-by-rule).
 * @throws DomainError VALIDATION_FAILED for a room type that the property does not have
 */
export function decideSetAcceptanceRule(
  draft: Draft,
  { rule }: CommandOf<'SET_ACCEPTANCE_RULE'>,
  { now, subject }: DecisionContext,
): Decision<'SET_ACCEPTANCE_RULE'> {
  const errors = (rule.roomTypes ?? []).flatMap((roomType, index) => {
    const detail = `the property has no room type ${roomType}`;
    return draft.roomTypes.has(roomType) ? [] : [{ pointer: `/roomTypes/${index}`, code: 'UNKNOWN', detail }];
  });
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'The rule names unknown room types.', { errors });
  const before = draft.property!;
  const acceptanceRule = { ...rule, setBy: subject, setAt: now };
  const after = { ...before, metadata: { ...before.metadata, acceptanceRule }, updatedAt: now };
  draft.property = after;
  draft.propertyPut = true;
  const { propertyId } = before;
  const fact = { kind: 'property' as const, id: propertyId, before, after };
  return { result: acceptanceRule, entity: propertyId, facts: { setup: [fact] } };
}
