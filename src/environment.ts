import { isIP } from 'node:net';
import { z } from 'zod';

import { NODE_ROLES } from './domain/placement.ts';
import { isLoopback } from './launch/mode.mjs';

/** One signing or sealing key; the first of a list makes new texts, the others only read old ones. */
export type SecretKey = { readonly id: string; readonly key: Uint8Array };

/** One variable each: what it may be, and the words for it when it is not (contracts.md 1). */
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

const postgres = address(['postgres:', 'postgresql:'], 'a postgres:// URL');
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
/** Where others find a listener: behind a proxy it may be below a path. */
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
/** More than anybody has in a row. */
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

/** `10.0.0.0/8`, `fd00::/8`, one address, or a word of proxy-addr for those of the machine and of the neighbourhood. */
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

/** Every name of contracts.md 1 that the processes understand; others are left alone. */
export const environment = z.object({
  /** Needed as soon as data, users or callers may be real: src/launch/mode.mjs. */
  NODE_ENV: z
    .enum(['development', 'test', 'production'], { error: 'expected development, test or production' })
    .optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      error: 'expected trace, debug, info, warn, error or silent',
    })
    .optional(),
  HOST: text('an address to listen on').default('127.0.0.1'),
  RATE_PORT: port(8083),
  RESERVATION_PORT: port(8084),
  LIVE_PORT: port(8085),
  OIDC_PORT: port(8086),
  REGISTRY_PORT: port(8081),
  DATA_DIR: text('a folder').default('.data'),
  DASHBOARD_DIR: text('a folder').optional(),
  DEMO: flag(true),
  /** Descriptors that the process may have; the launcher finds out. */
  INNKEEPER_OPEN_FILES: whole(1, 999_999_999, 'how many files the process may have open').optional(),
  INNKEEPER_EMBEDDED_POSTGRES: z.string().optional(),
  /** Development issuer that the nodes of a local cluster share, instead of one embedded in each. */
  INNKEEPER_DEVELOPMENT_ISSUER: web
    .refine((value) => isLoopback(URL.parse(value)?.hostname ?? ''), 'expected an address of this machine')
    .optional(),
  DATABASE_URL: postgres.optional(),
  /** Logins of their own for what the service does after its migrations: all three or none (ops/logins.sql). */
  DATABASE_APP_URL: postgres.optional(),
  DATABASE_SYSTEM_URL: postgres.optional(),
  DATABASE_JOBS_URL: postgres.optional(),
  REDIS_URL: address(['redis:', 'rediss:'], 'a redis:// or rediss:// URL').optional(),
  KAFKA_BROKERS: list(broker, 'host:port, with commas between').optional(),
  KAFKA_UI_URL: web.optional(),
  SCHEMA_REGISTRY_URL: web.optional(),
  OIDC_ISSUER: web.optional(),
  OIDC_AUDIENCE: text('the audience of access tokens').default('innkeeper'),
  OIDC_TOKEN_TYP: z.enum(['at+jwt', 'JWT'], { error: 'expected at+jwt or JWT' }).default('at+jwt'),
  OIDC_INTROSPECTION: flag(false),
  OIDC_CLIENT_ID: text('the client id for introspection').optional(),
  OIDC_CLIENT_SECRET: text('the client secret for introspection').optional(),
  SECRET_KEYS: keys.optional(),
  METRICS_TOKEN: z.string().min(16, 'expected 16 characters or more').optional(),
  CORS_ORIGINS: list(origin, 'origins').default([]),
  /** Whose `X-Forwarded-For` is believed: nobody's without it. */
  TRUST_PROXY: trustProxy.optional(),
  /** Where browsers and guests find the listeners, when that is not where they listen. */
  PUBLIC_RATE_URL: publicUrl.optional(),
  PUBLIC_RESERVATION_URL: publicUrl.optional(),
  PUBLIC_LIVE_URL: rootUrl.optional(),
  RATE_LIMIT_TENANT: perSecond(2000),
  RATE_LIMIT_SUBJECT: perSecond(1000),
  RATE_LIMIT_ADDRESS: perSecond(20),
  RATE_LIMIT_COSTLY: perSecond(50),
  /** What a subject may hold without having paid, over all properties of its tenant. */
  OPEN_HOLDS_SUBJECT: whole(0, 10_000_000, 'holds and unpaid reservations, a whole number, 0 for no limit').default(
    100,
  ),
  HELD_ROOM_NIGHTS_SUBJECT: whole(0, 10_000_000, 'rooms by nights, a whole number, 0 for no limit').default(1000),
  EVENT_TEST_PASSWORD: z.string().min(8, 'expected 8 characters or more').optional(),
  SMTP_URL: address(['smtp:', 'smtps:'], 'an smtp:// or smtps:// URL').optional(),
  /** A restricted key does as well: charges, payment methods and refunds are all that it has to be allowed. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'expected a secret or a restricted key, sk_... or rk_...')
    .optional(),
  /** File of the simulated payment provider, where more nodes of one machine share it. */
  PAYMENT_LEDGER: text('a file').optional(),
  SMS_URL: web.optional(),
  COMPETITOR_FEED_URL: list(web, 'http or https URLs, with commas between').optional(),
  ANALYTICS_URL: web.optional(),
  /** Base URL of an OTLP/HTTP collector; without it no spans are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: web.optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'console', 'none'], { error: 'expected otlp, console or none' }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0+)?)$/, 'expected the part of the requests that is traced, 0 to 1')
    .transform(Number)
    .default(1),
  OTEL_SERVICE_NAME: text('a name').default('innkeeper'),
  NODE_ROLE: z.enum(NODE_ROLES, { error: `expected ${NODE_ROLES.join(', ')}` }).default('all'),
  NODE_HOST: text('the address that other nodes reach this one at').optional(),
  NODE_PORT: port(0),
  /** Where others reach this node when that is not where it listens: a proxy, or an address that is translated. */
  NODE_ADVERTISE: nodeAddress.optional(),
  CLUSTER_SECRET: z.string().min(16, 'expected 16 characters or more').optional(),
  CLUSTER_TLS_CERT: text('a file').optional(),
  CLUSTER_TLS_KEY: text('a file').optional(),
  CLUSTER_TLS_CA: text('a file').optional(),
});

export type Environment = z.infer<typeof environment>;
