import { formatDay } from '../../src/domain/dates.ts';
import { businessDate } from '../../src/domain/property-time.ts';
import type { TestDatabase } from '../../src/testing/database.ts';
import { property } from '../../src/testing/property-world.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { HttpClient } from '../client/http.ts';
import { seconds, tell } from '../first/figures.ts';
import { ClusterWorld } from './cluster-world.ts';
import type { Goal } from './goals.ts';

/** Two nodes share them, so that one has half. */
const HOUSES = 2_000;
const TYPES = ['A', 'B', 'C'];
const NIGHTS = 730;
/** Callers that want a house each. */
const CALLERS = 32;
const TRY_MS = 5_000;
const GIVE_UP_MS = 60_000;
const MOST_SECONDS = 5;

const today = businessDate(Date.now(), { timezone: 'Europe/Berlin', nightAuditHour: 3 });
const houseId = (n: number): string => `chain-${String(n).padStart(5, '0')}`;

/** A node with a thousand houses awake dies, and the other one wakes them. */
export async function benchTakeOver(runtime: 'deno' | 'node'): Promise<Goal[]> {
  await using world = await ClusterWorld.open({ runtime, nodes: 2, proxies: false });
  const began = performance.now();
  await seedChain(world.database);
  tell([
    {
      what: `${HOUSES} houses of ${TYPES.length} types x ${NIGHTS} nights seeded`,
      value: seconds(performance.now() - began),
    },
  ]);
  const headers = { authorization: `Bearer ${world.token('STAFF')}`, 'x-tenant-id': world.tenantId };
  using http = new HttpClient({ sockets: CALLERS, headers, timeoutMs: TRY_MS });
  const [gone, left] = world.nodes as [(typeof world.nodes)[0], (typeof world.nodes)[0]];
  const all = Array.from({ length: HOUSES }, (_, n) => houseId(n));
  await readAll(world, http, left.url('RESERVATION'), all);
  const owned = await ownedBy(world, gone.nodeId);
  const killed = performance.now();
  await gone.killHard();
  const times = await readAll(world, http, left.url('RESERVATION'), owned);
  const first = Math.min(...times);
  const last = Math.max(...times);
  tell([
    { what: `${owned.length} houses of a node that was killed: first one back`, value: seconds(first - killed) },
    { what: 'from the first to the last of them', value: seconds(last - first) },
  ]);
  // As if it had been exactly a thousand.
  const value = ((last - first) / 1_000) * (1_000 / owned.length);
  return [{ what: 'take-over of 1,000 actors of 3 types x 730 nights', value, unit: 's', atMost: MOST_SECONDS }];
}

/** @returns when each had answered */
async function readAll(
  world: ClusterWorld,
  http: HttpClient,
  root: string,
  ids: readonly string[],
): Promise<number[]> {
  const day = formatDay(today + 20);
  const until = performance.now() + GIVE_UP_MS;
  const times: number[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let n = next++; n < ids.length; n = next++) {
      const path = `/api/v1/tenants/${world.tenantId}/availability?property_id=${ids[n]}&start_date=${day}&end_date=${day}`;
      for (;;) {
        const answer = await http.call({ method: 'GET', url: `${root}${path}` }).catch(() => undefined);
        if (answer?.status === 200) break;
        if (performance.now() > until) throw new Error(`${ids[n]}: ${answer?.status} ${answer?.text.slice(0, 300)}`);
        await pause(10);
      }
      times.push(performance.now());
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return times;
}

async function ownedBy({ database, tenantId }: ClusterWorld, nodeId: string): Promise<string[]> {
  const { rows } = await database.admin.query<{ id: string }>(
    `select property_id as id from property_actor
     where tenant_id = $1 and owner_node = $2 and property_id like 'chain-%'`,
    [tenantId, nodeId],
  );
  return rows.map(({ id }) => id);
}

/** Rows as a migration from another system would bring them, of the tenant that the first node has seeded. */
async function seedChain({ admin }: TestDatabase): Promise<void> {
  const { metadata } = property({ policies: { horizonNights: NIGHTS } });
  const houses = `generate_series(0, ${HOUSES - 1}) n, lateral (select 'chain-' || lpad(n::text, 5, '0') as id) h`;
  for (const table of ['base_rates', 'rates']) await admin.query(`alter table ${table} disable trigger all`);
  await admin.query(
    `insert into properties (tenant_id, property_id, name, metadata) select 'demo', h.id, h.id, $1 from ${houses}`,
    [JSON.stringify(metadata)],
  );
  await admin.query(
    `insert into property_actor (tenant_id, property_id, business_date) select 'demo', h.id, $1 from ${houses}`,
    [formatDay(today)],
  );
  await admin.query(
    `insert into room_types (tenant_id, property_id, room_type, name, max_adults, max_children, max_guests, total_rooms)
     select 'demo', h.id, t, t, 2, 1, 3, 40 from ${houses}, unnest($1::text[]) t`,
    [TYPES],
  );
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, currency)
     select 'demo', gen_random_uuid(), h.id, c, c, 'EUR' from ${houses}, unnest('{BAR,FLEX,NRF}'::text[]) c`,
  );
  await admin.query(
    `insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency, created_at, updated_at)
     select 'demo', h.id, t, $1::date + d, 100, 'EUR', now(), now()
     from ${houses}, unnest($2::text[]) t, generate_series(0, ${NIGHTS - 1}) d`,
    [formatDay(today), TYPES],
  );
  for (const table of ['base_rates', 'rates']) await admin.query(`alter table ${table} enable trigger all`);
  await admin.query('analyze base_rates');
}
