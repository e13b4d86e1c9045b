import { isIP } from 'node:net';
import { z } from 'zod';

import { NODE_ROLES } from '../../kernel/rules/placement.ts';
import { serversOf } from '../launch/database/server-list.mjs';
import { isLoopback } from '../launch/mode.mjs';

/** A signing or sealing key; the first of a list makes new texts, the others read old ones. */
export type SecretKey = { readonly id: string; readonly key: Uint8Array };

/** Types of variables, with their error messages (docs/reference/configuration.md#configuration). */
const port = (otherwise: number) => whole(0, 65_535, 'a port number, 0 to 65535').default(otherwise);
const perSecond = (otherwise: number) =>
  whole(0, 10_000_000, 'requests per second, a whole number, 0 for no limit').default(otherwise);
const text = (expected: string) => z.string({ error: `expected ${expected}` }).min(1, `expected ${expected}`);

function whole(least: number, most: number, expected: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `expected ${expected}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `expected ${expected}`);
}

function address(protocols: readonly string[], expected: string) {
  return z.string().refine((value) => {
    const url = URL.parse(value);
    return url !== null && protocols.includes(url.protocol);
  }, `expected ${expected}`);
}

/** Values of libpq that ask for the server that takes writes (docs/guide/production.md#fail-over-of-the-database). */
const PRIMARY_ONLY = new Set([undefined, 'read-write', 'primary']);
const postgres = z
  .string()
  .refine((value) => {
    const servers = serversOf(value).map((one) => URL.parse(one));
    const isOne = servers.length === 1;
    return servers.every((one) => /^postgres(ql)?:$/.test(one?.protocol ?? '') && (isOne || one?.hostname !== ''));
  }, 'expected a postgres:// URL with one host or several, host:port,host:port')
  .refine((value) => {
    const [first] = serversOf(value).map((one) => URL.parse(one)?.searchParams);
    return PRIMARY_ONLY.has(first?.get('target_session_attrs') ?? undefined);
  }, 'expected target_session_attrs=read-write or primary: the service writes');
const web = address(['http:', 'https:'], 'an http or https URL');
const flag = (otherwise: boolean) =>
  z
    .enum(['0', '1', 'true', 'false'], { error: 'expected 1 or 0' })
    .transform((value) => value === '1' || value === 'true')
    .default(otherwise);

const list = (of: z.ZodType<string, string>, expected: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(of, { error: `expected ${expected}` }));

const origin = z
  .string()
  .refine(
    (value) => URL.parse(value)?.origin === value,
    'expected origins, scheme://host[:port], with commas between',
  );
/** Public address of a listener; behind a proxy it may have a path. */
const publicUrl = z
  .string()
  .refine((value) => {
    const url = URL.parse(value);
    const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
    return isWeb && !/[?#]/.test(value) && url.username === '' && url.password === '';
  }, 'expected an http or https URL without a query, such as https://hotel.example/rate')
  .transform((value) => new URL(value).href.replace(/\/+$/, ''));
const rootUrl = publicUrl.refine(
  (value) => URL.parse(value)?.pathname === '/',
  'expected an http or https URL without a path: the dashboards are at the root of their host',
);
const proxies = 'how many proxies stand before the service, or their addresses and networks with commas between';
/** Longest plausible chain of proxies. */
const MAX_PROXIES = 16;
const trustProxy = z.string().transform((value, context): number | readonly string[] => {
  if (/^\d{1,2}$/.test(value) && Number(value) <= MAX_PROXIES) return Number(value);
  const parts = value.split(',').map((part) => part.trim());
  if (!parts.every(isNetwork)) context.addIssue(`expected ${proxies}`);
  return parts;
});
const broker = z.string().regex(/^[^\s:,/]+:\d{1,5}$/, 'expected host:port');
const reachable = 'a host:port that other nodes reach, a name or an IPv4 address';
const nodeAddress = z.string({ error: `expected ${reachable}` }).refine((value) => {
  const [, port] = /^[^\s:,/]{1,255}:(\d{1,5})$/.exec(value) ?? [];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}, `expected ${reachable}`);

/** `10.0.0.0/8`, `fd00::/8`, one address, or a name of proxy-addr for local networks. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [ip = '', bits, ...rest] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const keys = z.string().transform((value, context): readonly SecretKey[] => {
  const made = value.split(',').map((part) => {
    const [id = '', key = ''] = part.trim().split(':', 2);
    return { id, key: Buffer.from(key, 'base64') };
  });
  const ids = new Set(made.map(({ id }) => id));
  const wrong = made.find(({ id, key }) => !/^[A-Za-z0-9_-]{1,20}$/.test(id) || key.length < 32);
  if (wrong !== undefined || ids.size !== made.length) {
    context.addIssue('expected id:base64,id:base64, newest first, different ids, keys of 32 bytes or more');
  }
  return made;
});

/**
 * All variables of the processes; others are ignored. `npm run docs:generate` writes the descriptions into
 * docs/reference/configuration.md#configuration.
 */
export const environment = z.object({
  /** Required when data, users or callers may be real: src/platform/launch/mode.mjs. */
  NODE_ENV: z
    .enum(['development', 'test', 'production'], { error: 'expected development, test or production' })
    .optional()
    .describe(
      'Mode. Required as soon as DATABASE_URL, OIDC_ISSUER or a HOST other than loopback is set. Production refuses every embedded part.',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      error: 'expected trace, debug, info, warn, error or silent',
    })
    .optional()
    .describe('Least level of the log. Without it: info as JSON, warn at a terminal.'),
  HOST: text('an address to listen on').default('127.0.0.1').describe('Address that all listeners bind to.'),
  RATE_PORT: port(8083).describe('Port of the rate service.'),
  RESERVATION_PORT: port(8084).describe('Port of the reservation service.'),
  LIVE_PORT: port(8085).describe('Port of the live gateway and the dashboards.'),
  OIDC_PORT: port(8086).describe('Port of the development issuer. It listens on 127.0.0.1 only.'),
  REGISTRY_PORT: port(8081).describe('Port of the embedded schema registry. It listens on 127.0.0.1 only.'),
  DATA_DIR: text('a folder')
    .default('.data')
    .describe('Folder of the embedded database, of generated keys and of dev.json.'),
  DASHBOARD_DIR: text('a folder')
    .optional()
    .describe('Folder of the bundled pages. The launcher builds them and sets it.'),
  DEMO: z
    .enum(['1', 'empty', '0'], { error: 'expected 1, empty or 0' })
    .default('1')
    .describe(
      'Demo data of the first start. 1: two hotels with a past and guests who arrive; empty: the same, set up without guests; 0: none. Development only.',
    ),
  DEMO_PACE: z
    .enum(['off', '1', '60'], { error: 'expected off, 1 or 60' })
    .default('1')
    .describe(
      'Pace of the guests of DEMO=1 until somebody sets it in the dashboard: none come, as in a real hotel, or 60 times as fast.',
    ),
  /** Descriptor limit of the process, determined by the launcher. */
  INNKEEPER_OPEN_FILES: whole(1, 999_999_999, 'how many files the process may have open')
    .optional()
    .describe('Limit of open files. The launcher measures it and sets it; connection limits follow from it.'),
  INNKEEPER_EMBEDDED_POSTGRES: z
    .string()
    .optional()
    .describe('Marks DATABASE_URL as the embedded server. The launcher sets it. Refused in production.'),
  /** Development issuer shared by the nodes of a local cluster, instead of one embedded in each. */
  INNKEEPER_DEVELOPMENT_ISSUER: web
    .refine((value) => isLoopback(URL.parse(value)?.hostname ?? ''), 'expected an address of this machine')
    .optional()
    .describe(
      'Development issuer that the nodes of a local cluster share. `npm run cluster` sets it. Refused in production.',
    ),
  DATABASE_URL: postgres
    .optional()
    .describe(
      'PostgreSQL server of your own, or the hosts of a primary and its standbys with commas between; the embedded one without it. Required in production.',
    ),
  /** Separate logins for the service after its migrations: all three or none (ops/logins.sql). */
  DATABASE_APP_URL: postgres
    .optional()
    .describe('Login for requests, under row-level security. Set all three logins or none (ops/logins.sql).'),
  DATABASE_SYSTEM_URL: postgres
    .optional()
    .describe('Login for the few columns that are read across tenants, and for leases.'),
  DATABASE_JOBS_URL: postgres.optional().describe('Login for the job queue, where it is in PostgreSQL.'),
  REDIS_URL: address(['redis:', 'rediss:'], 'a redis:// or rediss:// URL')
    .optional()
    .describe('Redis for members of the cluster, rate limits over many nodes, and the job queue.'),
  KAFKA_BROKERS: list(broker, 'host:port, with commas between')
    .optional()
    .describe('Kafka brokers. Without them events stay in the journal.'),
  KAFKA_UI_URL: web.optional().describe('Address of a Kafka user interface. The event test names it in its answer.'),
  SCHEMA_REGISTRY_URL: web
    .optional()
    .describe('Confluent-compatible schema registry. Required in production beside KAFKA_BROKERS.'),
  OIDC_ISSUER: web
    .optional()
    .describe('OpenID Connect issuer of access tokens; the development issuer without it. Required in production.'),
  OIDC_AUDIENCE: text('the audience of access tokens')
    .default('innkeeper')
    .describe('Audience (`aud`) that an access token must have.'),
  OIDC_TOKEN_TYP: z
    .enum(['at+jwt', 'JWT'], { error: 'expected at+jwt or JWT' })
    .default('at+jwt')
    .describe('Header `typ` that is accepted. `JWT` also accepts tokens of issuers without RFC 9068.'),
  OIDC_INTROSPECTION: flag(false).describe('Whether opaque tokens are checked by introspection at the issuer.'),
  OIDC_CLIENT_ID: text('the client id for introspection')
    .optional()
    .describe('Client id for introspection and for sign-in at the dashboards; `dashboard` without it.'),
  OIDC_CLIENT_SECRET: text('the client secret for introspection').optional().describe('Secret of that client.'),
  SECRET_KEYS: keys
    .optional()
    .describe(
      'Keys that sign quote tokens and cursors and seal guest data and sessions. The first one is used for new texts; keep old ones for reading. Required in production, generated in DATA_DIR otherwise.',
    ),
  CONTINGENCY_DIR: text('a folder')
    .optional()
    .describe(
      'Folder for lists of arrivals, guests in house, departures and balances, written every 15 minutes, encrypted. None without it.',
    ),
  CONTINGENCY_KEYS: keys
    .optional()
    .describe(
      'Keys that those lists are encrypted with, the newest first, as SECRET_KEYS are given. Required beside CONTINGENCY_DIR.',
    ),
  METRICS_TOKEN: z
    .string()
    .min(16, 'expected 16 characters or more')
    .optional()
    .describe('Bearer token that may read metrics and health details in production.'),
  CORS_ORIGINS: list(origin, 'origins')
    .default([])
    .describe('Further origins whose pages may call the services. The origin of the dashboards is always allowed.'),
  /** Proxies whose `X-Forwarded-For` is trusted; none without it. */
  TRUST_PROXY: trustProxy
    .optional()
    .describe('Proxies whose `X-Forwarded-For` is used: a count, or addresses and networks. None without it.'),
  /** Public addresses of the listeners, where they differ from the listening ones. */
  PUBLIC_RATE_URL: publicUrl
    .optional()
    .describe('Address of the rate service for browsers; it may have a path. Required in production.'),
  PUBLIC_RESERVATION_URL: publicUrl
    .optional()
    .describe('Address of the reservation service for browsers and in links for guests. Required in production.'),
  PUBLIC_LIVE_URL: rootUrl
    .optional()
    .describe('Address of the dashboards, the root of their host. Required in production.'),
  RATE_LIMIT_TENANT: perSecond(2000).describe('Requests of a tenant. A burst of twice as many passes.'),
  RATE_LIMIT_SUBJECT: perSecond(1000).describe('Requests of a user. Limits of the live gateway follow from it.'),
  RATE_LIMIT_ADDRESS: perSecond(20).describe('Failed or anonymous requests of a network address.'),
  RATE_LIMIT_COSTLY: perSecond(50).describe(
    'Costly requests of a tenant: optimizations, recalculations, refreshes, exports of guests.',
  ),
  TENANT_REQUESTS_IN_PROGRESS: whole(0, 10_000, 'requests at a time, a whole number, 0 for no limit')
    .default(4)
    .describe('Requests of a tenant in progress on a node while other tenants have requests; further ones wait.'),
  RATE_LIMIT_AGENT: whole(0, 100_000, 'requests per minute, a whole number, 0 for no limit')
    .default(60)
    .describe('Requests of an agent to `/mcp` in a minute. Twice as many are answered, by an error of the tool.'),
  /** What a subject may hold without payment, over all properties of its tenant. */
  OPEN_HOLDS_SUBJECT: whole(0, 10_000_000, 'holds and unpaid reservations, a whole number, 0 for no limit')
    .default(100)
    .describe('Open holds and unpaid reservations of a user, over all properties of the tenant.'),
  HELD_ROOM_NIGHTS_SUBJECT: whole(0, 10_000_000, 'rooms by nights, a whole number, 0 for no limit')
    .default(1000)
    .describe('Rooms x nights that a user may hold without having paid, over all properties of the tenant.'),
  IMPORT_MAX_BYTES: whole(1_024, 256 * 1024 * 1024, 'bytes, a whole number')
    .default(64 * 1024 * 1024)
    .describe('Size of an import as it is sent, and of what is in its archive.'),
  EVENT_TEST_PASSWORD: z
    .string()
    .min(8, 'expected 8 characters or more')
    .optional()
    .describe(
      'Password of user `innkeeper` for the event test. Generated in development, off in production without it.',
    ),
  SMTP_URL: address(['smtp:', 'smtps:'], 'an smtp:// or smtps:// URL')
    .optional()
    .describe('Mail server, `smtp[s]://user:password@host:port?from=address`. Without it no mail is sent.'),
  /** A restricted key suffices: it needs charges, payment methods and refunds. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'expected a secret or a restricted key, sk_... or rk_...')
    .optional()
    .describe('Key of the payment provider Stripe; a simulator without it. Required in production.'),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_/, 'expected a publishable key, pk_...')
    .optional()
    .describe(
      'Key with which the booking page shows the card form of Stripe; without it, guests cannot enter cards.',
    ),
  /** Ledger of the simulated payment provider, where nodes of one machine share it. */
  PAYMENT_LEDGER: text('a file')
    .optional()
    .describe('File of the payment simulator that several nodes of one machine share.'),
  SMS_URL: web.optional().describe('Service that takes text messages: POST {to, text, messageId}.'),
  COMPETITOR_FEED_URL: list(web, 'http or https URLs, with commas between')
    .optional()
    .describe('Feeds of competitor rates. Development simulates one without it.'),
  ANALYTICS_URL: web.optional().describe('Service that takes each report of the night audit by POST.'),
  CHANNEL_ALLOW_PRIVATE: flag(false).describe(
    'Whether channels may have http and addresses of own networks and of this machine. For development and closed networks.',
  ),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe(
    'Whether webhooks may have http and addresses of own networks and of this machine. For development and closed networks.',
  ),
  /** Base URL of an OTLP/HTTP collector; no spans without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional().describe('OTLP/HTTP collector. Without it no spans are made.'),
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'console', 'none'], { error: 'expected otlp, console or none' })
    .optional()
    .describe('Where spans go: otlp where a collector is named, else none.'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0+)?)$/, 'expected the part of the requests that is traced, 0 to 1')
    .transform(Number)
    .default(1)
    .describe('Part of the requests that is traced.'),
  OTEL_SERVICE_NAME: text('a name').default('innkeeper').describe('Service name in spans.'),
  NODE_ROLE: z
    .enum(NODE_ROLES, { error: `expected ${NODE_ROLES.join(', ')}` })
    .default('all')
    .describe('What the node does: everything, clients (gateway), property actors, or jobs and topics (worker).'),
  NODE_HOST: text('the address that other nodes reach this one at')
    .optional()
    .describe('Address that the node listens on for other nodes, and names to them. 127.0.0.1 without it.'),
  NODE_PORT: port(0).describe('Port for other nodes; 0 takes a free one.'),
  /** Address of this node for others, where it differs from the listening one: a proxy, or NAT. */
  NODE_ADVERTISE: nodeAddress
    .optional()
    .describe('Address that other nodes connect to, where it differs from NODE_HOST and NODE_PORT.'),
  CLUSTER_SECRET: z
    .string()
    .min(16, 'expected 16 characters or more')
    .optional()
    .describe('Secret that all nodes of a cluster share. With REDIS_URL it makes the process a node of a cluster.'),
  CLUSTER_TLS_CERT: text('a file').optional().describe('Certificate (PEM) for mutual TLS between nodes.'),
  CLUSTER_TLS_KEY: text('a file').optional().describe('Private key (PEM) of that certificate.'),
  CLUSTER_TLS_CA: text('a file')
    .optional()
    .describe("Certificate authority (PEM) that signs the nodes' certificates."),
});

export type Environment = z.infer<typeof environment>;
