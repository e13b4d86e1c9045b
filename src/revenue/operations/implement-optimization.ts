import { v5 as uuidv5 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ImplementBody } from '../contracts/yield.ts';
import type { Optimization } from '../ports.ts';
import { nightKeyOf } from '../rules/accepted-rate.ts';
import { rateChangesOf, type YieldPlan } from '../rules/yield-problem.ts';
import { recordAccepted } from './accepted-rates.ts';
import { getOptimization } from './optimize-yield.ts';

export type Implemented = { optimizationId: string; affectedDates: number; implementedAt: Instant };

/**
 * Applies recommended rates, all or those of the listed nights, as base rates, once: a repeat answers the same
 * (docs/reference/rates.md#optimization).
 * @throws DomainError INVALID_STATE while it runs, VALIDATION_FAILED for a night without a recommendation, RATES_MOVED
 * with every night whose price has changed meanwhile
 */
export async function implementOptimization(
  services: Services,
  caller: Caller,
  id: string,
  { nights: named }: ImplementBody = {},
  key?: ClientKey,
): Promise<{ result: Implemented; seq: number; replayed: boolean }> {
  const { optimization, to } = await getOptimization(services, caller, id);
  const view = await services.properties.view(to);
  const of = { id, changeId: named ? partId(id, named) : id };
  const done = await implemented(services, caller, of);
  if (done) {
    await recordImplemented(services, caller, optimization, of.changeId);
    // The same key means a repeat; the key of another request is rejected.
    const { replayed } = key
      ? await services.administration.write(caller, key, () => Promise.resolve(done))
      : { replayed: false };
    return { result: done, seq: view.seq, replayed };
  }
  const { plan } = optimization;
  if (!plan) throw new DomainError('INVALID_STATE', 'The optimization has not been completed.');
  const part = named ? { ...plan, recommendations: pickedFrom(plan, named) } : plan;
  try {
    const command = { type: 'IMPLEMENT_RATES' as const, optimizationId: of.changeId, nights: rateChangesOf(part) };
    const { result, ...reply } = await send(services, caller, to, command, claim(key));
    if (!reply.replayed) {
      const noted = { ...optimization, plan: part };
      await services.optimizations.note(caller.tenantId, noted, 'IMPLEMENT', view.businessDate);
      await recordImplemented(services, caller, optimization, of.changeId);
    }
    return { ...reply, result: { optimizationId: id, ...result } };
  } catch (error) {
    // Another request may have applied the same change first.
    const isLate = error instanceof DomainError && error.code === 'RATES_MOVED';
    const other = isLate ? await implemented(services, caller, of) : undefined;
    if (!other) throw error;
    return { result: other, seq: view.seq, replayed: false };
  }
}

/** Records what the journal says was made. */
async function recordImplemented(
  services: Services,
  caller: Caller,
  optimization: Optimization,
  changeId: string,
): Promise<void> {
  const { tenantId, subject: by } = caller;
  const change = await services.sales.rateChange(tenantId, changeId);
  if (!change) return;
  const { at, changes } = change.value;
  const to = { tenantId, propertyId: optimization.propertyId };
  await recordAccepted(services, to, optimization, { changes, at, by, byRule: false });
}

/** Listed nights are a rate change of their own, and the same nights are the same change. */
function partId(id: string, named: NonNullable<ImplementBody['nights']>): string {
  return uuidv5(JSON.stringify([...new Set(named.map(nightKeyOfDate))].sort()), id);
}

/** @throws DomainError VALIDATION_FAILED */
function pickedFrom(plan: YieldPlan, named: NonNullable<ImplementBody['nights']>): YieldPlan['recommendations'] {
  const recommended = new Map(plan.recommendations.map((one) => [nightKeyOf(one), one]));
  const errors = named.flatMap((night, index) => {
    const detail = `nothing is recommended for ${night.roomType} on ${formatDay(night.date)}`;
    return recommended.has(nightKeyOfDate(night))
      ? []
      : [{ pointer: `/nights/${index}`, code: 'NOT_RECOMMENDED', detail }];
  });
  if (errors.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'Nothing is recommended for some of the nights.', { errors });
  const picked = new Set(named.map(nightKeyOfDate));
  return [...recommended].filter(([key]) => picked.has(key)).map(([, one]) => one);
}

type Change = { id: string; changeId: string };

/** The journal has the change if it was applied. */
async function implemented(
  services: Services,
  { tenantId }: Caller,
  { id, changeId }: Change,
): Promise<Implemented | undefined> {
  const change = await services.sales.rateChange(tenantId, changeId);
  if (!change) return undefined;
  const { at, changes } = change.value;
  return { optimizationId: id, affectedDates: new Set(changes.map(({ day }) => day)).size, implementedAt: at };
}

const nightKeyOfDate = ({ roomType, date }: { roomType: string; date: Day }): string =>
  nightKeyOf({ roomType, day: date });
