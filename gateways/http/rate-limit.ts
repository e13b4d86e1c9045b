import type { FastifyReply } from 'fastify';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal } from '../../src/domain/refusal.ts';

/** Requests per second, 0 for no limit (contracts.md 2). */
export type RateLimitSettings = { tenant: number; subject: number; address: number };

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
    reply.header('ratelimit-limit', this.limit);
    reply.header('ratelimit-remaining', 0);
    reply.header('ratelimit-reset', this.resetSeconds);
  }
}

type Limit = { perSecond: number; limiter: BurstyRateLimiter };

/** The limits of a process, counted in its memory and shared by its services. */
export class RateLimits {
  readonly #tenant: Limit | undefined;
  readonly #subject: Limit | undefined;
  readonly #address: { perSecond: number; limiter: RateLimiterMemory } | undefined;

  constructor(settings: RateLimitSettings) {
    this.#tenant = bursty(settings.tenant);
    this.#subject = bursty(settings.subject);
    const { address } = settings;
    this.#address =
      address > 0
        ? { perSecond: address, limiter: new RateLimiterMemory({ points: address, duration: 1 }) }
        : undefined;
  }

  /** Counts a request of somebody with a valid token. @throws QuotaRefusal */
  async countSubject(subject: string): Promise<void> {
    if (this.#subject) await consume(this.#subject, subject);
  }

  /** Counts a request that belongs to a tenant. @throws QuotaRefusal */
  async countTenant(tenantId: string): Promise<void> {
    if (this.#tenant) await consume(this.#tenant, tenantId);
  }

  /** Called before an unknown token is verified, so that guessing costs us nothing. @throws QuotaRefusal */
  async beforeUnknownToken(address: string): Promise<void> {
    if (!this.#address) return;
    const { limiter, perSecond } = this.#address;
    const used = await limiter.get(address);
    if (used !== null && used.consumedPoints >= perSecond) throw new QuotaRefusal(perSecond, used.msBeforeNext);
  }

  /** Counts a request without a valid token. @throws QuotaRefusal when the address has had its share. */
  async countUnauthenticated(address: string): Promise<void> {
    if (this.#address) await consume(this.#address, address);
  }
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
