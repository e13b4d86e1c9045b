import type { IncomingMessage } from 'node:http';

/**
 * Whether a browser page may open a live connection: the server's own page and configured origins. Programs send no
 * `Origin`; they need a token anyway.
 */
export function originAllowed({ headers }: IncomingMessage, corsOrigins: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || corsOrigins.includes(origin)) return true;
  return host !== undefined && URL.parse(origin)?.host === host;
}
