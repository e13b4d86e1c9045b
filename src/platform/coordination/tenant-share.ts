import { setTimeout as pause } from 'node:timers/promises';

import type { TenantPlace, TenantShares } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';

/** So long after its last request a tenant no longer bounds the others. */
const ACTIVE_MS = 1_000;
/** Requests of a tenant that wait for others of its own to end. */
const MAX_WAITING_REQUESTS = 5_000;
/** Requests here from which a tenant is bounded: fewer are no flood, whatever each of them costs. */
const FLOOD_REQUESTS = 32;
/** How many times the requests of every other a tenant must have to be bounded. */
const GREATER = 2;
/** How long one waits at most. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;
/** How often the delay of the event loop is looked at while somebody waits. */
const LOOK_MS = 20;
/** Delay of the event loop from which tenants with a queue rest longer, and up to which they rest less again. */
const LATE_MS = 3;
const FREE_MS = 1;
/** Rest after work, as a multiple of its time, and how fast it grows and falls with each look. */
const MAX_REST = 16;
const REST_MORE = { times: 1.15, perMs: 0.02 };
const REST_LESS = 0.97;
const MAX_REST_MS = 1_000;
/** Weight of the newest delay. */
const NEWEST = 0.2;

type Waiting = { begin(): void; state: 'waiting' | 'begun' | 'gone' };
/** `resting` counts pieces of work behind answers that rest, `away` requests in progress that wait for a partner. */
type Tenant = { inProgress: number; away: number; resting: number; waiting: Waiting[] };

/**
 * Shares a node between tenants: while others send requests, a tenant has a bounded number in progress, and further
 * ones wait for its own to end, not in front of those of others. A tenant whose requests wait, and its work behind
 * answers, rests after each piece of work while the event loop is late, for longer the later it is
 * (docs/reference/api.md#share-of-a-tenant). A tenant that is alone has no bound.
 */
export class TenantShare implements TenantShares {
  readonly #most: number;
  readonly #flood: number;
  readonly #maxWaitMs: number;
  readonly #tenants = new Map<TenantId, Tenant>();
  /** The tenant of the newest request, and the times of that and of the newest of another one. */
  #newest: TenantId | undefined;
  #newestAt = -Infinity;
  #otherAt = -Infinity;
  #delayMs = 0;
  #rest = 0;
  #look: NodeJS.Timeout | undefined;
  #lookDue = 0;
  #wantedAt = -Infinity;

  /**
   * @param most requests of a tenant in progress, 0 for no bound
   * @param flood requests from which a tenant is bounded
   * @param maxWaitMs how long one waits at most
   */
  constructor(most: number, flood = FLOOD_REQUESTS, maxWaitMs = MAX_WAIT_MS) {
    this.#most = most;
    this.#flood = flood;
    this.#maxWaitMs = maxWaitMs;
  }

  /** @throws DomainError QUOTA_EXCEEDED, also later by `begun`, when too many wait or one waits too long */
  enter(tenantId: TenantId): TenantPlace {
    if (this.#most === 0) return { end: () => {} };
    const now = performance.now();
    if (tenantId !== this.#newest) [this.#newest, this.#otherAt] = [tenantId, this.#newestAt];
    this.#newestAt = now;
    const tenant = this.#of(tenantId);
    if (tenant.waiting.length === 0 && this.#mayBegin(tenantId, tenant)) {
      tenant.inProgress += 1;
      return { end: () => this.#end(tenantId, tenant, now) };
    }
    if (tenant.waiting.length >= MAX_WAITING_REQUESTS) throw tooMany();
    this.#watch();
    return this.#queue(tenantId, tenant);
  }

  async away<T>(tenantId: TenantId, wait: () => Promise<T>): Promise<T> {
    if (this.#most === 0) return wait();
    const tenant = this.#of(tenantId);
    tenant.away += 1;
    this.#advance(tenantId, tenant);
    try {
      return await wait();
    } finally {
      tenant.away -= 1;
      this.#forget(tenantId, tenant);
    }
  }

  async rest(tenantId: TenantId, workedMs: number, pieces = 1): Promise<void> {
    if (this.#most === 0 || this.#isAlone(tenantId)) return;
    this.#watch();
    const ms = Math.min(MAX_REST_MS, this.#rest * workedMs);
    if (ms < 1) return;
    const tenant = this.#of(tenantId);
    tenant.resting += pieces;
    await pause(ms);
    tenant.resting -= pieces;
    this.#forget(tenantId, tenant);
  }

  #of(tenantId: TenantId): Tenant {
    const tenant = this.#tenants.get(tenantId) ?? { inProgress: 0, away: 0, resting: 0, waiting: [] };
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  #forget(tenantId: TenantId, tenant: Tenant): void {
    if (tenant.away + requestsOf(tenant) === 0) this.#tenants.delete(tenantId);
  }

  #queue(tenantId: TenantId, tenant: Tenant): TenantPlace {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Who has gone meanwhile listens no more.
    promise.catch(() => undefined);
    let began = 0;
    const waiting: Waiting = {
      state: 'waiting',
      begin: () => {
        clearTimeout(late);
        began = performance.now();
        resolve();
      },
    };
    tenant.waiting.push(waiting);
    const leave = (): void => {
      waiting.state = 'gone';
      tenant.waiting.splice(tenant.waiting.indexOf(waiting), 1);
    };
    // By a timer: those in progress may never end, and then nobody else looks.
    const late = setTimeout(() => {
      leave();
      reject(tooMany());
    }, this.#maxWaitMs).unref();
    return {
      begun: promise,
      end: () => {
        clearTimeout(late);
        if (waiting.state === 'waiting') return leave();
        if (waiting.state === 'begun') this.#end(tenantId, tenant, began);
        waiting.state = 'gone';
      },
    };
  }

  /** While nobody else has sent a request for a moment, a tenant may use the whole node. */
  #isAlone(tenantId: TenantId): boolean {
    const at = tenantId === this.#newest ? this.#otherAt : this.#newestAt;
    return performance.now() - at > ACTIVE_MS;
  }

  #mayBegin(tenantId: TenantId, tenant: Tenant): boolean {
    return tenant.inProgress - tenant.away < this.#most || !this.#isGreatest(tenantId, tenant);
  }

  /**
   * Whether others are there, and each has at most half as many requests here: one that has about as many may be one
   * that the node is too slow for.
   */
  #isGreatest(tenantId: TenantId, tenant: Tenant): boolean {
    const count = requestsOf(tenant);
    if (count < this.#flood || this.#isAlone(tenantId)) return false;
    return this.#tenants.values().every((other) => other === tenant || GREATER * requestsOf(other) <= count);
  }

  /** A request has ended. While others of its tenant wait, its place rests. */
  #end(tenantId: TenantId, tenant: Tenant, began: number): void {
    const rests = tenant.waiting.length > 0 && this.#isGreatest(tenantId, tenant);
    const restMs = rests ? this.#rest * (performance.now() - began) : 0;
    if (restMs < 1) this.#free(tenantId, tenant);
    else setTimeout(() => this.#free(tenantId, tenant), Math.min(restMs, MAX_REST_MS)).unref();
  }

  #free(tenantId: TenantId, tenant: Tenant): void {
    tenant.inProgress -= 1;
    this.#advance(tenantId, tenant);
    this.#forget(tenantId, tenant);
  }

  /** Begins requests that have a place now. */
  #advance(tenantId: TenantId, tenant: Tenant): void {
    for (let next = tenant.waiting[0]; next && this.#mayBegin(tenantId, tenant); next = tenant.waiting[0]) {
      tenant.waiting.shift();
      next.state = 'begun';
      tenant.inProgress += 1;
      next.begin();
    }
  }

  /** Looks at the event loop until nobody has waited or rested for a moment. */
  #watch(): void {
    this.#wantedAt = performance.now();
    if (this.#look !== undefined) return;
    this.#delayMs = 0;
    this.#lookDue = performance.now() + LOOK_MS;
    this.#look = setInterval(() => this.#lookAtLoop(), LOOK_MS).unref();
  }

  #lookAtLoop(): void {
    const now = performance.now();
    this.#delayMs += NEWEST * (Math.max(0, now - this.#lookDue) - this.#delayMs);
    this.#lookDue = now + LOOK_MS;
    if (this.#delayMs > LATE_MS)
      this.#rest = Math.min(MAX_REST, this.#rest * REST_MORE.times + REST_MORE.perMs * this.#delayMs);
    else if (this.#delayMs < FREE_MS) this.#rest *= REST_LESS;
    if (now - this.#wantedAt < 2 * ACTIVE_MS) return;
    clearInterval(this.#look);
    this.#look = undefined;
    this.#rest = 0;
  }
}

/** Some that are away belong to no request: those of jobs. */
const requestsOf = ({ inProgress, away, resting, waiting }: Tenant): number =>
  Math.max(0, inProgress - away) + resting + waiting.length;

function tooMany(): DomainError {
  const detail = 'Too many requests of this tenant wait for an answer.';
  return new DomainError('QUOTA_EXCEEDED', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
