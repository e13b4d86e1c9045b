import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';

import { faultCode } from './fault-code.ts';
import { isPublicAddress } from './public-address.ts';

/** Connections of one pool, idle ones of it, and how long those stay open. */
const MAX_OF_ONE = 16;
const MAX_IDLE = 4;
const IDLE_MS = 10_000;
const MAX_ASKED_SECONDS = 86_400;

type Options = {
  /** Addresses of own networks and plain http are allowed. */
  allowPrivate: boolean;
  /** Time limit of a request, from the look-up of its name to its answer. */
  timeoutMs: number;
  /** What is read of an answer. */
  maxAnswerBytes: number;
  /** Whether an answer is waited for whole; else its status ends the request. */
  readsBody: boolean;
  /** All addresses of a name. */
  resolve?(name: string): Promise<string[]>;
};

type OutboundRequest = {
  /** Whose connections it may use: requests of others, also to the same host, do not wait for them. */
  of: string;
  url: string;
  method: 'POST' | 'GET';
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** An answer, with at most what is read of it; or why there is none, in texts of ours. */
type OutboundAnswer = { status: number; body: string; retryAfterMs?: number } | { failure: string };

const allOf = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Why nothing is sent; its text is for the client. */
class Refused extends Error {
  override readonly name = 'Refused';
}

type Named = Parameters<http.Agent['getName']>[0] & { pool?: string };

/** Pools of connections by host and by who sends: a partner that says nothing takes no place of others at its host. */
class HttpPools extends http.Agent {
  override getName(options: Named = {}): string {
    return `${super.getName(options)}:${options.pool}`;
  }
}

/** The same with TLS. */
class HttpsPools extends https.Agent {
  override getName(options: Named = {}): string {
    return `${super.getName(options)}:${options.pool}`;
  }
}

/**
 * Requests to addresses that tenants name (docs/reference/webhooks.md#addresses). A name is looked up once a request,
 * and the connection goes to the address that was checked: a name that changes between check and connection changes
 * nothing. Redirects are not followed.
 */
export class OutboundHttp implements Disposable {
  readonly #options: Options;
  readonly #agents: { http: http.Agent; https: https.Agent };

  constructor(options: Options) {
    this.#options = options;
    const pool = { keepAlive: true, maxSockets: MAX_OF_ONE, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS };
    this.#agents = { http: new HttpPools(pool), https: new HttpsPools(pool) };
  }

  [Symbol.dispose](): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  /** Why nothing is sent to an address; names are looked up only when something is sent. */
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

  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const late = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const url = new URL(request.url);
      const fault = this.faultOf(request.url);
      if (fault !== undefined) throw new Refused(`the address ${fault}`);
      const address = await this.#addressOf(hostOf(url), late);
      return await this.#request(url, address, request, late);
    } catch (error) {
      return { failure: this.#failureOf(error, late) };
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

  #request(
    url: URL,
    address: string,
    { of, method, headers, body }: OutboundRequest,
    late: AbortSignal,
  ): Promise<OutboundAnswer> {
    const isTls = url.protocol === 'https:';
    const host = hostOf(url);
    const options = {
      method,
      host: address,
      port: url.port || (isTls ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      headers: {
        ...headers,
        host: url.host,
        ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      pool: of,
      agent: isTls ? this.#agents.https : this.#agents.http,
      // The certificate is that of the name, not of the address.
      ...(isTls && isIP(host) === 0 && { servername: host }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
    let isAnswered = false;
    const answerWith = (answer: OutboundAnswer): void => {
      isAnswered = true;
      resolve(answer);
    };
    const request = (isTls ? https : http).request(options, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const answer = { status, ...retryAfterOf(answered['retry-after']) };
      if (!this.#options.readsBody) answerWith({ ...answer, body: '' });
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = (): void => answerWith({ ...answer, body: Buffer.concat(chunks).toString() });
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= this.#options.maxAnswerBytes) return;
        end();
        response.destroy();
      });
      // What comes after is not read; an answer that never ends holds no connection either.
      response.on('error', () => undefined);
      response.on('end', () => {
        end();
        late.removeEventListener('abort', abort);
      });
    });
    // Deno sends a request again by itself when a connection that was used before ends without an answer: a time limit
    // would then be one more request.
    request.on('socket', () => {
      request.reusedSocket = false;
    });
    // Rejected here, not by an event: not every runtime raises an error for a request that is destroyed.
    const abort = (): void => {
      reject(new Refused('late'));
      request.destroy();
    };
    late.addEventListener('abort', abort, { once: true });
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      answerWith({ status: statusCode, body: '' });
      socket.destroy();
    });
    request.on('error', reject);
    // A connection may also end without an answer or an error.
    request.on('close', () => {
      late.removeEventListener('abort', abort);
      if (!isAnswered) reject(new Refused('it ended the connection without an answer'));
    });
    request.end(method === 'POST' ? body : undefined);
    return promise;
  }

  #failureOf(error: unknown, late: AbortSignal): string {
    if (late.aborted) return `it did not answer within ${this.#options.timeoutMs / 1_000} s`;
    if (error instanceof Refused) return error.message;
    const code = faultCode(error);
    if (code === 'EPERM') return 'this installation may not reach the address: INNKEEPER_ALLOW_NET does not name it';
    return `it cannot be reached${code === undefined ? '' : ` (${code})`}`;
  }
}

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

function retryAfterOf(retryAfter: string | undefined): { retryAfterMs?: number } {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Math.min(Number(retryAfter), MAX_ASKED_SECONDS) : 0;
  return seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {};
}

function abortedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Refused('late')), { once: true }),
  );
}
