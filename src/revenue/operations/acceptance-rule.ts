import { v5 as uuidv5 } from 'uuid';

import { claim, type ClientKey, ownRequestId, send, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { AcceptanceRule } from '../../properties/rules/acceptance-rule.ts';
import type { AcceptanceRuleBody } from '../contracts/acceptance-rule.ts';
import type { Optimization } from '../ports.ts';
import { acceptedByRule } from '../rules/accepted-by-rule.ts';
import { rateChangesOf } from '../rules/yield-problem.ts';
import { recordAccepted } from './accepted-rates.ts';

/** The rule of a property by which recommended rates are accepted; `undefined` before somebody has set one. */
export async function readAcceptanceRule(
  { properties }: Pick<Services, 'properties'>,
  to: Address,
): Promise<{ rule: AcceptanceRule | undefined; seq: number }> {
  const { setup, seq } = await properties.view(to);
  return { rule: setup.property.metadata.acceptanceRule, seq };
}

/** Sets the rule of a property (docs/reference/rates.md#acceptance-by-rule). @throws DomainError VALIDATION_FAILED */
export function setAcceptanceRule(
  services: Services,
  caller: Caller,
  to: Address,
  { acceptUpToPercent: upToPercent, byLead, ...body }: AcceptanceRuleBody,
  key?: ClientKey,
): Promise<Reply<AcceptanceRule>> {
  const limits = byLead?.map(({ fromDays, acceptUpToPercent }) => ({ fromDays, upToPercent: acceptUpToPercent }));
  const rule = { ...body, upToPercent, ...(limits && { byLead: limits }) };
  return send(services, caller, to, { type: 'SET_ACCEPTANCE_RULE', rule }, claim(key));
}

type Accepting = Pick<Services, 'properties' | 'optimizations' | 'sales' | 'acceptedRates' | 'revenue' | 'log'>;

/** Makes the change of a rule the same one in each attempt, and another than what people implement. */
const BY_RULE = 'by rule';

/**
 * Makes what the rule of the property accepts of a completed optimization, once, and records it with the plan. The
 * others stay recommendations, and so do all of them when this fails: an optimization does not fail by its rule.
 */
export async function acceptByRule(
  services: Accepting,
  tenantId: TenantId,
  optimization: Optimization,
): Promise<Optimization> {
  try {
    return await accepted(services, tenantId, optimization);
  } catch (error) {
    const { propertyId, id } = optimization;
    services.log.warn({ tenantId, propertyId, id, error: String(error) }, 'nothing was accepted by rule');
    return optimization;
  }
}

async function accepted(services: Accepting, tenantId: TenantId, optimization: Optimization): Promise<Optimization> {
  const { properties, optimizations, sales } = services;
  const { id, propertyId, plan, request } = optimization;
  const to = { tenantId, propertyId };
  const { setup, businessDate } = await properties.view(to);
  const rule = setup.property.metadata.acceptanceRule;
  if (!plan || plan.byRule || !rule) return optimization;
  const part = {
    ...plan,
    recommendations: acceptedByRule(rule, request.objective, {
      recommendations: plan.recommendations,
      today: businessDate,
    }),
  };
  const optimizationId = uuidv5(BY_RULE, id);
  if (part.recommendations.length === 0 || (await sales.rateChange(tenantId, optimizationId))) return optimization;
  const nights = rateChangesOf(part);
  const command = { type: 'IMPLEMENT_RATES' as const, optimizationId, nights, byRule: true as const };
  const by = { subject: 'system', requestId: ownRequestId() };
  const { result } = await sendAlways({ properties }, by, to, command);
  // An owner of the release before has no rule of its own, and makes all of these or none.
  const changed = (result.changes ?? nights).map(({ roomType, day }) => ({ roomType, day }));
  if (changed.length === 0) return optimization;
  const { upToPercent, setBy } = rule;
  const noted = { ...plan, byRule: { upToPercent, setBy, at: result.implementedAt, nights: changed } };
  await optimizations.update(tenantId, id, { plan: noted });
  await optimizations.note(tenantId, { ...optimization, plan: part }, 'IMPLEMENT', businessDate);
  const made = { changes: result.changes ?? nights, at: result.implementedAt, by: setBy, byRule: true };
  await recordAccepted(services, to, optimization, made);
  return { ...optimization, plan: noted };
}
