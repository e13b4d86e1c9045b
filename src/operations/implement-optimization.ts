import type { Caller } from '../domain/caller.ts';
import type { PriceChange } from '../domain/commands.ts';
import { Refusal } from '../domain/refusal.ts';
import type { YieldPlan } from '../domain/yield-problem.ts';
import { getOptimization } from './optimize-yield.ts';
import { claim, type ClientKey, send } from './send.ts';
import type { Services } from './services.ts';

export type Implemented = { optimizationId: string; affectedDates: number; implementedAt: number };

/**
 * Makes the recommended rates the base rates, once: asked for again it answers the same (contracts.md 6).
 * @throws Refusal INVALID_STATE while it runs, RATES_MOVED with every night that costs something else by now
 */
export async function implementOptimization(
  services: Services,
  caller: Caller,
  id: string,
  key?: ClientKey,
): Promise<{ result: Implemented; seq: number; replayed: boolean }> {
  const { optimization, to } = await getOptimization(services, caller, id);
  const view = await services.properties.view(to);
  const done = await implemented(services, caller, id);
  if (done) {
    // Under its own key it is a repeat; under that of another request it is refused.
    const { replayed } = key
      ? await services.administration.write(caller, key, () => Promise.resolve(done))
      : { replayed: false };
    return { result: done, seq: view.seq, replayed };
  }
  const { plan } = optimization;
  if (!plan) throw new Refusal('INVALID_STATE', 'The optimization has not been completed.');
  try {
    const command = { type: 'IMPLEMENT_RATES' as const, optimizationId: id, nights: changesOf(plan) };
    const { result, ...reply } = await send(services, caller, to, command, claim(key));
    if (!reply.replayed)
      await services.optimizations.note(caller.tenantId, optimization, 'IMPLEMENT', view.businessDate);
    return { ...reply, result: { optimizationId: id, ...result } };
  } catch (error) {
    // Somebody else may have been first with the very same.
    const isLate = error instanceof Refusal && error.code === 'RATES_MOVED';
    const other = isLate ? await implemented(services, caller, id) : undefined;
    if (!other) throw error;
    return { result: other, seq: view.seq, replayed: false };
  }
}

/** The journal knows whether it was. */
async function implemented(services: Services, { tenantId }: Caller, id: string): Promise<Implemented | undefined> {
  const change = await services.sales.rateChange(tenantId, id);
  if (!change) return undefined;
  const { at, changes } = change.value;
  return { optimizationId: id, affectedDates: new Set(changes.map(({ day }) => day)).size, implementedAt: at };
}

/** What a plan changes. */
export function changesOf({ recommendations }: YieldPlan): PriceChange[] {
  return recommendations.map(({ roomType, day, current, optimized }) => ({
    roomType,
    day,
    from: current,
    to: optimized,
  }));
}
