/** How long a partner over HTTP may take (docs/guide/production.md#partners). */
export const TIMEOUT_MS = 10_000;

/**
 * An address out of the environment without its user and password, which fetch refuses, and the header that says them
 * instead. Neither may be logged or shown.
 */
export function httpAddress(address: string): { url: URL; authorization: { authorization?: string } } {
  const url = new URL(address);
  const { username, password } = url;
  url.username = url.password = '';
  if (username === '') return { url, authorization: {} };
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return { url, authorization: { authorization: `Basic ${basic}` } };
}
