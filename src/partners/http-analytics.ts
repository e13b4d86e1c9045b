import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhenResult,
  type IPolicy,
  retry,
  wrap,
} from 'cockatiel';

import type { AnalyticsService, Push } from '../ports/analytics-service.ts';
import type { Delivery } from '../ports/delivery.ts';
import { faultCode } from './fault-code.ts';

/** Contracts.md 8, partners. */
const TIMEOUT_MS = 10_000;

/** A report has its key, so one without an answer may be sent again: twice, and then later. */
const MORE_TRIES = 2;
const FIRST_PAUSE_MS = 500;

/** After so many failures in a row nobody waits for it, for a while. */
const FAILURES = 5;
const BROKEN_MS = 60_000;

type Options = { timeoutMs?: number; firstPauseMs?: number; brokenMs?: number };

/**
 * Reports by `POST {url}` with an `Idempotency-Key` (contracts.md 8). Redirects are not followed: hosts come from the
 * environment only. What is told of a failure is ours, since the address may hold a password.
 */
export class HttpAnalytics implements AnalyticsService {
  readonly #url: URL;
  readonly #authorization: string | undefined;
  readonly #timeoutMs: number;
  readonly #policy: IPolicy;

  constructor(url: string, options: Options = {}) {
    const { timeoutMs = TIMEOUT_MS, firstPauseMs = FIRST_PAUSE_MS, brokenMs = BROKEN_MS } = options;
    this.#url = new URL(url);
    const { username, password } = this.#url;
    // fetch refuses addresses with a password in them.
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
    this.#authorization = username === '' ? undefined : `Basic ${basic}`;
    this.#url.username = this.#url.password = '';
    this.#timeoutMs = timeoutMs;
    const passing = handleWhenResult((result) => ['AWAY', 'DEFERRED'].includes((result as Delivery).outcome));
    this.#policy = wrap(
      retry(passing, { maxAttempts: MORE_TRIES, backoff: new ExponentialBackoff({ initialDelay: firstPauseMs }) }),
      circuitBreaker(passing, { halfOpenAfter: brokenMs, breaker: new ConsecutiveBreaker(FAILURES) }),
    );
  }

  async push(push: Push, signal: AbortSignal): Promise<Delivery> {
    try {
      return await this.#policy.execute(({ signal: either }) => this.#post(push, either), signal);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { outcome: 'AWAY', reason: 'it has failed several times in a row and is left alone for a minute' };
    }
  }

  async #post({ key, body }: Push, signal: AbortSignal): Promise<Delivery> {
    const headers: Record<string, string> = { 'content-type': 'application/json', 'idempotency-key': key };
    if (this.#authorization !== undefined) headers.authorization = this.#authorization;
    const late = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(this.#url, {
        ...{ method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' },
        signal: AbortSignal.any([signal, late]),
      });
      // What it says is not needed, and may be long.
      await response.body?.cancel();
      return deliveryOf(response);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return { outcome: 'AWAY', reason: `it did not answer within ${this.#timeoutMs / 1_000} s` };
      const code = faultCode(error);
      return { outcome: 'AWAY', reason: `it cannot be reached${code === undefined ? '' : ` (${code})`}` };
    }
  }
}

function deliveryOf({ status, ok, type }: Response): Delivery {
  // Some runtimes hide the status of a redirect that is not followed.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return { outcome: 'REFUSED', reason: 'it redirects, which is not followed' };
  if (ok) return { outcome: 'SENT' };
  const reason = `it answers ${status}`;
  return { outcome: status >= 500 ? 'AWAY' : status === 429 ? 'DEFERRED' : 'REFUSED', reason };
}
