import { serversOf } from '../database/server-list.mjs';

/** Variables with the address of a server that the service calls. */
const servers = [
  'DATABASE_URL',
  'DATABASE_APP_URL',
  'DATABASE_SYSTEM_URL',
  'DATABASE_JOBS_URL',
  'REDIS_URL',
  'SCHEMA_REGISTRY_URL',
  'OIDC_ISSUER',
  'INNKEEPER_DEVELOPMENT_ISSUER',
  'SMTP_URL',
  'SMS_URL',
  'COMPETITOR_FEED_URL',
  'ANALYTICS_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
];

/** Default ports by protocol. */
const defaultPorts = {
  'http:': ['80'],
  'https:': ['443'],
  'postgres:': ['5432'],
  'postgresql:': ['5432'],
  'redis:': ['6379'],
  'rediss:': ['6379'],
  'smtp:': ['25', '587'],
  'smtps:': ['465'],
};

const listeners = { RATE_PORT: 8083, RESERVATION_PORT: 8084, LIVE_PORT: 8085, OIDC_PORT: 8086, REGISTRY_PORT: 8081 };

/**
 * Every `host:port` that the service may listen on or connect to. Port 0 means any free one, so only the host is
 * listed.
 * @param {Record<string, string | undefined>} env
 * @returns {string[]}
 */
export function netHosts(env) {
  const ports = Object.entries(listeners)
    .map(([name, port]) => env[name] || String(port))
    .filter(isPort);
  // The service calls itself too (issuer, registry, the other service), whatever address it listens on.
  const own = [env.HOST || '127.0.0.1', '127.0.0.1', 'localhost'];
  const brokers = (env.KAFKA_BROKERS ?? '').split(',').map((broker) => broker.trim());
  const stripe = env.STRIPE_SECRET_KEY ? ['api.stripe.com:443'] : [];
  return [
    ...new Set([
      ...own.flatMap((host) => ports.map((port) => join(host, port))),
      ...stripe,
      ...brokers.filter((broker) => /^[^\s:,/]+:\d{1,5}$/.test(broker)),
      ...servers.flatMap((name) => addressesOf(name, env[name] ?? '').flatMap(hostsOf)),
    ]),
  ];
}

/** Several addresses have commas between; of a database only its hosts. */
const addressesOf = (name, value) => (name.startsWith('DATABASE_') ? serversOf(value) : value.split(','));

/**
 * The Unix socket of a database: DATABASE_URL with `?host=/folder`.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function databaseSocket(env) {
  const address = parse(env.DATABASE_URL ?? '');
  const folder = address?.searchParams.get('host');
  return folder?.startsWith('/') ? `${folder}/.s.PGSQL.${address?.port || '5432'}` : undefined;
}

/**
 * @param {string} value
 * @returns {string[]} empty for an invalid address, which the service reports better
 */
function hostsOf(value) {
  const address = parse(value.trim());
  const host = address?.hostname || address?.searchParams.get('host');
  if (!address || !host || host.startsWith('/')) return [];
  const ports = address.port ? [address.port] : (defaultPorts[address.protocol] ?? ['0']);
  return ports.map((port) => join(decodeURIComponent(host), port));
}

/** @returns {URL | undefined} URL.parse() is younger than Node 20 */
function parse(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** An invalid port is left out: Deno would stop with its own message, while the service names the variable. */
function isPort(text) {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** An IPv6 address gets brackets, unless it has them already. */
function join(host, port) {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return port === '0' ? name : `${name}:${port}`;
}
