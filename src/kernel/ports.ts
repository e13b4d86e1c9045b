import type { PropertyView } from './property-actors.ts';
import type { Address } from './rules/caller.ts';
import type { Day } from './rules/dates.ts';
import type { PropertyId, TenantId } from './rules/ids.ts';
import type { Instant } from './rules/property-time.ts';
import type { JobState } from './rules/rounds.ts';

/**
 * Runs work under an advisory lock, on one node of a database at a time. Work is skipped while the lock is taken; a
 * dead process releases it at once.
 * @param what name of the work
 * @returns whether it ran here
 */
export type AdvisoryLock = (what: string, work: () => Promise<void>) => Promise<boolean>;

/** State of a circuit breaker: calls pass, the next call probes, or none pass for a while. */
export const BREAKER_STATES = ['CLOSED', 'HALF_OPEN', 'OPEN'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** A partner; one in this process has no breaker. */
export interface BehindBreaker {
  readonly breaker?: BreakerState | undefined;
}

/** A request of a tenant, in progress or waiting for others of its tenant. */
export type TenantPlace = {
  /** Settles when the request may begin; absent where it may at once. */
  begun?: Promise<void>;
  /** Called once, when it is answered or gone, also while it waits. */
  end(): void;
};

/** Shares a node between tenants that use it at the same time. */
export interface TenantShares {
  /** @throws DomainError QUOTA_EXCEEDED, also later by `begun` */
  enter(tenantId: TenantId): TenantPlace;
  /** Runs a wait for a partner: meanwhile the request does not count as one in progress. */
  away<T>(tenantId: TenantId, wait: () => Promise<T>): Promise<T>;
  /** Rests after work behind answers, of so many milliseconds and pieces, where others need the node. */
  rest(tenantId: TenantId, workedMs: number, pieces?: number): Promise<void>;
}

/**
 * The one source of time: the database's clock, by its offset, plus the development offset
 * (docs/concepts/actor.md#time).
 */
export interface Clock {
  now(): Instant;
  /** Time of an advanced development clock before the advance: nobody was missed in the skipped interval. */
  readonly putForwardAt?: Instant;
}

/** A reading of the database's time, in milliseconds. */
export type TimeReading = {
  /** Its clock, without the development offset. */
  database: number;
  /** The development offset; it only grows. */
  ahead: number;
  /** `Date.now()` before the query and after the answer. */
  sent: number;
  received: number;
};

/**
 * Result of sending a message to a partner. AWAY: the partner was not reachable. DEFERRED: it asked to retry later.
 * REFUSED: permanently rejected. In these three cases the message was certainly not accepted. UNKNOWN: it may have
 * been, so a sender that must not send twice does not repeat it. Reasons are short texts of ours, since partners'
 * answers repeat addresses.
 */
export type Delivery = { outcome: 'SENT' } | { outcome: 'AWAY' | 'DEFERRED' | 'REFUSED' | 'UNKNOWN'; reason: string };

/**
 * The development clock: an offset for the process's and the database's time
 * (docs/reference/set-up.md#development-only).
 */
export interface DevelopmentClock {
  now(): Instant;
  /** Advances time, and resolves when everything that fell due has run. */
  advance(milliseconds: number): Promise<Instant>;
}

/** Spring Boot's states of a component (docs/operations/health.md#health). */
export const HEALTH_STATES = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Health of a component; `details` are shown to operators only, and contain no secrets. */
export type Health = { status: HealthState; details?: Record<string, unknown> };

/** A component of `/actuator/health`. */
export interface HealthCheck {
  /** Whether the process is DOWN without it; partners and brokers only affect their own entry. */
  readonly essential: boolean;
  /** Checks the component now. Throwing counts as DOWN; the timeout is 2 s. */
  check(): Promise<Health>;
}

/**
 * Jobs by queue name, with input and result. Both are plain data of ids, numbers and times: they are stored outside
 * row security (docs/concepts/storage.md#schemas-and-roles), so they contain no guest data and no amounts.
 */
export type Jobs = {
  /** Finds tenants whose competitor rates are due, and requests their refresh. */
  'competitor-check': { data: Record<string, never>; result: { due: number } };
  /** Refreshes what is due, and what was last queried before `since`. */
  'competitor-refresh': {
    data: { tenantId: TenantId; since?: Instant };
    result: { asked: number; failed: number };
  };
  /** Recomputes the prices of a period, and has better ones searched. */
  'rate-recalculation': {
    data: { tenantId: TenantId; propertyId: PropertyId; start?: Day; end?: Day };
    result: { nights: number; optimizationId?: string };
  };
  /** Finds properties with daily jobs to do, and runs them. */
  'daily-check': { data: Record<string, never>; result: Record<string, never> };
  /** Pushes reports that the analytics service does not have yet. */
  'analytics-push': { data: Record<string, never>; result: { pushed: number } };
  /** Optimizes the rates of a long period; the job has the id of the optimization, which stores the outcome. */
  'yield-optimization': { data: { tenantId: TenantId; id: string }; result: Record<string, never> };
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
/** Names of all queues. */
export const JOB_NAMES = Object.keys(EVERY_JOB) as readonly JobName[];

/** A job and its state. */
export type Job<N extends JobName> = {
  id: string;
  data: Jobs[N]['data'];
  state: JobState;
  /** Percent. */
  progress: number;
  /** Set when COMPLETED. */
  result?: Jobs[N]['result'];
  /** Reason of a FAILED job, fit to be shown. */
  error?: string;
};

export type WantedJob = {
  /** Requests under one id are one job, as long as the first is retained: 25 hours after its end. */
  id?: string;
  /** While a job with this key waits or runs, no second one is created; the answer names the first. */
  oneOf?: string;
};

/** A running job. `signal` aborts when the process ends; the job then starts anew in the next process. */
export type JobRun = { id: string; signal: AbortSignal; progress(percent: number): Promise<void> };

/** Runs a job. It runs again after a fault or a crash, so it must tolerate repetition. */
export type JobHandler<N extends JobName> = (data: Jobs[N]['data'], run: JobRun) => Promise<Jobs[N]['result']>;

/** Work that outlives its request and its process. */
export interface JobQueue {
  /** Whether the queue has been available since the start: only then is background work requested. */
  readonly isOpen: boolean;
  /** @throws DomainError NOT_EXECUTED when the queue is not available, or too many jobs wait */
  enqueue<N extends JobName>(name: N, data: Jobs[N]['data'], wanted?: WantedJob): Promise<{ id: string }>;
  /**
   * Finds a job; `undefined` when it does not exist or is no longer retained.
   * @throws DomainError NOT_EXECUTED when the queue is not available
   */
  find<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined>;
  /** The job once it has ended, or the time has passed. */
  ended<N extends JobName>(name: N, id: string, withinMs: number): Promise<Job<N> | undefined>;
  /** Waiting and running jobs of a queue, as last counted. */
  size(name: JobName): number;
  /** Jobs that failed for good and are still stored, as last read: the newest of each queue. */
  failed(): readonly FailedJob[];
}

/** A job that is not begun again. */
export type FailedJob = { queue: JobName; id: string; at: Instant; attempts: number; why: string; tenantId?: string };

/** A moment seen by all nodes: its identity, and its age by the database's real time. */
export type SeenMoment = { readonly mark: string; readonly ageMs: number };

/** State of a repeated job in the whole installation. */
export type StoredRound = {
  /** Its last successful run. */
  readonly completed?: SeenMoment;
  /** When a run last made progress. */
  readonly advanced?: SeenMoment;
  /** When the job queue last delivered it. */
  readonly delivered?: SeenMoment;
};

/** What to record of a run, with the current time. */
export type RoundNote = { completed?: boolean; advanced?: boolean; delivered?: boolean };

/** State of repeated jobs shared by the nodes, beside the job queue. */
export interface JobRounds {
  /** Rounds by job name; absent when nothing was recorded. */
  all(): Promise<ReadonlyMap<string, StoredRound>>;
  /** @returns the round after recording */
  note(name: string, what: RoundNote): Promise<StoredRound>;
  /**
   * Claims an overdue round, so that one node alone runs it.
   * @param forMs how long no other node may claim it; a dead node does not hold it for longer
   * @returns whether this node may run it
   */
  claim(name: string, forMs: number): Promise<boolean>;
}

/** Logger of the parts below the edge: a message and plain facts, never personal data or tokens. */
export interface Log {
  debug(facts: Record<string, unknown>, message: string): void;
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
  error(facts: Record<string, unknown>, message: string): void;
}

/** Start of the next page: the last item of the page before. */
export type PagePosition = { createdAt: Instant; id: string };

export type Page<T> = { items: T[]; next?: PagePosition };

/** A page of items, in their order. One more than the limit was read, which shows whether there is a next page. */
export function pageOfRead<T extends { createdAt: Instant }>(
  read: readonly T[],
  limit: number,
  idOf: (item: T) => string,
): Page<T> {
  const items = read.slice(0, limit);
  const last = items.at(-1);
  return read.length > limit && last ? { items, next: { createdAt: last.createdAt, id: idOf(last) } } : { items };
}

/** Whether a partner answered its last call. */
export type PartnerState = 'NOT_ASKED' | 'ANSWERS' | 'AWAY';

const PARTNER_HEALTH: Readonly<Record<PartnerState, HealthState>> = {
  NOT_ASKED: 'UNKNOWN',
  ANSWERS: 'UP',
  AWAY: 'DOWN',
};

/** Health of a partner, with its breaker where it has one. */
export function partnerHealth(state: PartnerState, breaker: BreakerState | undefined): Health {
  return { status: PARTNER_HEALTH[state], ...(breaker && { details: { breaker } }) };
}

/** A committed batch of an actor: its commands, and how long they waited, were decided and were written. */
export type BatchFigures = { at: Instant; commands: number; waitMs: number; decideMs: number; commitMs: number };

/** An actor in memory, for operators: nothing of what the property contains. */
export type ActorFigures = {
  epoch: number;
  seq: number;
  generation: number;
  /** Commands in the mailbox, and the milliseconds that the first of them has waited. */
  queued: number;
  oldestWaitMs: number;
  /** Journal entries in memory for clients that reconnect. */
  ring: number;
  followers: number;
  lastUsed: Instant;
  /** Its own command that fails again and again. */
  failing?: string;
  /** Newest first. */
  batches: readonly BatchFigures[];
};

/** A property whose actor is in this node's memory, with its last committed view. */
export type ResidentProperty = { to: Address; view: PropertyView };

export interface ResidentProperties {
  residents(): ResidentProperty[];
}

/** A scheduled run that may be cancelled. */
export interface ScheduledRun {
  cancel(): void;
  /** The run keeps no process alive. */
  unref(): void;
}

/** Monotonic time and timers of one thread, replaceable by simulated time. */
export interface Scheduler {
  /** Monotonic milliseconds with an arbitrary origin: times of two threads are not comparable. */
  now(): number;
  /** Runs something once, after at least so many milliseconds. */
  after(delayMs: number, run: () => void): ScheduledRun;
  /** Runs something periodically; runs missed while the thread was blocked are run once. */
  every(periodMs: number, run: () => void): ScheduledRun;
}

/** Real time of this thread. */
export const THREAD_SCHEDULER: Scheduler = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref?.() };
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    return { cancel: () => clearInterval(timer), unref: () => void timer.unref?.() };
  },
};

/** Resolves after so many milliseconds, and keeps the process alive until then. */
export function delay(scheduler: Scheduler, delayMs: number): Promise<void> {
  return new Promise((resolve) => scheduler.after(delayMs, resolve));
}

/**
 * Share of a node in background work (docs/concepts/cluster.md#what-runs-once): the properties that it owns, and
 * unowned ones assigned to it.
 */
export type BackgroundPartition = {
  nodeId: string;
  /** Whether an unowned property is assigned to this node. A hint: two nodes may both think so. */
  takes(to: Address): boolean;
};

/** Position in a trace, as text of W3C Trace Context, which becomes the parent of further spans. */
export type TraceParent = string;

export type SpanKind = 'server' | 'internal' | 'producer' | 'consumer';

/** Attributes of a span: ids and counts, never personal data or tokens. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** An open span. */
export type OpenSpan = {
  readonly traceparent: TraceParent;
  end(facts?: SpanFacts, failed?: boolean): void;
};

/** A completed span by its times, in milliseconds of `performance.now()`. */
export type EndedSpan = { name: string; parent: TraceParent; from: number; to: number; facts?: SpanFacts };

/** Receives spans; absent without tracing. */
export interface Tracer {
  /**
   * @param trace id of a trace that begins here, where it is not chosen by the tracer
   * @returns `undefined` when the trace is not sampled
   */
  open(name: string, kind: SpanKind, parent?: TraceParent, trace?: string): OpenSpan | undefined;
  /** @returns its position, for child spans */
  record(span: EndedSpan): TraceParent;
  /** Remembers for a while the trace position of a request's commit, for what is published later. */
  note(requestId: string, at: TraceParent): void;
  noted(requestId: string): TraceParent | undefined;
}
