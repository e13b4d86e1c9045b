import createClient, { type Client } from 'openapi-fetch';

import type { paths as RatePaths } from './generated/rate.ts';
import type { paths as ReservationPaths } from './generated/reservation.ts';
import { LiveClient, type LiveClientOptions } from './live/live-client.ts';
import { overWebSocket, type SocketLike } from './live/live-transports.ts';
import { ProblemError, problemIn } from './problem.ts';
import { PATIENCE, type Patience, randomKey, sendPatiently } from './retrying.ts';

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
  return {
    rates: createClient<RatePaths>({ baseUrl: options.rateUrl, fetch }),
    reservations: createClient<ReservationPaths>({ baseUrl: options.reservationUrl, fetch }),
    live: (wanted) => live(options, wanted),
  };
}

/** What a call answered, once it did. @throws ProblemError */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

async function answered(options: InnkeeperOptions, request: Request): Promise<Response> {
  const first = await sent(options, request, false);
  // Nothing was done without a valid token, so it may be sent again.
  const response =
    first.status === 401 && typeof options.token === 'function' ? await sent(options, request, true) : first;
  if (!response.ok) throw new ProblemError(response.status, await problemIn(response));
  return response;
}

async function sent(options: InnkeeperOptions, request: Request, isRefused: boolean): Promise<Response> {
  const { headers } = request;
  headers.set('authorization', `Bearer ${await tokenOf(options, isRefused)}`);
  headers.set('x-tenant-id', options.tenantId);
  if (request.method !== 'GET' && !headers.has('idempotency-key')) headers.set('idempotency-key', randomKey());
  const send = options.fetch ?? globalThis.fetch;
  return sendPatiently(() => send(request.clone()), { ...PATIENCE, ...options.patience });
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
