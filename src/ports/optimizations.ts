import type { By } from '../domain/administration.ts';
import type { Day } from '../domain/dates.ts';
import type { Instant } from '../domain/property-time.ts';
import type { Strategy } from '../domain/rate-plan.ts';
import type { Objective, YieldConstraints, YieldPlan } from '../domain/yield-problem.ts';
import type { Page } from './page.ts';
import type { PagePosition } from './page.ts';

export const OPTIMIZATION_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED'] as const;
export type OptimizationStatus = (typeof OPTIMIZATION_STATUSES)[number];

/** What was asked for (docs/reference/rates.md#optimization). */
export type OptimizationRequest = {
  start: Day;
  end: Day;
  objective: Objective;
  constraints: YieldConstraints;
  strategy: Strategy;
};

/** An optimization as it stands. */
export type Optimization = {
  id: string;
  propertyId: string;
  status: OptimizationStatus;
  /** Percent. */
  progress: number;
  request: OptimizationRequest;
  plan?: YieldPlan;
  /** Why it FAILED. */
  error?: string;
  createdAt: Instant;
};

/** Optimizations of a tenant; each completed run and each implement leaves a row of history. */
export interface Optimizations {
  /** In the place of an older one with its id. What somebody has asked for is noted in the administration journal. */
  insert(tenantId: string, one: Optimization, by?: By): Promise<void>;
  /** How far a RUNNING one is, or how it ended. */
  update(
    tenantId: string,
    id: string,
    change: Partial<Pick<Optimization, 'status' | 'progress' | 'plan' | 'error'>>,
  ): Promise<void>;
  find(tenantId: string, id: string): Promise<Optimization | undefined>;
  /** Of those RUNNING that were asked for before then, at most so many, the oldest first. */
  running(tenantId: string, before: Instant, limit: number): Promise<string[]>;
  /** Newest first. */
  list(tenantId: string, propertyId: string, limit: number, after?: PagePosition): Promise<Page<Optimization>>;
  /** `what` is RUN or IMPLEMENT. */
  note(tenantId: string, one: Optimization, what: 'RUN' | 'IMPLEMENT', on: Day): Promise<void>;
}
