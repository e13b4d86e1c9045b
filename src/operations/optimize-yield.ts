import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import type { OptimizationBody } from '../contracts/yield.ts';
import type { Address, Caller } from '../domain/caller.ts';
import { Refusal } from '../domain/refusal.ts';
import type { YieldAnswer, YieldPlan, YieldProblem } from '../domain/yield-problem.ts';
import type { Optimization, OptimizationRequest } from '../ports/optimizations.ts';
import type { PropertyView } from '../ports/properties.ts';
import type { ClientKey } from './send.ts';
import type { Services } from './services.ts';

const DAY_MS = 86_400_000;

const MISSING = {
  NIGHTS: 'no night of the period has a rate',
  CAPACITY: 'no room can be sold in the period',
  DEMAND: 'no guest is expected in the period',
};

/**
 * Rates that bring the most of what is asked for, over the priced nights of a period (specification 4.1,
 * `POST /rates/yield-optimization`). A repeat under the same key gets the run that the first one made.
 * @throws Refusal INSUFFICIENT_DATA with what is missing, VALIDATION_FAILED where the constraints cannot be kept
 */
export async function optimizeYield(
  services: Services,
  caller: Caller,
  body: OptimizationBody,
  key?: ClientKey,
): Promise<{ optimization: Optimization; seq: number; replayed: boolean }> {
  const { tenantId } = caller;
  const to = { tenantId, propertyId: body.propertyId };
  const view = await services.properties.view(to);
  const known = key && (await kept(services, caller, key));
  if (known) return { optimization: known, seq: view.seq, replayed: true };
  const { startDate: start, endDate: end } = body.optimizationPeriod;
  const { primary: objective, constraints } = body.objectives;
  const request = { start, end, objective, constraints, strategy: body.strategy };
  const plan = planOrRefuse(await services.computer.run('optimizeYield', problemOf(view, request)));
  const optimization: Optimization = {
    id: key ? idOf(caller, key) : uuidv7(),
    propertyId: body.propertyId,
    status: 'COMPLETED',
    progress: 100,
    request,
    fingerprint: key?.fingerprint,
    plan,
    createdAt: services.clock.now(),
  };
  await services.optimizations.insert(tenantId, optimization);
  await services.optimizations.note(tenantId, optimization, 'RUN', view.businessDate);
  return { optimization, seq: view.seq, replayed: false };
}

/** The run that this key made in the last day. @throws Refusal IDEMPOTENCY_MISMATCH */
async function kept(services: Services, caller: Caller, key: ClientKey): Promise<Optimization | undefined> {
  const found = await services.optimizations.find(caller.tenantId, idOf(caller, key));
  if (!found || services.clock.now() - found.createdAt > DAY_MS) return undefined;
  if (found.fingerprint === key.fingerprint) return found;
  throw new Refusal('IDEMPOTENCY_MISMATCH', 'The key was used for another request.');
}

/** The same key of the same user makes the same id. */
function idOf({ tenantId, subject }: Caller, { key }: ClientKey): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([tenantId, subject, key]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The priced nights of a period as the optimizer takes them; the same question gives the same answer. */
export function problemOf(view: PropertyView, request: OptimizationRequest): YieldProblem {
  const { start, end, ...asked } = request;
  const nights = view.rateNights(start, end).map(({ roomType, day, capacity, booked, rate, ...night }) => {
    const { low, high, expected, market } = night;
    // Chance alone: as many as come by themselves, give or take.
    const deviation = Math.sqrt(expected);
    return { ...{ roomType, day, capacity, booked, current: rate, low, high, expected, deviation, market } };
  });
  return { ...asked, today: view.businessDate, nights, seed: start };
}

/** @throws Refusal INSUFFICIENT_DATA, VALIDATION_FAILED */
export function planOrRefuse(answer: YieldAnswer): YieldPlan {
  switch (answer.status) {
    case 'COMPLETED':
      return answer;
    case 'INSUFFICIENT_DATA':
      throw new Refusal('INSUFFICIENT_DATA', `There is nothing to optimize: ${MISSING[answer.missing]}.`, {
        extra: { missing: answer.missing },
      });
    case 'UNREACHABLE': {
      const detail = `at most ${answer.reachable} percent can be expected`;
      const errors = [{ pointer: '/objectives/constraints/minOccupancy', code: 'UNREACHABLE', detail }];
      throw new Refusal('VALIDATION_FAILED', `No rates are expected to fill the house so far: ${detail}.`, {
        errors,
      });
    }
  }
}

/** @throws Refusal RATE_CHANGE_NOT_FOUND */
export async function getOptimization(
  services: Services,
  { tenantId }: Caller,
  id: string,
): Promise<{ optimization: Optimization; to: Address }> {
  const optimization = await services.optimizations.find(tenantId, id);
  if (!optimization) throw new Refusal('RATE_CHANGE_NOT_FOUND', 'The tenant has no such optimization.');
  return { optimization, to: { tenantId, propertyId: optimization.propertyId } };
}
