import type { FastifyReply } from 'fastify';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '../../src/domain/refusal.ts';

/** Requests per second, 0 for no limit (contracts.md 2); `costly` are those of a tenant that take long to answer. */
export type RateLimitSettings = { tenant: number; subject: number; address: number; costly?: number };

/** A burst of twice the rate passes; what goes over the rate is paid back within this time. */
const BURST_WINDOW_SECONDS = 10;

/** A refusal for too many requests, with what the `RateLimit-*` headers say. */
export class QuotaRefusal extends Refusal {
  readonly limit: number;
  readonly resetSeconds: number;

  constructor(limit: number, waitMs: number) {
    const resetSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    super('QUOTA_EXCEEDED', `More than ${limit} requests a second.`, { retryAfterSeconds: resetSeconds });
    this.limit = limit;
    this.resetSeconds = resetSeconds;
  }

  /** Puts the limit on the answer. */
  stamp(reply: FastifyReply): void {
    stampLimit(reply, this.limit, this.resetSeconds);
  }
}

/** The headers of a limit that is reached, whatever it counts (contracts.md 2). */
export function stampLimit(reply: FastifyReply, limit: number, resetSeconds: number): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', 0);
  reply.header('ratelimit-reset', resetSeconds);
}

/**
 * So many times the share of an address in bad tokens, and no further token from there is verified for the moment. Up
 * to there a newcomer with a good one gets in, whoever else sits behind the same address.
 */
const BAD_TOKENS_FACTOR = 10;

type Window = { perSecond: number; limiter: RateLimiterMemory };
type Limit = { perSecond: number; limiter: BurstyRateLimiter };

/** The limits of a process, counted in its memory and shared by its services. */
export class RateLimits {
  readonly #tenant: Limit | undefined;
  readonly #subject: Limit | undefined;
  readonly #costly: Limit | undefined;
  readonly #strangers: Window | undefined;
  readonly #badTokens: Window | undefined;

  constructor(settings: RateLimitSettings) {
    this.#tenant = bursty(settings.tenant);
    this.#subject = bursty(settings.subject);
    this.#costly = bursty(settings.costly ?? 0);
    this.#strangers = windowed(settings.address);
    this.#badTokens = windowed(settings.address * BAD_TOKENS_FACTOR);
  }

  /** Counts a request of somebody with a valid token. @throws QuotaRefusal */
  async countSubject(subject: string): Promise<void> {
    if (this.#subject) await consume(this.#subject, subject);
  }

  /** Counts a request that belongs to a tenant. @throws QuotaRefusal */
  async countTenant(tenantId: string): Promise<void> {
    if (this.#tenant) await consume(this.#tenant, tenantId);
  }

  /** Counts a request of a tenant that takes long to answer, beside `countTenant`. @throws QuotaRefusal */
  async countCostly(tenantId: string): Promise<void> {
    if (this.#costly) await consume(this.#costly, tenantId);
  }

  /** Called before an unknown token is verified, so that guessing costs us little. @throws QuotaRefusal */
  async beforeUnknownToken(address: string): Promise<void> {
    if (!this.#badTokens) return;
    const { limiter, perSecond } = this.#badTokens;
    const used = await limiter.get(address);
    if (used !== null && used.consumedPoints >= perSecond) throw new QuotaRefusal(perSecond, used.msBeforeNext);
  }

  /** Counts a token that was not valid; it is what `beforeUnknownToken` looks at. */
  async countBadToken(address: string): Promise<void> {
    await this.#badTokens?.limiter.penalty(address);
  }

  /** Counts a request without a valid token. @throws QuotaRefusal when the address has had its share. */
  async countUnauthenticated(address: string): Promise<void> {
    if (this.#strangers) await consume(this.#strangers, address);
  }
}

function windowed(perSecond: number): Window | undefined {
  if (perSecond === 0) return undefined;
  return { perSecond, limiter: new RateLimiterMemory({ points: perSecond, duration: 1 }) };
}

function bursty(perSecond: number): Limit | undefined {
  if (perSecond === 0) return undefined;
  const steady = new RateLimiterMemory({ points: perSecond, duration: 1 });
  const burst = new RateLimiterMemory({ points: perSecond, duration: BURST_WINDOW_SECONDS });
  return { perSecond, limiter: new BurstyRateLimiter(steady, burst) };
}

async function consume(
  { perSecond, limiter }: { perSecond: number; limiter: Pick<RateLimiterMemory, 'consume'> },
  key: string,
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    throw refused instanceof RateLimiterRes ? new QuotaRefusal(perSecond, refused.msBeforeNext) : refused;
  }
}
