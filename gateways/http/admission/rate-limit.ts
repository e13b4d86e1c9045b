import type { FastifyReply } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import type { RequestCounter, RequestCounters, Standing } from '../../../src/platform/coordination/ports.ts';

/**
 * Requests per second, 0 for no limit (docs/reference/api.md#limits); `costly` are those of a tenant that take long to
 * answer.
 */
type RateLimitSettings = {
  tenant: number;
  subject: number;
  address: number;
  costly?: number;
  /** Requests of an address to what everybody may see; not counted when absent. */
  open?: number;
};

/** A burst of twice the rate passes; what goes over the rate is paid back within this time. */
const BURST_WINDOW_SECONDS = 10;

/**
 * So many times the share of an address in bad tokens, and further tokens from there are verified at a fixed pace
 * (token-gate.ts). Up to there a newcomer with a good one is let in at once, even behind the address of an attacker.
 */
const BAD_TOKENS_FACTOR = 10;

/** Pages have many files, and many people sit behind one address: so many times the share of an address. */
const OPEN_FACTOR = 5;
/** From this multiple of its share on, answers to an address wait for the end of the second. */
const SLOW_FACTOR = 2;
/** Refused requests that wait at a time; the rest is answered at once. */
const MAX_SLOWED = 2_000;

/** Requests of an address to open routes that follow from its share of failures; 0 for no limit. */
export const openLimitOf = (address: number): number => address * OPEN_FACTOR;

/** The limit of a counted request: how much of this second's is left, and when all of it is back. */
export type Quota = { limit: number; remaining: number; resetSeconds: number };

/** The error for too many requests, with what the `RateLimit-*` headers say. */
export class QuotaExceeded extends DomainError {
  readonly quota: Quota;
  /** How long to delay the answer. */
  readonly slowMs: number;

  constructor(limit: number, { used, resetMs: waitMs }: Standing) {
    const quota = { limit, remaining: 0, resetSeconds: wholeSeconds(waitMs) };
    super('QUOTA_EXCEEDED', `More than ${limit} requests a second.`, { retryAfterSeconds: quota.resetSeconds });
    this.quota = quota;
    this.slowMs = used < limit * SLOW_FACTOR ? 0 : waitMs;
  }
}

/** Puts a limit on the answer, whatever it counts. */
export function stampLimit(reply: FastifyReply, { limit, remaining, resetSeconds }: Quota): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', resetSeconds);
}

/** The same, unless the answer has one with less left already: a request is counted for its subject and its tenant. */
export function stampCounted(reply: FastifyReply, quota: Quota | undefined): void {
  if (quota === undefined) return;
  const before = reply.getHeader('ratelimit-remaining');
  if (typeof before !== 'number' || quota.remaining < before) stampLimit(reply, quota);
}

/** The limits of a process, shared by its services; whether it counts for itself is the counters' business. */
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

  /** Counts a request of somebody with a valid token. @throws QuotaExceeded */
  async countSubject(subject: string): Promise<Quota | undefined> {
    return this.#subject && take(this.#subject, subject);
  }

  /** Counts a request that belongs to a tenant. @throws QuotaExceeded */
  async countTenant(tenantId: TenantId): Promise<Quota | undefined> {
    return this.#tenant && take(this.#tenant, tenantId);
  }

  /** Counts a request of a tenant that takes long to answer, beside `countTenant`. @throws QuotaExceeded */
  async countCostly(tenantId: TenantId): Promise<Quota | undefined> {
    return this.#costly && take(this.#costly, tenantId);
  }

  /** Whether so many bad tokens came from an address that its next ones are queued (token-gate.ts). */
  async hasManyBadTokens(address: string): Promise<boolean> {
    if (!this.#badTokens) return false;
    const { steady, perSecond } = this.#badTokens;
    return (await steady.standing(address)).used >= perSecond;
  }

  /** Counts a token that was not valid; it is what `hasManyBadTokens` looks at. */
  async countBadToken(address: string): Promise<void> {
    await this.#badTokens?.steady.count(address);
  }

  /** Counts a request without a valid token. @throws QuotaExceeded when the address has had its share. */
  async countUnauthenticated(address: string): Promise<Quota | undefined> {
    return this.#strangers && take(this.#strangers, address);
  }

  /**
   * Counts a request to a route that is open to everybody. @throws QuotaExceeded when the address has had its share.
   */
  async countOpen(address: string): Promise<Quota | undefined> {
    return this.#open && take(this.#open, address);
  }
}

let slowed = 0;

/**
 * Delays errors to an address that is far over its share. An error costs nearly as much as an
 * answer: this way a connection sends one request a second, and not as many as we can refuse.
 */
export async function slowDown({ slowMs }: QuotaExceeded): Promise<void> {
  if (slowMs === 0 || slowed >= MAX_SLOWED) return;
  slowed += 1;
  await pause(slowMs);
  slowed -= 1;
}

/** Both counters have the same bound; `burst` counts what goes over it in a second. */
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

/** Counts one under a key. @throws QuotaExceeded */
export async function take({ perSecond, steady, burst }: Limit, key: string): Promise<Quota> {
  const { used, resetMs } = await steady.count(key);
  const quota = { limit: perSecond, remaining: Math.max(0, perSecond - used), resetSeconds: wholeSeconds(resetMs) };
  if (used <= perSecond) return quota;
  const over: Standing | undefined = await burst?.count(key);
  if (over !== undefined && over.used <= perSecond) return quota;
  throw new QuotaExceeded(perSecond, { used, resetMs });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
