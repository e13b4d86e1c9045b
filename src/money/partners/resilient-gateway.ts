import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type IPolicy,
  retry,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';

import type { HealthCheck, Log } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { breakerState } from '../../platform/partners/circuit-breaker.ts';
import type { ChargeRequest, PaymentGateway, TakenCard } from '../ports.ts';
import type { Charge } from '../rules/payment.ts';

/** Most charges end within 3 s, banks can be slow, and an aborted charge has an unknown outcome. */
const TRY_MS = 6_000;
/**
 * Limit for all tries of a call with their pauses. Well under the 15 s after which the reconciler treats an attempt as
 * interrupted (`src/stay/operations/reconcile-payments.ts`): it refunds a booking without a key, which must not happen
 * while the request still waits. (Other partners have 10 s a request, docs/guide/production.md#partners.)
 */
const TOTAL_MS = 10_000;
/** Retries of a call without an answer; every call is idempotent by its id. */
const MORE_TRIES = 2;
const FIRST_PAUSE_MS = 250;

/** Consecutive unanswered tries that open the breaker. */
const FAILURES = 5;
/** Far shorter than a hold in payment (120 s): a repeat with the same key has to reach the provider in time. */
const BROKEN_MS = 10_000;

type GatewayPatience = { tryMs?: number; totalMs?: number; firstPauseMs?: number; brokenMs?: number };

/**
 * Adds timeouts, retries with jittered pauses and a circuit breaker to a provider behind a network. Only missing
 * answers are retried and counted: a declined card is an answer, and an invalid request or a payment still in progress
 * would fail again, and must not open the breaker for everyone else.
 */
export class ResilientGateway implements PaymentGateway {
  readonly name: string;
  readonly hasRealCards: boolean;
  readonly #gateway: PaymentGateway;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #policy: IPolicy;
  readonly #brokenMs: number;

  constructor(gateway: PaymentGateway, log: Log, patience: GatewayPatience = {}) {
    const { tryMs = TRY_MS, totalMs = TOTAL_MS, firstPauseMs = FIRST_PAUSE_MS, brokenMs = BROKEN_MS } = patience;
    this.name = gateway.name;
    this.hasRealCards = gateway.hasRealCards;
    this.#gateway = gateway;
    this.#brokenMs = brokenMs;
    const silence = handleWhen(isSilence);
    this.#breaker = circuitBreaker(silence, {
      halfOpenAfter: brokenMs,
      breaker: new ConsecutiveBreaker(FAILURES),
    });
    const backoff = new ExponentialBackoff({ initialDelay: firstPauseMs });
    this.#policy = wrap(
      timeout(totalMs, TimeoutStrategy.Aggressive),
      retry(silence, { maxAttempts: MORE_TRIES, backoff }),
      this.#breaker,
      timeout(tryMs, TimeoutStrategy.Aggressive),
    );
    this.#breaker.onBreak(() =>
      log.error({ gateway: this.name }, 'the payment provider fails: its circuit breaker is open'),
    );
    this.#breaker.onReset(() => log.info({ gateway: this.name }, 'the payment provider answers again'));
  }

  charge(request: ChargeRequest): Promise<Charge> {
    return this.#patiently(() => this.#gateway.charge(request));
  }

  takeCard(request: Parameters<PaymentGateway['takeCard']>[0]): Promise<TakenCard> {
    return this.#patiently(() => this.#gateway.takeCard(request));
  }

  find(attemptId: string): Promise<Charge | undefined> {
    return this.#patiently(() => this.#gateway.find(attemptId));
  }

  refund(request: Parameters<PaymentGateway['refund']>[0]): ReturnType<PaymentGateway['refund']> {
    return this.#patiently(() => this.#gateway.refund(request));
  }

  /** DOWN from the opening of the breaker until the next answered call; reading it sends no call. */
  readonly health: HealthCheck = {
    essential: false,
    check: async () => {
      const breaker = breakerState(this.#breaker);
      return { status: breaker === 'CLOSED' ? 'UP' : 'DOWN', details: { gateway: this.name, breaker } };
    },
  };

  async #patiently<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.#policy.execute(call);
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new DomainError(
          'PARTNER_UNAVAILABLE',
          'The payment provider is failing, and its circuit breaker is open for a moment.',
          {
            retryAfterSeconds: this.#brokenMs / 1_000,
          },
        );
      if (error instanceof TaskCancelledError)
        throw new DomainError('PARTNER_UNAVAILABLE', 'The payment provider did not answer in time.');
      throw error;
    }
  }
}

/** A provider that wants a later retry has answered. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof DomainError)) return error instanceof TaskCancelledError;
  return error.code === 'PARTNER_UNAVAILABLE' && error.details.retryAfterSeconds === undefined;
}
