import { describeFailure, placeOf } from '../../platform/database/failure.ts';
import { LimitedClient } from '../../platform/database/limited-client.ts';
import { serversOf } from '../../platform/launch/database/server-list.mjs';
import { type Examined, type Examinee, type Trouble, warning } from './check.ts';

const ANSWER_WITHIN_MS = 5_000;

const SERVER = `
  select pg_is_in_recovery() as standby, current_setting('synchronous_standby_names') as names,
    current_setting('synchronous_commit') as waits`;

type Server = { standby: boolean; names: string; waits: string };

/** What a commit waits for that a standby is still to write, or to keep. */
const TOO_LITTLE = new Set(['local', 'remote_write']);

/** Check `standbys`: of several hosts in DATABASE_URL each answers, and a fail-over between them loses nothing. */
export async function examineStandbys({ values }: Examinee): Promise<Examined | undefined> {
  const servers = serversOf(values.DATABASE_URL ?? '');
  if (servers.length === 1) return undefined;
  const found = await Promise.all(servers.map((url) => lookAt(url)));
  const troubles = found.flatMap((one) => one.troubles);
  const primaries = found.filter(({ server }) => server?.standby === false);
  if (primaries.length > 1)
    troubles.push(
      warning(
        `${primaries.length} servers take writes: ${primaries.map(({ place }) => place).join(', ')}`,
        'stop the earlier primary, or let it follow the other one; the service uses that of the newest timeline',
      ),
    );
  const [primary] = primaries;
  if (primaries.length === 1 && primary?.server) troubles.push(...lossOf(primary.server));
  const standbys = found.filter(({ server }) => server?.standby);
  return { fine: `${standbys.length} answer, commits wait for ${primary?.server?.names ?? 'nobody'}`, troubles };
}

function lossOf({ names, waits }: Server): Trouble[] {
  const next =
    'set synchronous_standby_names and synchronous_commit: docs/guide/production.md#fail-over-of-the-database';
  if (names === '') return [warning('no standby is synchronous: a fail-over loses acknowledged bookings', next)];
  if (!TOO_LITTLE.has(waits)) return [];
  return [warning(`synchronous_commit is ${waits}: a fail-over may lose acknowledged bookings`, next)];
}

type Found = { place: string; server?: Server; troubles: Trouble[] };

async function lookAt(url: string): Promise<Found> {
  const place = placeOf(url);
  const limits = { connectionTimeoutMillis: ANSWER_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  const client = new LimitedClient({ connectionString: url, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Server>(SERVER);
    return { place, server: rows[0]!, troubles: [] };
  } catch (error) {
    const { message, remedy = 'see its log' } = describeFailure(error, url);
    return { place, troubles: [warning(message.replace(` (${remedy})`, ''), remedy)] };
  } finally {
    await client.end().catch(() => {});
  }
}
