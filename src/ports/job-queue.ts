import type { Day } from '../domain/dates.ts';
import type { JobState } from '../domain/job-state.ts';

import type { Instant } from '../domain/property-time.ts';

/**
 * Every job by the name of its queue: what it is given, and what it answers. Both are plain data of ids, numbers and
 * times: they are kept outside of row security (docs/concepts/storage.md#schemas-and-roles), so nothing of a guest and
 * no amount belongs in them.
 */
export type Jobs = {
  /** Looks which tenants' competitor rates are due, and asks for their refresh. */
  'competitor-check': { data: Record<string, never>; result: { due: number } };
  /** Refreshes what is due, and what was last asked for before `since`. */
  'competitor-refresh': {
    data: { tenantId: string; since?: Instant };
    result: { asked: number; failed: number };
  };
  /** Looks at the prices of a period anew, and has better ones looked for. */
  'rate-recalculation': {
    data: { tenantId: string; propertyId: string; start?: Day; end?: Day };
    result: { nights: number; optimizationId?: string };
  };
  /** Looks which properties have daily jobs to be done, and does them. */
  'daily-check': { data: Record<string, never>; result: Record<string, never> };
  /** Offers reports to the analytics service that it has not taken yet. */
  'analytics-push': { data: Record<string, never>; result: { pushed: number } };
  /** Looks for the best rates of a long period; the job has the id of the optimization, which keeps the outcome. */
  'yield-optimization': { data: { tenantId: string; id: string }; result: Record<string, never> };
};
export type JobName = keyof Jobs;

const EVERY_JOB: Record<JobName, true> = {
  'analytics-push': true,
  'competitor-check': true,
  'competitor-refresh': true,
  'daily-check': true,
  'rate-recalculation': true,
  'yield-optimization': true,
};
/** The names of all queues. */
export const JOB_NAMES = Object.keys(EVERY_JOB) as readonly JobName[];

/** A job as it stands. */
export type Job<N extends JobName> = {
  id: string;
  data: Jobs[N]['data'];
  state: JobState;
  /** Percent. */
  progress: number;
  /** Of a COMPLETED one. */
  result?: Jobs[N]['result'];
  /** Why it FAILED, fit to be shown. */
  error?: string;
};

export type Wanted = {
  /** Asked for twice under one id it is one job, as long as the first is kept: 25 hours after its end. */
  id?: string;
  /** While a job with this key waits or runs there is no second one; the answer names that job. */
  oneOf?: string;
};

/** A job that runs. `signal` says that the process is going: what stops for it begins anew in the next one. */
export type JobRun = { id: string; signal: AbortSignal; progress(percent: number): Promise<void> };

/** Does the job. It runs again after a fault or a crash, so it must bear being done twice. */
export type JobHandler<N extends JobName> = (data: Jobs[N]['data'], run: JobRun) => Promise<Jobs[N]['result']>;

/** Work that outlives its request and the process. */
export interface JobQueue {
  /** Whether it has been there since the start: what nobody waits for is asked for only then. */
  readonly isOpen: boolean;
  /** @throws Refusal NOT_EXECUTED when the queue is not there, or too much waits in it */
  enqueue<N extends JobName>(name: N, data: Jobs[N]['data'], wanted?: Wanted): Promise<{ id: string }>;
  /** `undefined` when there is none, or not any more. @throws Refusal NOT_EXECUTED when the queue is not there */
  find<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined>;
  /** The same, once it has ended or the time has passed. */
  ended<N extends JobName>(name: N, id: string, withinMs: number): Promise<Job<N> | undefined>;
  /** Jobs of a queue that wait or run, as last counted. */
  size(name: JobName): number;
}
