import { SingleBar, Presets } from 'cli-progress';

import { startDatabase } from '../../src/testing/database.ts';
import { BlackboxProperty, must } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Audit } from '../../test/blackbox/shapes.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { connected } from '../client/connected.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { emptyTally, keepBooking, type Tally } from './clients.ts';

const CLIENTS = 24;
/** Rooms of the property that gets full, and of the one that does not. */
const FEW = 150;
const MANY = 60_000;

/**
 * Bookings over HTTP against a real PostgreSQL while the service (kill -9) and committing backends of the database die,
 * alternately. Every client repeats a request under its key until it is answered. Then everything acknowledged must be
 * there, once, and the audit clean.
 */
export async function proveKills(kills: number): Promise<ProofResult> {
  await using database = await startDatabase();
  const service = await Service.start({ ...NO_LIMITS, DATABASE_URL: database.url });
  try {
    const properties = [
      await BlackboxProperty.open(service, { rooms: { DLX: MANY } }),
      await BlackboxProperty.open(service, { rooms: { DLX: FEW } }),
    ];
    const tally = emptyTally();
    const stop = { now: false };
    const clients = Array.from({ length: CLIENTS }, () =>
      keepBooking(service, () => properties[Math.random() < 0.7 ? 0 : 1]!, tally, stop),
    );
    const killed = await killInTurns(service, database.url, kills);
    stop.now = true;
    await Promise.all(clients);
    return await report(service, database.url, { properties, tally, killed });
  } finally {
    await service.remove();
  }
}

type Killed = { service: number; terminated: number; backend: number };

/** Half of the time the service, else a backend that is committing; every tenth of those by kill -9 too. */
async function killInTurns(service: Service, databaseUrl: string, kills: number): Promise<Killed> {
  const killed: Killed = { service: 0, terminated: 0, backend: 0 };
  const bar = new SingleBar({ format: 'kills {bar} {value}/{total}, {eta_formatted} left' }, Presets.shades_classic);
  if (process.stderr.isTTY) bar.start(kills, 0);
  for (let n = 0; n < kills; n++) {
    await pause(100 + Math.random() * 400);
    if (n % 2 === 0) {
      await service.killHard();
      await service.up();
      killed.service += 1;
    } else {
      const hard = n % 20 === 1;
      await killBackend(databaseUrl, hard);
      killed[hard ? 'backend' : 'terminated'] += 1;
    }
    if (process.stderr.isTTY) bar.increment();
  }
  if (process.stderr.isTTY) bar.stop();
  return killed;
}

const IN_COMMIT = `
  select pid from pg_stat_activity
  where application_name = 'innkeeper_app' and state = 'active' and query like '%commit_batch_v3%' limit 1`;

async function killBackend(databaseUrl: string, hard: boolean): Promise<void> {
  const admin = await connected(databaseUrl);
  try {
    for (;;) {
      const { rows } = await admin.query<{ pid: number }>(IN_COMMIT);
      const pid = rows[0]?.pid;
      if (pid === undefined) continue;
      if (hard) process.kill(pid, 'SIGKILL');
      else await admin.query('select pg_terminate_backend($1)', [pid]);
      return;
    }
  } finally {
    await admin.end().catch(() => undefined);
  }
}

/** Whether the promises held, and what the run did and found. */
export type ProofResult = { held: boolean; counts: Record<string, number> };

type Outcome = { properties: BlackboxProperty[]; tally: Tally; killed: Killed };

async function report(
  service: Service,
  databaseUrl: string,
  { properties, tally, killed }: Outcome,
): Promise<ProofResult> {
  const admin = await connected(databaseUrl);
  const { rows } = await admin.query<{ id: string; property_id: string; paid: string }>(
    `select r.id, r.property_id, count(p.*) filter (where p.status = 'COMPLETED' and p.transaction_type = 'CHARGE') as paid
     from reservations r left join payments p on p.tenant_id = r.tenant_id and p.reservation_id = r.id
     where r.status = 'CONFIRMED' and r.property_id = any ($1) group by 1, 2`,
    [properties.map(({ propertyId }) => propertyId)],
  );
  await admin.end();
  const stored = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(tally.acknowledged.map(({ reservationId }) => reservationId));
  const missing = [...ids].filter((id) => !stored.has(id));
  const nobodys = rows.filter(({ id }) => !ids.has(id));
  const notPaidOnce = rows.filter(({ paid }) => Number(paid) !== 1);
  const sold = rows.filter(({ property_id: id }) => id === properties[1]!.propertyId).length;
  const violations: unknown[] = [];
  for (const { propertyId } of properties) {
    const url = `${service.dev.reservationUrl}/api/v1/admin/audit/${propertyId}`;
    violations.push(...must(await service.call<Audit>('GET', url), 200).json.violations);
  }
  const { service: services, terminated, backend } = killed;
  const twice = tally.acknowledged.length - ids.size;
  console.log(
    `killed: ${services} times the service, ${terminated} backends in a commit, ${backend} more of them by kill -9`,
  );
  console.log(`${ids.size} bookings acknowledged, ${tally.refused} refused as sold out, ${tally.repeats} repeats`);
  console.log(`acknowledged and missing: ${missing.length}; acknowledged twice: ${twice}`);
  console.log(`stored without an answer: ${nobodys.length}; not paid exactly once: ${notPaidOnce.length}`);
  console.log(`sold in the property of ${FEW}: ${sold}; violations of the audit: ${violations.length}`);
  for (const text of tally.strange.slice(0, 5)) console.log(`strange: ${text}`);
  const wrong = [missing, nobodys, notPaidOnce, violations, tally.strange].some((list) => list.length > 0);
  const counts = {
    kills: services + terminated + backend,
    'bookings acknowledged': ids.size,
    missing: missing.length,
    doubled: twice,
    'violations of the audit': violations.length,
  };
  return { held: !wrong && twice === 0 && sold <= FEW, counts };
}
