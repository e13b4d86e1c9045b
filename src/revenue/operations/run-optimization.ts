import type { Services } from '../../kernel/operations/services.ts';
import type { JobRun, Jobs } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { acceptByRule } from './acceptance-rule.ts';
import { optimized, requirePlan, yieldProblem } from './optimize-yield.ts';

type Run = Jobs['yield-optimization'];

/** Runs a queued optimization with the current rates. Idempotent: a completed one stays. */
export async function runOptimization(
  services: Services,
  { tenantId, id }: Run['data'],
  run: JobRun,
): Promise<Run['result']> {
  const { optimizations, properties } = services;
  const optimization = await optimizations.find(tenantId, id);
  // Its run may have ended between the plan and what the rule does with it.
  if (optimization?.status === 'COMPLETED') await acceptByRule(services, tenantId, optimization);
  if (optimization?.status !== 'RUNNING') return {};
  const to = { tenantId, propertyId: optimization.propertyId };
  const report = async (percent: number): Promise<void> => {
    await run.progress(percent);
    await optimizations.update(tenantId, id, { progress: Math.min(99, Math.round(percent)) });
  };
  let reporting = Promise.resolve();
  try {
    const view = await properties.view(to);
    const problem = await yieldProblem(services, to, view, optimization.request);
    const answer = await optimized(services, problem, (percent) => {
      reporting = reporting.then(() => report(percent)).catch(() => undefined);
    });
    await reporting;
    const done = { ...optimization, status: 'COMPLETED', progress: 100, plan: requirePlan(answer) } as const;
    await optimizations.update(tenantId, id, done);
    await optimizations.note(tenantId, done, 'RUN', view.businessDate);
    await acceptByRule(services, tenantId, done);
    return {};
  } catch (error) {
    await reporting;
    if (!(error instanceof DomainError) || error.code === 'NOT_EXECUTED') throw error;
    await optimizations.update(tenantId, id, { status: 'FAILED', error: error.message });
    return {};
  }
}
