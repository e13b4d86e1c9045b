import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import { mustBeInvoiceable } from '../../money/operations/find-companies.ts';
import type { RatePlanBody, RatePlanChange } from '../contracts/rate-plans.ts';
import { type PlanGuarantee } from '../rules/plan-terms.ts';
import type { RatePlan } from '../rules/rate-plan.ts';
import { getRatePlan, type PlanOfProperty } from './find-rate-plans.ts';

/** Creates a rate plan (docs/reference/rates.md#rate-plans). @throws DomainError ALREADY_EXISTS, CURRENCY_MISMATCH */
export async function createRatePlan(
  services: Services,
  caller: Caller,
  { propertyId, code, ...rest }: RatePlanBody,
  key?: ClientKey,
): Promise<Reply<PlanOfProperty>> {
  const to = { tenantId: caller.tenantId, propertyId };
  const { property } = (await services.properties.view(to)).setup;
  const { currency, policies } = property.metadata;
  const { cancellationPolicy } = policies;
  await mustKnowCompany(services, caller, rest);
  const plan = planOf({ id: uuidv7(), code, cancellationPolicy }, rest, currency);
  const reply = await send(services, caller, to, { type: 'PUT_RATE_PLAN', plan, mode: 'create' }, claim(key));
  return { ...reply, result: { property, plan: reply.result } };
}

/**
 * Changes a plan except for its code.
 * @param ifVersion only if the plan is still at it
 * @throws DomainError RATE_PLAN_NOT_FOUND, STALE_VERSION, CURRENCY_MISMATCH
 */
export async function changeRatePlan(
  services: Services,
  caller: Caller,
  { id, change, ifVersion }: { id: string; change: RatePlanChange; ifVersion: number | undefined },
  key?: ClientKey,
): Promise<Reply<PlanOfProperty>> {
  const { plan: before, property, to } = await getRatePlan(services, caller, id);
  await mustKnowCompany(services, caller, change);
  const plan = planOf(before, change, property.metadata.currency);
  const reply = await send(
    services,
    caller,
    to,
    { type: 'PUT_RATE_PLAN', plan, mode: 'replace', ifVersion },
    claim(key),
  );
  return { ...reply, result: { property, plan: reply.result } };
}

/**
 * Removes a plan from sale until it is restored; its bookings stay.
 * @throws DomainError RATE_PLAN_NOT_FOUND, STALE_VERSION, INVALID_STATE
 */
export async function removeRatePlan(
  services: Services,
  caller: Caller,
  { id, ifVersion }: { id: string; ifVersion: number | undefined },
  key?: ClientKey,
): Promise<Reply<null>> {
  const { tenantId } = caller;
  // A repeated request finds the plan removed; its property has the answer under the key.
  const removed = key && (await services.propertyReader.removedPlan(tenantId, id));
  const to = removed ? { tenantId, propertyId: removed.propertyId } : (await getRatePlan(services, caller, id)).to;
  return send(services, caller, to, { type: 'REMOVE_RATE_PLAN', planId: id, ifVersion }, claim(key));
}

/**
 * Restores a removed plan as it was, without its restrictions, which were removed with it.
 * @throws DomainError RATE_PLAN_NOT_FOUND, ALREADY_EXISTS where its code is taken or it was not removed
 */
export async function restoreRatePlan(
  services: Services,
  caller: Caller,
  id: string,
  key?: ClientKey,
): Promise<Reply<PlanOfProperty>> {
  const { tenantId } = caller;
  // An existing plan is put too: a repeated request finds its answer this way, and any other is rejected.
  const removed = await services.propertyReader.removedPlan(tenantId, id);
  const { plan, to } = removed
    ? { plan: removed.plan, to: { tenantId, propertyId: removed.propertyId } }
    : await getRatePlan(services, caller, id);
  const { property } = (await services.properties.view(to)).setup;
  const reply = await send(services, caller, to, { type: 'PUT_RATE_PLAN', plan, mode: 'create' }, claim(key));
  return { ...reply, result: { property, plan: reply.result } };
}

/** @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED for an inactive one */
async function mustKnowCompany(services: Services, caller: Caller, { companyId }: RatePlanChange): Promise<void> {
  if (companyId !== undefined) await mustBeInvoiceable(services, caller.tenantId, companyId, '/companyId');
}

/** Members of a plan that a body may leave unchanged. */
type PlanBefore = Pick<RatePlan, 'id' | 'code' | 'cancellationPolicy' | 'terms' | keyof PlanGuarantee>;

/** @param of values of members that the body leaves out or cannot set */
function planOf(of: PlanBefore, body: RatePlanChange, currency: string): RatePlan {
  const { rules, currency: wanted = currency, cancellationPolicy, terms, ...rest } = body;
  if (wanted !== currency) throw new DomainError('CURRENCY_MISMATCH', `The property sells in ${currency}.`);
  const { guarantee, depositSchedule, releaseHour, companyId, ...plan } = rest;
  const secured = guarantee === undefined ? of : { guarantee, depositSchedule, releaseHour, companyId };
  return {
    id: of.id,
    code: of.code,
    cancellationPolicy: cancellationPolicy ?? of.cancellationPolicy,
    ...definedMembers({
      terms: cancellationPolicy === undefined ? (terms ?? of.terms) : undefined,
      guarantee: secured.guarantee,
      depositSchedule: secured.depositSchedule,
      releaseHour: secured.releaseHour,
      companyId: secured.companyId,
    }),
    ...plan,
    ...rules,
  };
}
