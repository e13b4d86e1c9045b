import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

import { missingMode } from '../launch/mode.mjs';
import { type Environment, environment, type SecretKey } from './environment.ts';
import { writeWhole } from './write-whole.ts';

/** Configuration of the process: read once, validated, frozen (docs/reference/configuration.md#configuration). */
export type Config = Readonly<
  Omit<Environment, 'SECRET_KEYS'> & {
    production: boolean;
    /**
     * Whether development parts are active: `/dev/*`, demo data, simulated partners, open actuators. Only with the
     * development issuer, whose users are not real.
     */
    developmentParts: boolean;
    /** Absolute. */
    dataDir: string;
    /** Newest first, never empty. */
    secretKeys: readonly SecretKey[];
    /** Issuer of access tokens: `OIDC_ISSUER`, or a development issuer. */
    issuer: string;
    /** Whether this process is the issuer. */
    embeddedIssuer: boolean;
    /** Origins that browsers may call from: `CORS_ORIGINS` and the dashboards'. */
    corsOrigins: readonly string[];
  }
>;

/** The environment is invalid; `message` has one line per problem and can be printed as it is. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Rules over several variables; each returns its problems, one line each. */
const RULES: readonly ((values: Environment) => readonly string[])[] = [
  demandForProduction,
  demandOneIssuer,
  demandIntrospection,
  demandLogins,
  demandForRole,
  demandForNodes,
  demandForContingency,
];

/**
 * Validates the whole environment and creates nothing.
 *
 * @throws ConfigError naming each invalid variable and what is expected, or all that contradicts itself or is missing
 */
export function readEnvironment(source: Record<string, string | undefined>): Environment {
  const given = present(source);
  const parsed = environment.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(lineOf));
  const missing = missingMode(given);
  const lines = [...(missing === undefined ? [] : [missing]), ...RULES.flatMap((rule) => rule(parsed.data))];
  if (lines.length > 0) throw new ConfigError(lines);
  return parsed.data;
}

/** What is valid for itself, with defaults for what is not: for a tool that reports on a wrong environment. */
export function readableEnvironment(source: Record<string, string | undefined>): Environment {
  const given = present(source);
  const wrong = environment.safeParse(given).error?.issues.map(({ path: [name] }) => name) ?? [];
  return environment.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name))));
}

/**
 * Reads and validates the whole environment. In development it may create `DATA_DIR/secrets.json` (mode 0600).
 *
 * @throws ConfigError as `readEnvironment`
 */
export function loadConfig(source: Record<string, string | undefined>): Config {
  const { SECRET_KEYS: given, ...values } = readEnvironment(source);
  const production = values.NODE_ENV === 'production';
  const dataDir = resolve(values.DATA_DIR);
  return Object.freeze({
    ...values,
    production,
    developmentParts: !production && values.OIDC_ISSUER === undefined,
    dataDir,
    secretKeys: Object.freeze(given ?? developmentKeys(dataDir)),
    issuer: values.OIDC_ISSUER ?? values.INNKEEPER_DEVELOPMENT_ISSUER ?? `http://127.0.0.1:${values.OIDC_PORT}`,
    embeddedIssuer: values.OIDC_ISSUER === undefined && values.INNKEEPER_DEVELOPMENT_ISSUER === undefined,
    corsOrigins: Object.freeze(originsOf(values, production)),
  });
}

const lineOf = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `${path.join('.')}: ${message}`;

/** Secret keys for a tool beside the service; empty where there are none yet. @throws ConfigError */
export function loadSecretKeys(source: Record<string, string | undefined>): readonly SecretKey[] {
  const parsed = environment.safeParse(present(source));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(lineOf));
  const dataDir = resolve(parsed.data.DATA_DIR);
  return parsed.data.SECRET_KEYS ?? (existsSync(join(dataDir, 'secrets.json')) ? developmentKeys(dataDir) : []);
}

/** Keys of contingency packs for the printing tool, whatever else is set; empty without any. @throws ConfigError */
export function loadContingencyKeys(source: Record<string, string | undefined>): readonly SecretKey[] {
  const parsed = environment.pick({ CONTINGENCY_KEYS: true }).safeParse(present(source));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(lineOf));
  return parsed.data.CONTINGENCY_KEYS ?? [];
}

/** Origins of the dashboards for a browser on this machine. */
function dashboardOrigins(livePort: number): string[] {
  return [`http://127.0.0.1:${livePort}`, `http://localhost:${livePort}`];
}

/** Public addresses for browsers and guests, which in production differ from the listeners'. */
const PUBLIC_URLS = ['PUBLIC_RATE_URL', 'PUBLIC_RESERVATION_URL', 'PUBLIC_LIVE_URL'] as const;

/** Allowed browser origins: configured ones, the dashboards', and in development this machine's. */
function originsOf({ CORS_ORIGINS, PUBLIC_LIVE_URL, LIVE_PORT }: Environment, production: boolean): string[] {
  const dashboards = PUBLIC_LIVE_URL === undefined ? [] : [new URL(PUBLIC_LIVE_URL).origin];
  return [...new Set([...CORS_ORIGINS, ...dashboards, ...(production ? [] : dashboardOrigins(LIVE_PORT))])];
}

/** An empty value, as in `NAME=` of a shell or compose file, counts as not set. */
function present(source: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** Demo users of a development issuer must never be mixed with real users. */
function demandOneIssuer({ OIDC_ISSUER, INNKEEPER_DEVELOPMENT_ISSUER: development }: Environment): string[] {
  if (OIDC_ISSUER === undefined || development === undefined) return [];
  return ['INNKEEPER_DEVELOPMENT_ISSUER: not beside OIDC_ISSUER, remove one of them'];
}

/** The issuer answers about opaque tokens only a client that it knows (docs/guide/production.md#sign-in). */
function demandIntrospection({ OIDC_INTROSPECTION, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Environment): string[] {
  if (!OIDC_INTROSPECTION || (OIDC_CLIENT_ID !== undefined && OIDC_CLIENT_SECRET !== undefined)) return [];
  return ['OIDC_INTROSPECTION=1 needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'];
}

/** A role without its own login would use the one that may act as all of them. */
function demandLogins(values: Environment): string[] {
  const names = ['DATABASE_APP_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_JOBS_URL'] as const;
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length === 0 || missing.length === names.length) return [];
  return [`${missing.join(', ')}: missing; give a login to each role or to none (ops/logins.sql)`];
}

/** Production never falls back on an embedded part (docs/guide/production.md#mode). */
function demandForProduction(values: Environment): string[] {
  if (values.NODE_ENV !== 'production') return [];
  const missing: string[] = (['DATABASE_URL', 'OIDC_ISSUER', 'SECRET_KEYS', ...PUBLIC_URLS] as const).filter(
    (name) => values[name] === undefined,
  );
  if (values.STRIPE_SECRET_KEY === undefined) missing.push('STRIPE_SECRET_KEY (the payment adapter)');
  // The embedded registry is for development; without a registry no event could be written.
  if (values.KAFKA_BROKERS && values.SCHEMA_REGISTRY_URL === undefined)
    missing.push('SCHEMA_REGISTRY_URL (KAFKA_BROKERS is given)');
  return [
    ...(missing.length > 0 ? [`NODE_ENV=production needs what is missing here: ${missing.join(', ')}`] : []),
    ...(values.INNKEEPER_EMBEDDED_POSTGRES
      ? ['INNKEEPER_EMBEDDED_POSTGRES: not in production, give DATABASE_URL of a real server']
      : []),
    ...(values.INNKEEPER_DEVELOPMENT_ISSUER
      ? ['INNKEEPER_DEVELOPMENT_ISSUER: not in production, it signs anybody in']
      : []),
  ];
}

/** A node with a partial role needs others for the rest. */
function demandForRole({ NODE_ROLE: role, REDIS_URL, CLUSTER_SECRET }: Environment): string[] {
  if (role === 'all' || (REDIS_URL !== undefined && CLUSTER_SECRET !== undefined)) return [];
  return [`NODE_ROLE=${role} needs other nodes, and so REDIS_URL and CLUSTER_SECRET`];
}

/** The address given to other nodes: a wildcard address is not reachable, and IPv6 has no host:port. */
function demandForNodes({ NODE_HOST: host = '', NODE_ADVERTISE }: Environment): string[] {
  if (NODE_ADVERTISE !== undefined || (host !== '0.0.0.0' && !host.includes(':'))) return [];
  return [
    `NODE_HOST: other nodes cannot reach ${host}; set NODE_ADVERTISE too, ` +
      'the host:port (a name or an IPv4 address) that they reach this node at',
  ];
}

/** Guest lists are never written unencrypted. */
function demandForContingency({ CONTINGENCY_DIR, CONTINGENCY_KEYS }: Environment): string[] {
  if (CONTINGENCY_DIR === undefined || CONTINGENCY_KEYS !== undefined) return [];
  return ['CONTINGENCY_DIR: give CONTINGENCY_KEYS too, no list of guests is written in clear'];
}

const storedKeys = z.object({ keys: z.array(z.object({ id: z.string(), key: z.string() })).min(1) });

/** What to do about a file of keys that cannot be read: guests' data is sealed with them. */
const keyFileFault = (file: string): string =>
  `DATA_DIR: ${file} has no keys that can be read: restore it from a backup, or give its keys as SECRET_KEYS; without ` +
  'them what is sealed, such as data of guests, stays unreadable';

/** Created once and stored, so that quotes and cursors remain valid after a restart. */
function developmentKeys(dataDir: string): SecretKey[] {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const keys = [{ id: 'dev1', key: randomBytes(32).toString('base64') }];
    writeWhole(file, `${JSON.stringify({ keys })}\n`);
  }
  try {
    const { keys } = storedKeys.parse(JSON.parse(readFileSync(file, 'utf8')));
    return keys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') }));
  } catch {
    throw new ConfigError([keyFileFault(file)]);
  }
}
