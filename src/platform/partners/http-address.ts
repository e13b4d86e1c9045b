/** Time limit of a partner over HTTP (docs/guide/production.md#partners). */
export const TIMEOUT_MS = 10_000;

/**
 * An address from the environment without credentials, which fetch rejects, and the header for them. Neither may be
 * logged or shown.
 */
export function httpAddress(address: string): { url: URL; authorization: { authorization?: string } } {
  const url = new URL(address);
  const { username, password } = url;
  url.username = url.password = '';
  if (username === '') return { url, authorization: {} };
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return { url, authorization: { authorization: `Basic ${basic}` } };
}
