import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ExponentialBackoff,
  handleWhenResult,
  type IPolicy,
  retry,
  wrap,
} from 'cockatiel';

import type { BreakerState, Delivery } from '../../kernel/ports.ts';
import { breakerOn, breakerState } from './circuit-breaker.ts';
import { faultCode } from './fault-code.ts';
import { httpAddress, TIMEOUT_MS } from './http-address.ts';

/** Retries of a request after a temporary failure. */
const MORE_TRIES = 2;
const FIRST_PAUSE_MS = 500;

export type PartnerPatience = { timeoutMs?: number; firstPauseMs?: number };

type Request = {
  method?: 'POST';
  /** Query parameters. */
  query?: Record<string, string>;
  headers: Record<string, string>;
  body?: string;
};

/** The parsed answer, or why there is none, in texts of ours: the address may contain a password. */
type PartnerAnswer<T> = { got: T } | Exclude<Delivery, { outcome: 'SENT' }>;

/**
 * A partner over HTTP with idempotent requests: called with retries, and behind a circuit breaker when it fails
 * repeatedly. Redirects are not followed: hosts come from the environment only
 * (docs/guide/production.md#partners).
 */
export class HttpPartner {
  readonly #address: ReturnType<typeof httpAddress>;
  readonly #timeoutMs: number;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #policy: IPolicy;

  constructor(address: string, { timeoutMs = TIMEOUT_MS, firstPauseMs = FIRST_PAUSE_MS }: PartnerPatience = {}) {
    this.#address = httpAddress(address);
    this.#timeoutMs = timeoutMs;
    const passing = handleWhenResult((answer) => ['AWAY', 'DEFERRED'].includes((answer as Delivery).outcome));
    const backoff = new ExponentialBackoff({ initialDelay: firstPauseMs });
    this.#breaker = breakerOn(passing);
    this.#policy = wrap(retry(passing, { maxAttempts: MORE_TRIES, backoff }), this.#breaker);
  }

  get breaker(): BreakerState {
    return breakerState(this.#breaker);
  }

  /**
   * No answer and 5xx are AWAY, 429 is DEFERRED, a redirect and all else REFUSED.
   * @param read parses a good answer; it must read or cancel the body
   * @throws the reason of `signal` when it is aborted
   */
  async send<T>(
    request: Request,
    read: (response: Response) => Promise<T>,
    signal: AbortSignal,
  ): Promise<PartnerAnswer<T>> {
    try {
      return await this.#policy.execute(({ signal: either }) => this.#once(request, read, either), signal);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { outcome: 'AWAY', reason: 'it has failed several times in a row and is left alone for a minute' };
    }
  }

  async #once<T>(
    { query = {}, headers, ...request }: Request,
    read: (response: Response) => Promise<T>,
    signal: AbortSignal,
  ): Promise<PartnerAnswer<T>> {
    const { authorization } = this.#address;
    const url = new URL(this.#address.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const late = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(url, {
        ...request,
        headers: { ...headers, ...authorization },
        redirect: 'manual',
        signal: AbortSignal.any([signal, late]),
      });
      if (response.ok) return { got: await read(response) };
      await response.body?.cancel();
      return faultOf(response);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return { outcome: 'AWAY', reason: `it did not answer within ${this.#timeoutMs / 1_000} s` };
      const code = faultCode(error);
      return { outcome: 'AWAY', reason: `it cannot be reached${code === undefined ? '' : ` (${code})`}` };
    }
  }
}

function faultOf({ status, type }: Response): Exclude<Delivery, { outcome: 'SENT' }> {
  // Some runtimes hide the status of a redirect that is not followed.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return { outcome: 'REFUSED', reason: 'it redirects, which is not followed' };
  const reason = `it answers ${status}`;
  return { outcome: status >= 500 ? 'AWAY' : status === 429 ? 'DEFERRED' : 'REFUSED', reason };
}
