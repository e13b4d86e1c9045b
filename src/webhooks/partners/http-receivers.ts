import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';

import { faultCode } from '../../platform/partners/fault-code.ts';
import type { ReceiverAnswer, Receivers, WebhookRequest } from '../ports.ts';
import { isPublicAddress } from './public-address.ts';

/** Time limit of a request, from the look-up of its name to the status of its answer. */
const TIMEOUT_MS = 15_000;
/** What is read of an answer, so that its connection can be used again; more is cut off. */
const MAX_ANSWER_BYTES = 16 * 1024;
/** Connections to one receiver, idle ones of all receivers, and how long those stay open. */
const MAX_OF_ONE = 16;
const MAX_IDLE = 4;
const IDLE_MS = 10_000;
const MAX_ASKED_SECONDS = 86_400;

type Options = {
  /** Addresses of own networks and plain http are allowed. */
  allowPrivate: boolean;
  timeoutMs?: number;
  /** All addresses of a name. */
  resolve?(name: string): Promise<string[]>;
};

const allOf = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Why nothing is sent; its text is for the client. */
class Refused extends Error {
  override readonly name = 'Refused';
}

/**
 * Receivers over HTTP (docs/reference/webhooks.md#addresses). A name is looked up once a request, and the connection
 * goes to the address that was checked: a name that changes between check and connection changes nothing. Redirects
 * are not followed.
 */
export class HttpReceivers implements Receivers {
  readonly #options: Options;
  readonly #agents: { http: http.Agent; https: https.Agent };

  constructor(options: Options) {
    this.#options = options;
    const pool = { keepAlive: true, maxSockets: MAX_OF_ONE, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS };
    this.#agents = { http: new http.Agent(pool), https: new https.Agent(pool) };
  }

  [Symbol.dispose](): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  faultOf(text: string): string | undefined {
    const url = URL.parse(text);
    const { allowPrivate } = this.#options;
    if (!url || !['https:', 'http:'].includes(url.protocol)) return 'is no https URL';
    if (url.protocol === 'http:' && !allowPrivate) return 'is not https';
    if (url.username !== '' || url.password !== '') return 'has a user name or a password';
    if (url.hash !== '') return 'has a fragment';
    const host = hostOf(url);
    if (allowPrivate) return undefined;
    if (isIP(host) > 0) return isPublicAddress(host) ? undefined : 'is no public address';
    return /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host) || !host.includes('.')
      ? 'is no public name'
      : undefined;
  }

  async send(request: WebhookRequest): Promise<ReceiverAnswer> {
    const began = performance.now();
    const late = AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
    const took = (): number => Math.round(performance.now() - began);
    try {
      const url = new URL(request.url);
      const fault = this.faultOf(request.url);
      if (fault !== undefined) throw new Refused(`the address ${fault}`);
      const address = await this.#addressOf(hostOf(url), late);
      const { status, retryAfter } = await this.#post(url, address, request, late);
      return { durationMs: took(), httpStatus: status, ...judged(status, retryAfter) };
    } catch (error) {
      return { isTaken: false, durationMs: took(), failure: this.#failureOf(error, late) };
    }
  }

  async #addressOf(host: string, late: AbortSignal): Promise<string> {
    if (isIP(host) > 0) return host;
    const found = await Promise.race([(this.#options.resolve ?? allOf)(host), abortedBy(late)]);
    const [first] = found;
    if (first === undefined) throw new Refused('its name has no address');
    // One that is not public among others is no mistake: which one is used is not for the name to decide.
    if (!this.#options.allowPrivate && !found.every(isPublicAddress))
      throw new Refused('its name has an address that is not public');
    return first;
  }

  #post(
    url: URL,
    address: string,
    { headers, body }: WebhookRequest,
    late: AbortSignal,
  ): Promise<{ status: number; retryAfter: string | undefined }> {
    const isTls = url.protocol === 'https:';
    const host = hostOf(url);
    const options = {
      method: 'POST',
      host: address,
      port: url.port || (isTls ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
      agent: isTls ? this.#agents.https : this.#agents.http,
      // The certificate is that of the name, not of the address.
      ...(isTls && isIP(host) === 0 && { servername: host }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; retryAfter: string | undefined }>();
    const request = (isTls ? https : http).request(options, (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) response.destroy();
      });
      // What comes after the status changes nothing; an answer that never ends holds no connection either.
      response.on('error', () => undefined);
      response.on('end', () => late.removeEventListener('abort', abort));
    });
    // Rejected here, not by an event: not every runtime raises an error for a request that is destroyed.
    const abort = (): void => {
      reject(new Refused('late'));
      request.destroy();
    };
    late.addEventListener('abort', abort, { once: true });
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      resolve({ status: statusCode, retryAfter: undefined });
      socket.destroy();
    });
    request.on('error', reject);
    // After an answer or an error this changes nothing; a connection may also end without either.
    request.on('close', () => {
      late.removeEventListener('abort', abort);
      reject(new Refused('it ended the connection without an answer'));
    });
    request.end(body);
    return promise;
  }

  #failureOf(error: unknown, late: AbortSignal): string {
    if (late.aborted) return `it did not answer within ${(this.#options.timeoutMs ?? TIMEOUT_MS) / 1_000} s`;
    if (error instanceof Refused) return error.message;
    const code = faultCode(error);
    if (code === 'EPERM') return 'this installation may not reach the address: INNKEEPER_ALLOW_NET does not name it';
    return `it cannot be reached${code === undefined ? '' : ` (${code})`}`;
  }
}

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

function judged(status: number, retryAfter: string | undefined): Omit<ReceiverAnswer, 'durationMs'> {
  if (status >= 200 && status < 300) return { isTaken: true };
  if (status >= 300 && status < 400) return { isTaken: false, failure: 'it redirects, which is not followed' };
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Math.min(Number(retryAfter), MAX_ASKED_SECONDS) : 0;
  return { isTaken: false, failure: `it answers ${status}`, ...(seconds > 0 && { retryAfterMs: seconds * 1_000 }) };
}

function abortedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Refused('late')), { once: true }),
  );
}
