import type { PageConfig, PageSession } from '../../../src/live/contracts/page-config.ts';

/**
 * What the page always needs and requests while its own scripts are still loading (early-script.ts). Each answer is
 * taken once, by the read that would have requested it; what no read takes is forgotten.
 */
export type Early = {
  /** Answers of reads, by address and token. */
  answers: Map<string, Promise<Response>>;
  socket?: EarlySocket;
};

/** A live connection, what has happened on it before anybody listened, and the way to note no more of it. */
type EarlySocket = { socket: WebSocket; events: Event[]; noted: AbortController };

declare global {
  var early: Early | undefined;
}

/** An answer that nobody has taken by then, counted from the start of the page, is too old. */
const FRESH_MS = 20_000;

/** Where the tab keeps a token that was entered by hand. */
export const TOKEN_KEY = 'innkeeper.signed-in';

/** The user's session on the server. */
export const SESSION = '/auth/session';
/** Query of the first page of a list. */
export const FIRST_PAGE = { limit: '200' };

/** Where the properties of a tenant are. */
export const propertiesPath = ({ tenantId }: Pick<PageSession, 'tenantId'>): string =>
  `/api/v1/tenants/${encodeURIComponent(tenantId)}/properties`;

/** Headers of a user's requests to the services. */
export const userHeaders = ({ token, tenantId }: PageSession): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'x-tenant-id': tenantId,
});

/** Address of the first page of the user's properties. */
export const propertiesUrl = ({ reservationUrl }: PageConfig, user: PageSession): string =>
  `${reservationUrl}${propertiesPath(user)}?${new URLSearchParams(FIRST_PAGE).toString()}`;

/** Address of the live protocol, on the page's host; large frames come compressed where the browser can read them. */
export function liveUrl(): string {
  const compress = 'DecompressionStream' in globalThis && isInflated() ? '?compress=deflate-raw' : '';
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/v1${compress}`;
}

function isInflated(): boolean {
  try {
    return new DecompressionStream('deflate-raw').readable !== undefined;
  } catch {
    // Browsers had the class before they had this format.
    return false;
  }
}

/** The key of an answer: one of another user is another one. */
export const answerKey = (url: string, token = ''): string => `${url} ${token}`;

/** Reads an address, or takes the answer that has been requested already. */
export function readOnce(url: string, init: RequestInit = {}, token?: string): Promise<Response> {
  const { answers } = globalThis.early ?? {};
  if (performance.now() > FRESH_MS) answers?.clear();
  const key = answerKey(url, token);
  const answer = answers?.get(key);
  answers?.delete(key);
  // A request that has failed is repeated, as if it had not been made.
  return answer?.catch(() => fetch(url, init)) ?? fetch(url, init);
}

/** A live connection: the one that was opened early, if it can still be used. */
export function openLive(): WebSocket {
  const early = globalThis.early?.socket;
  if (globalThis.early) delete globalThis.early.socket;
  if (!early) return new WebSocket(liveUrl());
  const { socket, events, noted } = early;
  noted.abort();
  if (socket.readyState > WebSocket.OPEN) return new WebSocket(liveUrl());
  // Once its user listens: nothing else can happen on it before.
  queueMicrotask(() => {
    for (const event of events) socket.dispatchEvent(event);
  });
  return socket;
}
