import { registryHealth } from '../../events/partners/registry-health.ts';
import type { Log } from '../../kernel/ports.ts';
import { Redis } from '../../platform/coordination/redis.ts';
import { kafkaClient } from '../../platform/messaging/kafka-client.ts';
import { type Examined, type Examinee, fault, warning } from './check.ts';

const ANSWER_WITHIN_MS = 3_000;
const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** How Redis refuses a login, or a user that may not do what a node does. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)\b/;

const wordOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const lineOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

/** Check `redis`: it answers, and does not evict what the job queue needs. */
export async function examineRedis({ values: { REDIS_URL } }: Examinee): Promise<Examined | undefined> {
  if (REDIS_URL === undefined) return undefined;
  const { hostname, port } = new URL(REDIS_URL);
  const place = `${hostname}:${port || '6379'}`;
  await using redis = await Redis.open(REDIS_URL, SILENT);
  try {
    await redis.health.check();
    const info = await redis.client.info();
    const evicts = Number(lineOf(info, 'maxmemory') ?? 0) > 0 && lineOf(info, 'maxmemory_policy') !== 'noeviction';
    const next = 'set maxmemory-policy noeviction';
    const text = `Redis ${lineOf(info, 'redis_version') ?? ''} at ${place}`;
    return { fine: text, troubles: evicts ? [warning(`${text} evicts keys: jobs may be lost`, next)] : [] };
  } catch (error) {
    const why = wordOf(error);
    if (REFUSED.test(why)) {
      const refused = `Redis at ${place} refuses the credentials of REDIS_URL (${why})`;
      return { fine: '', troubles: [fault(refused, 'correct user name and password in REDIS_URL')] };
    }
    const text = `Redis at ${place} does not answer (${why})`;
    return { fine: '', troubles: [fault(text, 'start Redis, or correct REDIS_URL; bookings go on without it')] };
  }
}

/** Check `kafka`: a broker answers with the members of its cluster. */
export async function examineKafka({ values: { KAFKA_BROKERS } }: Examinee): Promise<Examined | undefined> {
  if (!KAFKA_BROKERS || KAFKA_BROKERS.length === 0) return undefined;
  const admin = kafkaClient(KAFKA_BROKERS, SILENT).admin();
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    return { fine: `${brokers.length} broker${brokers.length === 1 ? '' : 's'} of Kafka`, troubles: [] };
  } catch (error) {
    const text = `no broker of ${KAFKA_BROKERS.join(', ')} answers (${wordOf(error)})`;
    return {
      fine: '',
      troubles: [fault(text, 'start the brokers, or correct KAFKA_BROKERS; events wait in the journal until then')],
    };
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

/** Check `registry`: the schema registry answers; without it no event is written. */
export async function examineRegistry({ values }: Examinee): Promise<Examined | undefined> {
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL } = values;
  if (!KAFKA_BROKERS || SCHEMA_REGISTRY_URL === undefined) return undefined;
  const { host } = new URL(SCHEMA_REGISTRY_URL);
  const { status } = await registryHealth(SCHEMA_REGISTRY_URL).check();
  const next = 'start the registry, or correct SCHEMA_REGISTRY_URL; events wait in the journal until then';
  return {
    fine: `schema registry at ${host}`,
    troubles: status === 'UP' ? [] : [fault(`the schema registry at ${host} does not answer`, next)],
  };
}

/** Check `issuer`: it describes itself under its own name, or no token is accepted. */
export async function examineIssuer({ values: { OIDC_ISSUER } }: Examinee): Promise<Examined | undefined> {
  if (OIDC_ISSUER === undefined) return undefined;
  const { host } = new URL(OIDC_ISSUER);
  const url = `${OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const { issuer } = (await response.json()) as { issuer?: string };
    const next = 'set OIDC_ISSUER to exactly what the issuer calls itself';
    const troubles =
      issuer === OIDC_ISSUER ? [] : [fault(`the issuer at ${host} calls itself ${issuer ?? 'nothing'}`, next)];
    return { fine: `issuer at ${host}`, troubles };
  } catch (error) {
    const text = `the issuer at ${host} does not answer (${wordOf(error)})`;
    return {
      fine: '',
      troubles: [fault(text, 'correct OIDC_ISSUER, or let this machine reach it; nobody can sign in')],
    };
  }
}
