import type { Fold, Folded } from '../history/rules/journal-fold.ts';
import type { NotificationKind } from '../notifications/rules/notification.ts';
import type { PropertyForecast, PropertyHistory } from '../revenue/rules/property-forecast.ts';
import type { YieldAnswer, YieldProblem } from '../revenue/rules/yield-problem.ts';
import type { PropertyRooms } from '../rooms/rules/arrange-rooms.ts';
import type { RoomAssignments } from '../rooms/rules/assign-rooms.ts';
import type { RoomConflict } from '../rooms/rules/room-conflicts.ts';
import type { StoredRecord, RecordKind, Tenant, TenantRecord } from '../tenants/rules/tenant.ts';
import type { PropertyView } from './property-actors.ts';
import type { AdministrationChange, By, Done, RequestKey } from './rules/administration.ts';
import type { AuditHead } from './rules/audit.ts';
import type { Address } from './rules/caller.ts';
import type { Day } from './rules/dates.ts';
import type { PropertyId, TenantId, ReservationId } from './rules/ids.ts';
import type { JobState } from './rules/job-state.ts';
import type { Instant } from './rules/property-time.ts';

/** What is looked for: records that have these values. */
export type Like<K extends RecordKind> = Partial<TenantRecord[K]>;

/** The tenant with what belongs to it and to no property's actor, as one transaction sees it. */
export interface TenantRecords {
  tenant(): Promise<Tenant | undefined>;
  /** Answers what is there then; `undefined` where there is a tenant of this id already. */
  addTenant(tenant: Omit<Tenant, 'createdAt' | 'updatedAt'>): Promise<Tenant | undefined>;
  changeTenant(change: Partial<Pick<Tenant, 'name' | 'type' | 'status' | 'config'>>): Promise<Tenant>;
  /** Also what was removed, which says so. */
  find<K extends RecordKind>(kind: K, like: Like<K>): Promise<StoredRecord<K> | undefined>;
  /** Newest first, without what was removed. */
  list<K extends RecordKind>(
    kind: K,
    like: Like<K>,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<StoredRecord<K>>>;
  /** In the place of the record with its id, which is there again if it was removed. */
  put<K extends RecordKind>(kind: K, record: TenantRecord[K]): Promise<StoredRecord<K>>;
  /** Softly: its row stays. */
  remove(kind: RecordKind, id: string): Promise<void>;
  /** Users who own the tenant: neither they nor their associations are removed. At most `limit`. */
  owners(limit: number): Promise<string[]>;
  /** Room types of a property that were not removed; `undefined` without such a property. */
  roomTypes(propertyId: PropertyId): Promise<string[] | undefined>;
  /** Adds a row to the administration journal; once, as the last thing. */
  note(change: AdministrationChange): Promise<void>;
}

/** Administration of tenants, beside the actors. */
export interface Administration {
  read<T>(tenantId: TenantId, work: (records: TenantRecords) => Promise<T>): Promise<T>;
  /**
   * What an earlier request under the key was answered, for work that no transaction can hold.
   * @throws DomainError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
   */
  answered<T>(by: By, key: RequestKey): Promise<Done<T> | undefined>;
  /**
   * One transaction. Writers of a tenant are serialized, so what one of them has looked up
   * stays true. Under a key it has at most one effect.
   */
  write<T>(by: By, key: RequestKey | undefined, work: (records: TenantRecords) => Promise<T>): Promise<Done<T>>;
}

/**
 * Runs work under an advisory lock, on one node of a database at a time. When the lock is taken the work is skipped;
 * the lock of a dead process is free at once.
 * @param what names the work
 * @returns whether it was done here
 */
export type AdvisoryLock = (what: string, work: () => Promise<void>) => Promise<boolean>;

/** Keeps the signed head of each chain of a tenant that has grown since it was last signed; says how many. */
export type KeepHeads = (tenantId: TenantId, hour: Instant, sign: (head: AuditHead) => string) => Promise<number>;

/** State of a circuit breaker: calls pass, the next call probes, or none pass for a while. */
export const BREAKER_STATES = ['CLOSED', 'HALF_OPEN', 'OPEN'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** A partner; one in this process has no breaker. */
export interface BehindBreaker {
  readonly breaker?: BreakerState | undefined;
}

/**
 * The one source of time: the database's clock, by offset, with the development offset (docs/concepts/actor.md#time).
 */
export interface Clock {
  now(): Instant;
  /** Of one that was put forward: what it showed then. Nobody was missed in the time that it left out. */
  readonly putForwardAt?: Instant;
}

/** What the database says of the time, all in milliseconds. */
export type TimeReading = {
  /** Its clock, without the development offset. */
  database: number;
  /** The development offset: only ever grows. */
  ahead: number;
  /** `Date.now()` before the query and after the answer. */
  sent: number;
  received: number;
};

/** Pure work that would hold up the event loop, by name: what goes in and what comes out are plain data. */
export type Tasks = {
  arrangeArrivals: {
    input: PropertyRooms & { last: Day; better: Record<string, string[]> };
    output: RoomAssignments;
  };
  findConflicts: { input: PropertyRooms; output: RoomConflict[] };
  foldJournal: { input: Fold; output: Folded };
  forecastProperty: { input: PropertyHistory; output: PropertyForecast };
  optimizeYield: { input: YieldProblem; output: YieldAnswer };
};

/** Does heavy work beside the event loop. */
export interface Computer {
  /**
   * @param onProgress called now and then with the percentage done of a long task
   * @throws DomainError NOT_EXECUTED when too much waits already
   */
  run<T extends keyof Tasks>(
    task: T,
    input: Tasks[T]['input'],
    onProgress?: (percent: number) => void,
  ): Promise<Tasks[T]['output']>;
}

/**
 * What became of a message that was handed to a partner. AWAY: the partner was not there. DEFERRED: it said later.
 * REFUSED: it never will. After these three it was certainly not taken. UNKNOWN: it may have been; who must not send
 * twice does not repeat it. Reasons are ours and short, for answers of partners repeat addresses.
 */
export type Delivery = { outcome: 'SENT' } | { outcome: 'AWAY' | 'DEFERRED' | 'REFUSED' | 'UNKNOWN'; reason: string };

/** Subject of a message, for the mailbox that stores it. */
export type About = { tenantId: TenantId; reservationId: ReservationId; kind: NotificationKind };

/**
 * The development clock: an offset on the process's and the database's time alike
 * (docs/reference/set-up.md#development-only).
 */
export interface DevelopmentClock {
  now(): Instant;
  /** Puts time forward and answers when everything that fell due by it has run. */
  advance(milliseconds: number): Promise<Instant>;
}

/** Spring Boot's states of a component (docs/operations/health.md#health). */
export const HEALTH_STATES = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** What one component says of itself; `details` are shown to operators only, and hold no secrets all the same. */
export type Health = { status: HealthState; details?: Record<string, unknown> };

/** One component of `/actuator/health`. */
export interface HealthCheck {
  /** Whether the process is DOWN without it; partners and brokers degrade only their own entry. */
  readonly essential: boolean;
  /** Checks the component now. Throwing counts as DOWN; the timeout is 2 s. */
  check(): Promise<Health>;
}

/**
 * Every job by the name of its queue: what it is given, and what it answers. Both are plain data of ids, numbers and
 * times: they are stored outside of row security (docs/concepts/storage.md#schemas-and-roles), so nothing of a guest
 * and no amount belongs in them.
 */
export type Jobs = {
  /** Finds tenants whose competitor rates are due, and requests their refresh. */
  'competitor-check': { data: Record<string, never>; result: { due: number } };
  /** Refreshes what is due, and what was last requested before `since`. */
  'competitor-refresh': {
    data: { tenantId: TenantId; since?: Instant };
    result: { asked: number; failed: number };
  };
  /** Looks at the prices of a period anew, and has better ones looked for. */
  'rate-recalculation': {
    data: { tenantId: TenantId; propertyId: PropertyId; start?: Day; end?: Day };
    result: { nights: number; optimizationId?: string };
  };
  /** Looks which properties have daily jobs to be done, and does them. */
  'daily-check': { data: Record<string, never>; result: Record<string, never> };
  /** Offers reports to the analytics service that it has not taken yet. */
  'analytics-push': { data: Record<string, never>; result: { pushed: number } };
  /** Looks for the best rates of a long period; the job has the id of the optimization, which keeps the outcome. */
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

export type WantedJob = {
  /** Requested twice under one id it is one job, as long as the first is retained: 25 hours after its end. */
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
  /** Whether it has been there since the start: background work is requested only then. */
  readonly isOpen: boolean;
  /** @throws DomainError NOT_EXECUTED when the queue is not there, or too much waits in it */
  enqueue<N extends JobName>(name: N, data: Jobs[N]['data'], wanted?: WantedJob): Promise<{ id: string }>;
  /** `undefined` when there is none, or not any more. @throws DomainError NOT_EXECUTED when the queue is not there */
  find<N extends JobName>(name: N, id: string): Promise<Job<N> | undefined>;
  /** The same, once it has ended or the time has passed. */
  ended<N extends JobName>(name: N, id: string, withinMs: number): Promise<Job<N> | undefined>;
  /** Jobs of a queue that wait or run, as last counted. */
  size(name: JobName): number;
}

/**
 * A moment that all nodes see: what distinguishes it from others, and how long ago it was by the database's real
 * time.
 */
export type SeenMoment = { readonly mark: string; readonly ageMs: number };

/** How a repeated job is doing in the whole installation. */
export type StoredRound = {
  /** Its last run that went through. */
  readonly completed?: SeenMoment;
  /** When a run last got on. */
  readonly advanced?: SeenMoment;
  /** When the job queue last brought it. */
  readonly delivered?: SeenMoment;
};

/** What is noted of a run, all of it as of now. */
export type RoundNote = { completed?: boolean; advanced?: boolean; delivered?: boolean };

/** What the nodes of an installation share about repeated jobs, beside the job queue. */
export interface JobRounds {
  /** By the name of the job; those that nobody has noted anything of are absent. */
  all(): Promise<ReadonlyMap<string, StoredRound>>;
  /** @returns the round as it is noted now */
  note(name: string, what: RoundNote): Promise<StoredRound>;
  /**
   * Takes an overdue round, so that one node alone runs it.
   * @param forMs how long nobody else may take it; a node that dies or hangs does not keep it for longer
   * @returns whether it is this node's to run
   */
  claim(name: string, forMs: number): Promise<boolean>;
}

/** What the parts below the edge may log: a message and plain facts, never personal data or tokens. */
export interface Log {
  debug(facts: Record<string, unknown>, message: string): void;
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
  error(facts: Record<string, unknown>, message: string): void;
}

/** Where the next page starts: the last item of the page before, newest first. */
export type PagePosition = { createdAt: Instant; id: string };

export type Page<T> = { items: T[]; next?: PagePosition };

/** A page of items, newest first, of which one more than its limit was read: that one shows that there is a next page. */
export function pageOfNewest<T extends { createdAt: Instant }>(
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

/** What health says of a partner, and of its breaker where it has one. */
export function partnerHealth(state: PartnerState, breaker: BreakerState | undefined): Health {
  return { status: PARTNER_HEALTH[state], ...(breaker && { details: { breaker } }) };
}

/** A property whose actor is in the memory of this node, with what it last committed. */
export type ResidentProperty = { to: Address; view: PropertyView };

export interface ResidentProperties {
  residents(): ResidentProperty[];
}

/** A requested run that may be cancelled. */
export interface ScheduledRun {
  cancel(): void;
  /** It keeps no process alive. */
  unref(): void;
}

/** Monotonic time of one thread, and what is to run at it. Whatever waits with it can be played in simulated time. */
export interface Scheduler {
  /** Milliseconds that only go forward, from whenever: those of two threads cannot be compared. */
  now(): number;
  /** Runs something once, no sooner than so many milliseconds from now. */
  after(delayMs: number, run: () => void): ScheduledRun;
  /** Runs something again and again; what a thread that stood still has missed is run once. */
  every(periodMs: number, run: () => void): ScheduledRun;
}

/** The time of this thread. */
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
 * What of all properties a node sees to in the background (docs/concepts/cluster.md#what-runs-once): those that it
 * owns, and of those that nobody alive owns the ones that it takes.
 */
export type BackgroundPartition = {
  nodeId: string;
  /** Whether a property that nobody alive owns would come to this node. A hint: two nodes may both think so. */
  takes(to: Address): boolean;
};

/**
 * A place in a trace, as W3C Trace Context writes it: what others hang their spans on. Plain text, so that it
 * travels.
 */
export type TraceParent = string;

export type SpanKind = 'server' | 'internal' | 'producer' | 'consumer';

/** What a span says beside its name: ids and counts, never personal data or tokens. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span that has not ended yet. */
export type OpenSpan = {
  readonly traceparent: TraceParent;
  end(facts?: SpanFacts, failed?: boolean): void;
};

/** A span that was noted by its times alone, in milliseconds of `performance.now()`. */
export type EndedSpan = { name: string; parent: TraceParent; from: number; to: number; facts?: SpanFacts };

/** Where spans go; there is none unless somebody wants them. */
export interface Tracer {
  /** @returns `undefined` where this trace is not one of those that are sampled */
  open(name: string, kind: SpanKind, parent?: TraceParent): OpenSpan | undefined;
  /** @returns its place, for spans below it */
  record(span: EndedSpan): TraceParent;
  /** Remembers for a while where in its trace a request was committed, for what is published of it later. */
  note(requestId: string, at: TraceParent): void;
  noted(requestId: string): TraceParent | undefined;
}
