import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

import type { BreakerState, Delivery } from '../../kernel/ports.ts';
import { PartnerBreaker } from '../../platform/partners/circuit-breaker.ts';
import { faultCode } from '../../platform/partners/fault-code.ts';
import { httpAddress, TIMEOUT_MS } from '../../platform/partners/http-address.ts';
import type { Sms, SmsSender } from '../ports.ts';

/**
 * Sends texts by `POST {url} {to, text, messageId}` (docs/guide/production.md#partners). Uses Node's own client and not
 * fetch: a text may be sent again only when the partner cannot have received it, and fetch does not report on every
 * runtime how far it came. It follows no redirects: hosts come from the environment only.
 */
export class HttpSms implements SmsSender {
  readonly #address: ReturnType<typeof httpAddress>;
  readonly #timeoutMs: number;
  readonly #patience = new PartnerBreaker();

  constructor(url: string, { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}) {
    this.#address = httpAddress(url);
    this.#timeoutMs = timeoutMs;
  }

  get breaker(): BreakerState {
    return this.#patience.breaker;
  }

  send({ to, text, messageId }: Sms, signal: AbortSignal): Promise<Delivery> {
    return this.#patience.deliver(() => this.#post(JSON.stringify({ to, text, messageId }), signal));
  }

  #post(body: string, signal: AbortSignal): Promise<Delivery> {
    const late = AbortSignal.timeout(this.#timeoutMs);
    const { url, authorization } = this.#address;
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve) => {
      let isReached = false;
      const request = (isSecure ? requestSecure : requestPlain)(url, {
        method: 'POST',
        // A stale kept-alive connection would look like one that was lost during the request.
        agent: false,
        headers: {
          ...authorization,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
        signal: AbortSignal.any([signal, late]),
      });
      request.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isReached = true)));
      request.on('response', ({ statusCode = 0 }) => {
        resolve(deliveryOf(statusCode));
        // The body is not needed, and may be long.
        request.destroy();
      });
      request.on('error', (error) => {
        const code = faultCode(error);
        const lost = `no connection${code === undefined ? '' : ` (${code})`}`;
        const reason = late.aborted ? `no answer within ${this.#timeoutMs / 1_000} s` : lost;
        resolve({ outcome: isReached ? 'UNKNOWN' : 'AWAY', reason });
      });
      request.end(body);
    });
  }
}

/** Gateways before the partner do not know the outcome either when they got no answer. */
function deliveryOf(status: number): Delivery {
  const reason = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { outcome: 'SENT' };
  if (status === 502 || status === 504) return { outcome: 'UNKNOWN', reason };
  if (status >= 500 || status === 429 || status === 401 || status === 403) return { outcome: 'AWAY', reason };
  return {
    outcome: 'REFUSED',
    reason: status >= 300 && status < 400 ? 'it redirects, which is not followed' : reason,
  };
}
