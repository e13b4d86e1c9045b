import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

import { overhear } from './overheard.ts';

/** An answer; `json` is what the contract says it is, or `null` when it is no JSON. */
export type Answer<T> = { status: number; headers: IncomingHttpHeaders; text: string; json: T; ms: number };

export type Sent = { method: string; url: string; headers: OutgoingHttpHeaders; body?: string };

/** More sockets than any test has callers: a test that wants 400 requests at once gets them at once. */
const SOCKETS = 512;
const TIMEOUT_MS = 240_000;

const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS, scheduling: 'lifo' });

/**
 * Sends one request. `node:http` and not `fetch`: a header can be sent twice, and a body beside DELETE or GET.
 * @throws Error of the connection
 */
export function send<T>({ method, url, headers, body }: Sent): Promise<Answer<T>> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers: { ...headers, ...lengthOf(body) }, timeout: TIMEOUT_MS });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS} ms: ${method} ${url}`)));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const ms = performance.now() - started;
        const json: T = JSON.parse(jsonOf(text));
        const tenant = headers['x-tenant-id']?.toString();
        overhear({ what: `${method} ${url}`, tenant, text: JSON.stringify(incoming.headers) + text });
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json, ms });
      });
    });
    outgoing.end(body);
  });
}

/** Closes the kept-alive connections: a killed service leaves dead ones behind. */
export function hangUp(): void {
  agent.destroy();
}

function lengthOf(body: string | undefined): OutgoingHttpHeaders {
  return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
}

/** `null` for what is no JSON, so that a test fails on the value and not by an exception. */
function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return 'null';
  }
}
