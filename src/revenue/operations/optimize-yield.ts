import { v7 as uuidv7 } from 'uuid';

import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import type { ClientKey } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import type { By } from '../../kernel/rules/administration.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { mean } from '../../kernel/rules/figures.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { LearnedDemand } from '../../rates/rules/demand-model.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';
import { MAX_NIGHTS_AT_ONCE, type OptimizationBody } from '../contracts/yield.ts';
import type { Optimization, OptimizationRequest } from '../ports.ts';
import { nightKeyOf } from '../rules/accepted-rate.ts';
import { missingIn } from '../rules/yield-optimization.ts';
import {
  constraintsOf,
  type YieldAnswer,
  type YieldNight,
  type YieldPlan,
  type YieldProblem,
} from '../rules/yield-problem.ts';
import { acceptByRule } from './acceptance-rule.ts';
import { ratesBeforeAdvice } from './accepted-rates.ts';
import { demandModel, type Learning } from './demand/demand-models.ts';
import { methodOfMost } from './read-forecast.ts';
import { type RevenueNight, revenueNights, type RevenueNightsFrom } from './revenue-nights.ts';

/** After this time an optimization has either reached the queue or never will. */
const ENQUEUED_MS = 60_000;

/** Lost optimizations of a tenant handled in one round. */
const MAX_LOST = 100;

const MISSING = {
  NIGHTS: 'no night of the period has a rate',
  CAPACITY: 'no room can be sold in the period',
  DEMAND: 'no guest is expected in the period',
};

/**
 * Computes rates that maximize the requested objective, over the priced nights of a period
 * (docs/concepts/forecast.md#yield-optimization). A long period goes to the job queue, and the answer is RUNNING. A
 * repeat under the same key gets the run of the first request. The plan names constraints that cannot be met.
 * @throws DomainError INSUFFICIENT_DATA naming what is missing, IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
 */
export async function optimizeYield(
  services: Services,
  caller: Caller,
  body: OptimizationBody,
  key?: ClientKey,
): Promise<{ optimization: Optimization; seq: number; replayed: boolean }> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  const view = await services.properties.view(to);
  return oneAtATime(caller, key, async () => {
    const known = key && (await services.administration.answered<{ id: string }>(caller, key));
    if (known) {
      const { optimization } = await getOptimization(services, caller, known.result.id);
      return { optimization, seq: view.seq, replayed: true };
    }
    const optimization = await ranOrBegun(services, caller, { to, view }, body);
    const { id } = optimization;
    // The search takes longer than a transaction may: the answer is recorded after it.
    if (key) await services.administration.write(caller, key, () => Promise.resolve({ id }));
    return { optimization, seq: view.seq, replayed: false };
  });
}

async function ranOrBegun(
  services: Services,
  caller: Caller,
  { to, view }: { to: Address; view: PropertyView },
  body: OptimizationBody,
): Promise<Optimization> {
  const { startDate: start, endDate: end } = body.optimizationPeriod;
  const { primary: objective, constraints } = body.objectives;
  const request = { start, end, objective, constraints, strategy: body.strategy };
  const requested = {
    id: uuidv7(),
    propertyId: body.propertyId,
    request,
    createdAt: services.clock.now(),
  };
  const problem = await yieldProblem(services, to, view, request);
  return end - start < MAX_NIGHTS_AT_ONCE
    ? completed(services, caller, requested, problem)
    : beginOptimization(services, to, requested, problem, caller);
}

type RequestedOptimization = Omit<Optimization, 'status' | 'progress'>;

async function completed(
  services: Services,
  caller: Caller,
  requested: RequestedOptimization,
  problem: YieldProblem,
): Promise<Optimization> {
  const { tenantId } = caller;
  const plan = requirePlan(await optimized(services, problem));
  const optimization: Optimization = { ...requested, status: 'COMPLETED', progress: 100, plan };
  await services.optimizations.insert(tenantId, optimization, caller);
  await services.optimizations.note(tenantId, optimization, 'RUN', problem.today);
  return acceptByRule(services, tenantId, optimization);
}

/** Queues an optimization. Missing data is reported at once. @param by the requesting user, if any */
export async function beginOptimization(
  { optimizations, jobs }: Services,
  { tenantId }: Address,
  requested: RequestedOptimization,
  problem: YieldProblem,
  by?: By,
): Promise<Optimization> {
  const missing = missingIn(problem.nights);
  if (missing) requirePlan({ status: 'INSUFFICIENT_DATA', missing });
  const optimization: Optimization = { ...requested, status: 'RUNNING', progress: 0 };
  await optimizations.insert(tenantId, optimization, by);
  const { id } = optimization;
  try {
    await jobs.enqueue('yield-optimization', { tenantId, id }, { id });
  } catch (error) {
    await optimizations.update(tenantId, id, { status: 'FAILED', error: 'the job queue was not there' });
    throw error;
  }
  return optimization;
}

/** Runs the search outside the event loop and measures its duration. */
export async function optimized(
  { computer, metricEvents }: Pick<Services, 'computer' | 'metricEvents'>,
  problem: YieldProblem,
  onProgress?: (percent: number) => void,
): Promise<YieldAnswer> {
  const began = performance.now();
  const answer = await computer.run('optimizeYield', problem, onProgress);
  metricEvents.emit('optimization', (performance.now() - began) / 1_000);
  return answer;
}

/** Input of the optimizer for the priced nights of a period; deterministic. */
export async function yieldProblem(
  services: RevenueNightsFrom & Learning & Pick<Services, 'acceptedRates'>,
  to: Address,
  view: PropertyView,
  request: OptimizationRequest,
): Promise<YieldProblem> {
  const [nights, { demand }] = await Promise.all([
    revenueNights(services, to, view, request),
    demandModel(services, to, view),
  ]);
  const { dayStarts, unadvised } = await ratesBeforeAdvice(services, to, view, nights);
  const begun = nights.map((night) => {
    const key = nightKeyOf(night);
    return { ...night, dayStart: dayStarts.get(key), unadvised: unadvised.get(key) };
  });
  return problemOfYield(view, request, begun, demand);
}

/** Locked rates are fixed. */
export function problemOfYield(
  view: PropertyView,
  request: OptimizationRequest,
  revenue: readonly (RevenueNight & Pick<YieldNight, 'dayStart' | 'unadvised'>)[],
  demand: LearnedDemand,
): YieldProblem {
  const { end } = request;
  const restricted = view.restrictions(request.start, end, { rateCode: BAR });
  const locked = new Set(restricted.filter((one) => one.restriction.rateLocked).map(nightKeyOf));
  const nights = revenue.map(({ roomType, day, capacity, booked, rate: current, ...night }) => {
    const { expected, deviation, market, increment, pickup, dayStart, unadvised } = night;
    const { low, high } = locked.has(nightKeyOf({ roomType, day })) ? { low: current, high: current } : night;
    return {
      roomType,
      day,
      capacity,
      booked,
      current,
      low,
      high,
      expected,
      deviation,
      market,
      increment,
      pickup,
      dayStart,
      unadvised,
    };
  });
  const { start, objective, strategy } = request;
  const model = revenue.length > 0 ? methodOfMost(revenue) : undefined;
  const confidence = revenue.length > 0 ? mean(revenue.map((night) => night.confidence)) : undefined;
  const constraints = constraintsOf(view.setup.property.metadata.policies, request.constraints);
  const today = view.businessDate;
  return { objective, constraints, strategy, today, nights, demand, model, confidence, seed: start };
}

/** @throws DomainError INSUFFICIENT_DATA */
export function requirePlan(answer: YieldAnswer): YieldPlan {
  switch (answer.status) {
    case 'COMPLETED':
      return answer;
    case 'INSUFFICIENT_DATA':
      throw new DomainError('INSUFFICIENT_DATA', `There is nothing to optimize: ${MISSING[answer.missing]}.`, {
        extra: { missing: answer.missing },
      });
  }
}

/**
 * Reads an optimization. It FAILED when its job has failed; a lost job is enqueued again.
 * @throws DomainError RATE_CHANGE_NOT_FOUND
 */
export async function getOptimization(
  services: Pick<Services, 'optimizations' | 'jobs' | 'clock'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  id: string,
): Promise<{ optimization: Optimization; to: Address }> {
  const { optimizations, clock } = services;
  let optimization = await optimizations.find(tenantId, id);
  if (!optimization) throw new DomainError('RATE_CHANGE_NOT_FOUND', 'The tenant has no such optimization.');
  if (optimization.status === 'RUNNING' && clock.now() - optimization.createdAt > ENQUEUED_MS) {
    // Without the queue the state is unknown; the next read or sweep follows it.
    await followJob(services, tenantId, id).catch(() => undefined);
    optimization = (await optimizations.find(tenantId, id)) ?? optimization;
  }
  return { optimization, to: { tenantId, propertyId: optimization.propertyId } };
}

/** Enqueues lost jobs of RUNNING optimizations again: a queue may lose jobs, as when Redis is wiped; the rows stay. */
export async function findLostOptimizations(
  services: Pick<Services, 'optimizations' | 'jobs' | 'clock' | 'log'>,
  tenantId: TenantId,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  const before = services.clock.now() - ENQUEUED_MS;
  for (const id of await services.optimizations.running(tenantId, before, MAX_LOST + each.resting))
    await each.one(`${tenantId} optimization ${id}`, () => followJob(services, tenantId, id));
}

/** Records the outcome of a RUNNING optimization's job. A missing job is enqueued again under the same id. */
async function followJob(
  { optimizations, jobs }: Pick<Services, 'optimizations' | 'jobs'>,
  tenantId: TenantId,
  id: string,
): Promise<void> {
  const job = await jobs.find('yield-optimization', id);
  if (!job) await jobs.enqueue('yield-optimization', { tenantId, id }, { id });
  if (job?.state !== 'FAILED' && job?.state !== 'COMPLETED') return;
  // It may have ended between the two queries. Otherwise the database is older than the queue.
  if ((await optimizations.find(tenantId, id))?.status !== 'RUNNING') return;
  await optimizations.update(tenantId, id, { status: 'FAILED', error: job.error ?? 'its outcome is lost' });
}
