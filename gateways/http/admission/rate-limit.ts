import type { FastifyReply } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import type { RequestCounter, RequestCounters, Standing } from '../../../src/platform/coordination/ports.ts';

/** Requests per second, 0 for no limit (docs/reference/api.md#limits); `costly` counts slow requests of a tenant. */
type RateLimitSettings = {
  tenant: number;
  subject: number;
  address: number;
  costly?: number;
  /** Requests of an address to public routes; not counted when absent. */
  open?: number;
};

/** A burst of twice the rate passes; the excess is paid back within this time. */
const BURST_WINDOW_SECONDS = 10;

/**
 * Factor of an address's quota: with so many bad tokens its further tokens are verified at a fixed pace
 * (token-gate.ts). Below it, a newcomer with a valid token is accepted at once, even behind an attacker's address.
 */
const BAD_TOKENS_FACTOR = 10;

/** Factor of an address's quota for public routes: pages have many files, and many users share an address. */
const OPEN_FACTOR = 5;
/** Multiple of the quota from which answers to an address are delayed to the end of the second. */
const SLOW_FACTOR = 2;
/** Delayed errors at a time; further ones are answered at once. */
const MAX_SLOWED = 2_000;

/** Quota of public routes per address, from that of failures; 0 for no limit. */
export const openLimitOf = (address: number): number => address * OPEN_FACTOR;

/** The quota of a counted request: what is left in this second, and when all of it is back. */
export type Quota = { limit: number; remaining: number; resetSeconds: number };

/** The error for too many requests, with the values of the `RateLimit-*` headers. */
export class QuotaExceeded extends DomainError {
  readonly quota: Quota;
  /** Delay of the answer. */
  readonly slowMs: number;

  constructor(limit: number, { used, resetMs: waitMs }: Standing) {
    const quota = { limit, remaining: 0, resetSeconds: wholeSeconds(waitMs) };
    super('QUOTA_EXCEEDED', `More than ${limit} requests a second.`, { retryAfterSeconds: quota.resetSeconds });
    this.quota = quota;
    this.slowMs = used < limit * SLOW_FACTOR ? 0 : waitMs;
  }
}

/** Sets the quota headers on an answer. */
export function stampLimit(reply: FastifyReply, { limit, remaining, resetSeconds }: Quota): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}

/**
 * Sets the quota headers, unless the answer has a quota with less left: a request is counted for its subject and its
 * tenant.
 */
export function stampCounted(reply: FastifyReply, quota: Quota | undefined): void {
  if (quota === undefined) return;
  const before = reply.getHeader('ratelimit-remaining');
  if (typeof before !== 'number' || quota.remaining < before) stampLimit(reply, quota);
}

/** Quotas of a process, shared by its services. The counters decide whether other processes share them too. */
export class RateLimits {
  readonly #tenant: Limit | undefined;
  readonly #subject: Limit | undefined;
  readonly #costly: Limit | undefined;
  readonly #strangers: Limit | undefined;
  readonly #badTokens: Limit | undefined;
  readonly #open: Limit | undefined;

  constructor(settings: RateLimitSettings, counters: RequestCounters) {
    this.#tenant = limitOf('tenant', settings.tenant, counters, 'bursts');
    this.#subject = limitOf('subject', settings.subject, counters, 'bursts');
    this.#costly = limitOf('costly', settings.costly ?? 0, counters, 'bursts');
    this.#strangers = limitOf('address', settings.address, counters);
    this.#badTokens = limitOf('bad-token', settings.address * BAD_TOKENS_FACTOR, counters);
    this.#open = limitOf('open', settings.open ?? 0, counters, 'bursts');
  }

  /** Counts a request with a valid token, or one that is worth several. @throws QuotaExceeded */
  countSubject(subject: string, times = 1): Quota | undefined {
    return this.#subject && take(this.#subject, subject, times);
  }

  /** Counts a request that belongs to a tenant, or one that is worth several. @throws QuotaExceeded */
  countTenant(tenantId: TenantId, times = 1): Quota | undefined {
    return this.#tenant && take(this.#tenant, tenantId, times);
  }

  /** Counts a slow request of a tenant, in addition to `countTenant`. @throws QuotaExceeded */
  countCostly(tenantId: TenantId): Quota | undefined {
    return this.#costly && take(this.#costly, tenantId);
  }

  /** Requests and slow requests of a tenant in this second, without counting one; none where there is no limit. */
  usedBy(tenantId: TenantId): { requests?: number; costly?: number } {
    const requests = this.#tenant?.steady.standing(tenantId);
    const costly = this.#costly?.steady.standing(tenantId);
    return { ...(requests && { requests: requests.used }), ...(costly && { costly: costly.used }) };
  }

  /** Whether an address has sent so many bad tokens that its next ones are queued (token-gate.ts). */
  hasManyBadTokens(address: string): boolean {
    if (!this.#badTokens) return false;
    const { steady, perSecond } = this.#badTokens;
    return steady.standing(address).used >= perSecond;
  }

  /** Counts an invalid token, for `hasManyBadTokens`. */
  countBadToken(address: string): void {
    this.#badTokens?.steady.count(address);
  }

  /** Counts a request without a valid token. @throws QuotaExceeded beyond the quota of the address */
  async countUnauthenticated(address: string): Promise<Quota | undefined> {
    return this.#strangers && take(this.#strangers, address);
  }

  /** Counts a request to a public route. @throws QuotaExceeded beyond the quota of the address */
  async countOpen(address: string): Promise<Quota | undefined> {
    return this.#open && take(this.#open, address);
  }
}

let slowed = 0;

/**
 * Delays errors to an address far over its quota. An error costs nearly as much as an answer: with the delay a
 * connection sends one request a second, and not as many as can be refused.
 */
export async function slowDown({ slowMs }: QuotaExceeded): Promise<void> {
  if (slowMs === 0 || slowed >= MAX_SLOWED) return;
  slowed += 1;
  await pause(slowMs);
  slowed -= 1;
}

/** Both counters have the same bound; `burst` counts the excess within a second. */
export type Limit = { perSecond: number; steady: RequestCounter; burst?: RequestCounter };

export function limitOf(
  name: string,
  perSecond: number,
  counters: RequestCounters,
  bursts?: 'bursts',
): Limit | undefined {
  if (perSecond === 0) return undefined;
  const steady = counters(name, 1);
  return { perSecond, steady, ...(bursts && { burst: counters(`${name}-burst`, BURST_WINDOW_SECONDS) }) };
}

/** Counts a request under a key, as so many. @throws QuotaExceeded */
export function take({ perSecond, steady, burst }: Limit, key: string, times = 1): Quota {
  const { used, resetMs } = steady.count(key, times);
  const quota = { limit: perSecond, remaining: Math.max(0, perSecond - used), resetSeconds: wholeSeconds(resetMs) };
  if (used <= perSecond) return quota;
  const over: Standing | undefined = burst?.count(key, Math.min(times, used - perSecond));
  if (over !== undefined && over.used <= perSecond) return quota;
  throw new QuotaExceeded(perSecond, { used, resetMs });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
