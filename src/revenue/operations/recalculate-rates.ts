import { idFrom } from '../../kernel/operations/id-from.ts';
import { requestJob } from '../../kernel/operations/request-job.ts';
import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { JobRun, Jobs } from '../../kernel/ports.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { RecalculationBody } from '../contracts/yield.ts';
import { missingIn } from '../rules/yield-optimization.ts';
import { beginOptimization, yieldProblem } from './optimize-yield.ts';
import { recalculateSignals } from './recalculate-signals.ts';

/** Nights of an optimization of the whole horizon. */
const HORIZON_NIGHTS = 365;

type Recalculation = Jobs['rate-recalculation'];

/**
 * Requests a recalculation of prices of a period (docs/reference/rates.md#administration).
 * @throws DomainError PROPERTY_NOT_FOUND, IDEMPOTENCY_MISMATCH, NOT_EXECUTED without a job queue
 */
export async function requestRecalculation(
  services: Services,
  caller: Caller,
  { propertyId, startDate: start, endDate: end }: RecalculationBody,
  key?: ClientKey,
): Promise<{ jobId: string; replayed: boolean }> {
  await services.properties.view({ tenantId: caller.tenantId, propertyId });
  const period = { startDate: start && formatDay(start), endDate: end && formatDay(end) };
  const requested = { action: 'RECALCULATE_RATES', after: { propertyId, ...period } };
  return requestJob(services, 'rate-recalculation', caller, { propertyId, start, end }, requested, key);
}

/** Recalculates: demand and market for DYNAMIC plans, cached analyses dropped, and recommended rates for the period. */
export async function recalculateRates(
  services: Services,
  { tenantId, propertyId, start, end }: Recalculation['data'],
  run: JobRun,
): Promise<Recalculation['result']> {
  const to = { tenantId, propertyId };
  const { nights } = await recalculateSignals(services, to);
  services.analyses.forget(tenantId, `${propertyId}\n`);
  const optimizationId = await recommend(services, to, idFrom([tenantId, propertyId, run.id]), { start, end });
  return { nights, optimizationId };
}

/** Optimizes the whole horizon of a property, once a business day. */
export async function optimizeHorizon(services: Services, to: Address, date: Day): Promise<void> {
  await recalculateSignals(services, to);
  await recommend(services, to, idFrom([to.tenantId, to.propertyId, date]), {});
}

/** Begins an optimization; `undefined` without data. Two calls make one optimization. */
async function recommend(
  services: Services,
  to: Address,
  id: string,
  period: { start?: Day; end?: Day },
): Promise<string | undefined> {
  if (await services.optimizations.find(to.tenantId, id)) return id;
  const view = await services.properties.view(to);
  const start = Math.max(period.start ?? 0, view.businessDate);
  const end = Math.min(period.end ?? Infinity, view.lastNight, start + HORIZON_NIGHTS - 1);
  const request = { start, end, objective: 'MAXIMIZE_REVENUE', constraints: {}, strategy: 'DYNAMIC' } as const;
  const problem = await yieldProblem(services, to, view, request);
  if (missingIn(problem.nights)) return undefined;
  const requested = { id, propertyId: to.propertyId, request, createdAt: services.clock.now() };
  await beginOptimization(services, to, requested, problem);
  return id;
}
