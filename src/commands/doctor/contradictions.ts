import { ConfigError, readEnvironment } from '../../platform/config/config.ts';
import type { Environment } from '../../platform/config/environment.ts';
import { placeOf } from '../../platform/database/failure.ts';
import { type Examined, type Examinee, fault, type Trouble, warning } from './check.ts';

type Rule = (values: Environment) => Trouble | undefined;

/** Listeners of a node; two of them on one port cannot both open. */
const PORTS = ['RATE_PORT', 'RESERVATION_PORT', 'LIVE_PORT', 'OIDC_PORT', 'NODE_PORT'] as const;
const CERTIFICATES = ['CLUSTER_TLS_CERT', 'CLUSTER_TLS_KEY', 'CLUSTER_TLS_CA'] as const;
const LOGINS = ['DATABASE_APP_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_JOBS_URL'] as const;
/** Variables that have no effect without another one. */
const NEEDS: readonly (readonly [keyof Environment, keyof Environment])[] = [
  ['CLUSTER_SECRET', 'REDIS_URL'],
  ['NODE_ADVERTISE', 'CLUSTER_SECRET'],
  ['CLUSTER_TLS_CERT', 'CLUSTER_SECRET'],
  ['SCHEMA_REGISTRY_URL', 'KAFKA_BROKERS'],
  ['KAFKA_UI_URL', 'KAFKA_BROKERS'],
  ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY'],
  ['CONTINGENCY_KEYS', 'CONTINGENCY_DIR'],
];

const isLive = (key: string | undefined): boolean | undefined => (key === undefined ? undefined : /_live_/.test(key));

/** Settings that are valid, and still contradict each other (docs/operations/doctor.md#settings). */
const RULES: readonly Rule[] = [
  (values) => {
    const open = PORTS.filter((name) => values[name] !== 0 && (name !== 'OIDC_PORT' || !values.OIDC_ISSUER));
    const twice = open.filter((name) => open.some((other) => other !== name && values[other] === values[name]));
    if (twice.length === 0) return undefined;
    return fault(`${twice.join(' and ')} name the same port`, 'give each listener a port of its own');
  },
  (values) => {
    const given = CERTIFICATES.filter((name) => values[name] !== undefined);
    if (given.length === 0 || given.length === CERTIFICATES.length) return undefined;
    return fault(`${given.join(' and ')} alone: nodes speak without TLS`, `set all of ${CERTIFICATES.join(', ')}`);
  },
  (values) => {
    const secret = isLive(values.STRIPE_SECRET_KEY);
    const publishable = isLive(values.STRIPE_PUBLISHABLE_KEY);
    if (secret === undefined || publishable === undefined || secret === publishable) return undefined;
    return fault(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes, live and test: every payment fails',
      'take both keys from the same mode of the account',
    );
  },
  (values) => {
    const owner = values.DATABASE_URL && placeOf(values.DATABASE_URL);
    const other = LOGINS.filter((name) => values[name] !== undefined && placeOf(values[name]) !== owner);
    if (owner === undefined || other.length === 0) return undefined;
    return fault(
      `${other.join(', ')}: another database than DATABASE_URL (${owner})`,
      'name the same host, port and database in all four; a pooler between them must not drop startup options',
    );
  },
  (values) =>
    values.NODE_ENV === 'production' && isLive(values.STRIPE_SECRET_KEY) === false
      ? warning('production with a test key of Stripe: no card is charged', 'set STRIPE_SECRET_KEY=sk_live_...')
      : undefined,
  (values) => {
    if (values.NODE_ENV !== 'production') return undefined;
    const clear = (['PUBLIC_RATE_URL', 'PUBLIC_RESERVATION_URL', 'PUBLIC_LIVE_URL'] as const).filter((name) =>
      values[name]?.startsWith('http:'),
    );
    if (clear.length === 0) return undefined;
    return warning(`${clear.join(', ')}: http in production`, 'put a proxy with TLS in front and name its https URL');
  },
  (values) =>
    values.NODE_ENV === 'production' && values.TRUST_PROXY === undefined
      ? warning(
          'TRUST_PROXY is not set: all clients behind a proxy share one limit',
          'set TRUST_PROXY to how many proxies stand in front, or to their networks; 0 where there is none',
        )
      : undefined,
  (values) =>
    values.OTEL_TRACES_EXPORTER === 'otlp' && values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? warning('OTEL_TRACES_EXPORTER=otlp has no collector', 'set OTEL_EXPORTER_OTLP_ENDPOINT, or none')
      : undefined,
];

/** Check `settings`: what the start would refuse, and what contradicts itself beyond that. */
export async function examineSettings({ source, values }: Examinee): Promise<Examined> {
  const troubles = [
    ...refusedByStart(source),
    ...RULES.flatMap((rule) => rule(values) ?? []),
    ...NEEDS.filter(([name, needed]) => values[name] !== undefined && values[needed] === undefined).map(
      ([name, needed]) => warning(`${name} has no effect without ${needed}`, `set ${needed} too, or remove ${name}`),
    ),
  ];
  return { fine: `valid, ${values.NODE_ENV ?? 'mode not needed'}`, troubles };
}

function refusedByStart(source: Examinee['source']): Trouble[] {
  try {
    readEnvironment(source);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .map((line) =>
        fault(line, 'the service does not start before this is corrected: docs/reference/configuration.md'),
      );
  }
}
