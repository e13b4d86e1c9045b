import createClient, { type Client, type Middleware } from 'openapi-fetch';

import type { paths as RatePaths } from './generated/rate.ts';
import type { paths as ReservationPaths } from './generated/reservation.ts';
import { LiveClient, type LiveClientOptions } from './live/live-client.ts';
import { overWebSocket, type SocketLike } from './live/live-transports.ts';
import { ProblemError, problemIn } from './problem.ts';
import { leaveUnread, type Patience, randomKey, sendPatiently } from './retrying.ts';

/** What a client needs to know of an installation, and who it is. */
export type InnkeeperOptions = {
  /** Address of the rate service, such as `https://rates.example.com`. */
  rateUrl: string;
  /** Address of the reservation service. */
  reservationUrl: string;
  /** Address of the live gateway, for {@link Innkeeper.live}. */
  liveUrl?: string;
  tenantId: string;
  /** An access token, or who has one: called for each request, and again with `isRefused` after a 401. */
  token: string | ((asked: { isRefused: boolean }) => string | Promise<string>);
  patience?: Partial<Patience>;
  fetch?: typeof globalThis.fetch;
  /** Opens a socket where there is no global `WebSocket`, as in Node 20. */
  openSocket?: (url: string) => SocketLike;
};

type LiveOptions = Pick<LiveClientOptions, 'listener' | 'isOnline' | 'pauses'>;

/** The services of an installation for one tenant. */
export type Innkeeper = {
  rates: Client<RatePaths>;
  reservations: Client<ReservationPaths>;
  /** Follows properties as they change (docs/reference/live-protocol.md#live-protocol). */
  live(options: LiveOptions): Promise<LiveClient>;
};

/**
 * Connects to both services and the live gateway. Requests carry tenant and token; writes carry an idempotency key, and
 * everything is repeated while a service says that it may succeed later. What is refused is thrown as {@link ProblemError}.
 */
export function connect(options: InnkeeperOptions): Innkeeper {
  const fetch = (request: Request): Promise<Response> => answered(options, request);
  const rates = createClient<RatePaths>({ baseUrl: options.rateUrl, fetch });
  const reservations = createClient<ReservationPaths>({ baseUrl: options.reservationUrl, fetch });
  for (const client of [rates, reservations]) client.use(READS_JSON);
  return {
    rates,
    reservations,
    live: (wanted) => live(options, wanted),
  };
}

/** What a call answered, once it did. @throws ProblemError */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** A page of HTML with status 200 is an answer of something else, such as a proxy or another program at the address. */
const READS_JSON: Middleware = {
  async onResponse({ response, options: { parseAs } }) {
    const type = response.headers.get('content-type');
    if (parseAs !== 'json' || response.status === 204 || type === null || /\bjson\b/i.test(type)) return;
    await leaveUnread(response);
    const detail = `the answer is no JSON but ${type}: is ${response.url || 'the address'} that of the service?`;
    throw new ProblemError(response.status, undefined, detail);
  },
};

async function answered(options: InnkeeperOptions, request: Request): Promise<Response> {
  const first = await sent(options, request, false);
  // Nothing was done without a valid token, so it may be sent again.
  const isRefused = first.status === 401 && typeof options.token === 'function';
  if (isRefused) await leaveUnread(first);
  const response = isRefused ? await sent(options, request, true) : first;
  if (response.ok) return response;
  const problem = await problemIn(response);
  await leaveUnread(response);
  throw new ProblemError(response.status, problem);
}

async function sent(options: InnkeeperOptions, request: Request, isRefused: boolean): Promise<Response> {
  const { headers } = request;
  headers.set('authorization', `Bearer ${await tokenOf(options, isRefused)}`);
  headers.set('x-tenant-id', options.tenantId);
  if (request.method !== 'GET' && !headers.has('idempotency-key')) headers.set('idempotency-key', randomKey());
  const send = options.fetch ?? globalThis.fetch;
  // An attempt has a signal of its own, which follows that of the request.
  const attempt = (signal: AbortSignal | undefined) => send(request.clone(), signal ? { signal } : {});
  return sendPatiently(attempt, options.patience, request.signal);
}

async function tokenOf({ token }: InnkeeperOptions, isRefused: boolean): Promise<string> {
  return typeof token === 'string' ? token : token({ isRefused });
}

async function live(options: InnkeeperOptions, wanted: LiveOptions): Promise<LiveClient> {
  const { liveUrl, tenantId, token } = options;
  if (liveUrl === undefined) throw new Error('a live client needs `liveUrl`');
  const open = options.openSocket ?? ((url: string) => new WebSocket(url));
  const url = `${liveUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/ws/v1`;
  return new LiveClient({
    ...wanted,
    connect: overWebSocket(() => open(url)),
    tenantId,
    token: await tokenOf(options, false),
    ...(typeof token === 'function' && { freshToken: async () => token({ isRefused: true }) }),
  });
}
