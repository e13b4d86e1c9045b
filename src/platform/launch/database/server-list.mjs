/** Login, hosts, and the rest of a connection string. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/i;

/**
 * The servers of a connection string, which may name several with commas between, each with its own port, as libpq
 * takes them. The driver knows one host only.
 * @param {string} databaseUrl
 * @returns {string[]} a connection string for each
 */
export function serversOf(databaseUrl) {
  const [, login = '', hosts = '', rest = ''] = parts.exec(databaseUrl) ?? [];
  if (!hosts.includes(',')) return [databaseUrl];
  return hosts.split(',').map((host) => `${login}${host}${rest}`);
}
