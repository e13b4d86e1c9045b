/**
 * Path and query of a request target. A proxy may send the absolute form, `GET http://host/path` (RFC 9112, 3.2.2);
 * routes are matched by what follows the host. The router does the same by `URL.parse`, but calls it detached, which
 * ends the process on Deno.
 */
export function originForm(target: string): string {
  const authority = /^https?:\/\/[^/?#]+/i.exec(target)?.[0];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
