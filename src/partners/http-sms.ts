import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

import type { Delivery } from '../ports/delivery.ts';
import type { Sms, SmsSender } from '../ports/sms.ts';
import { leavingAlone } from './leave-alone.ts';

/** Contracts.md 8, partners. */
const TIMEOUT_MS = 10_000;

type Options = { timeoutMs?: number; brokenMs?: number };

/**
 * Texts by `POST {url} {to, text, messageId}` (contracts.md 8). Node's own client and not fetch: whether a text may be
 * sent again hangs on whether the partner can have got it, and fetch does not tell on every runtime how far it came.
 * It follows no redirects: hosts come from the environment only.
 */
export class HttpSms implements SmsSender {
  readonly #url: URL;
  readonly #auth: string | undefined;
  readonly #timeoutMs: number;
  readonly #patiently: (handOver: () => Promise<Delivery>) => Promise<Delivery>;

  constructor(url: string, { timeoutMs = TIMEOUT_MS, brokenMs }: Options = {}) {
    this.#url = new URL(url);
    const { username, password } = this.#url;
    this.#auth = username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#url.username = this.#url.password = '';
    this.#timeoutMs = timeoutMs;
    this.#patiently = leavingAlone(brokenMs);
  }

  send({ to, text, messageId }: Sms, signal: AbortSignal): Promise<Delivery> {
    return this.#patiently(() => this.#post(JSON.stringify({ to, text, messageId }), signal));
  }

  #post(body: string, signal: AbortSignal): Promise<Delivery> {
    const late = AbortSignal.timeout(this.#timeoutMs);
    const isSecure = this.#url.protocol === 'https:';
    return new Promise((resolve) => {
      let isReached = false;
      const request = (isSecure ? requestSecure : requestPlain)(this.#url, {
        method: 'POST',
        // A connection that was kept may be gone by now, which looks like one that was lost under way.
        agent: false,
        auth: this.#auth,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.any([signal, late]),
      });
      request.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isReached = true)));
      request.on('response', ({ statusCode = 0 }) => {
        resolve(deliveryOf(statusCode));
        // What it says is not needed, and may be long.
        request.destroy();
      });
      request.on('error', (error) => {
        const reason = late.aborted
          ? `no answer within ${this.#timeoutMs / 1_000} s`
          : `no connection${codeOf(error)}`;
        resolve({ outcome: isReached ? 'UNKNOWN' : 'AWAY', reason });
      });
      request.end(body);
    });
  }
}

/** Gateways before the partner that got no answer from it do not know either. */
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

/** The system's word for what went wrong, such as ECONNREFUSED. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? ` (${code})` : '';
}
