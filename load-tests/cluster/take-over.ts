import { formatDay } from '../../src/kernel/rules/dates.ts';
import type { TestDatabase } from '../../src/testing/database.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { type Chain, CHAIN_TYPES, chainProperty, chainToday, seedChain } from '../chain.ts';
import { HttpClient } from '../client/http.ts';
import { seconds, figuresText } from '../first/figures.ts';
import { ClusterWorld } from './cluster-world.ts';
import type { Goal } from './goals.ts';

/** Owned by two nodes, half each. */
const CHAIN: Chain = { tenantId: 'demo', prefix: 'chain', properties: 2_000, nights: 730 };
/** Concurrent callers, each for one property. */
const CALLERS = 32;
const TRY_MS = 5_000;
const GIVE_UP_MS = 60_000;
const MAX_SECONDS = 5;

/** A node with a thousand resident properties dies, and the other one activates them. */
export async function benchTakeOver(runtime: 'deno' | 'node'): Promise<Goal[]> {
  await using world = await ClusterWorld.open({ runtime, nodes: 2, proxies: false });
  const began = performance.now();
  await seed(world.database);
  figuresText([
    {
      what: `${CHAIN.properties} properties of ${CHAIN_TYPES.length} types x ${CHAIN.nights} nights seeded`,
      value: seconds(performance.now() - began),
    },
  ]);
  const headers = { authorization: `Bearer ${world.token('STAFF')}`, 'x-tenant-id': world.tenantId };
  using http = new HttpClient({ sockets: CALLERS, headers, timeoutMs: TRY_MS });
  const [gone, left] = world.nodes as [(typeof world.nodes)[0], (typeof world.nodes)[0]];
  const all = Array.from({ length: CHAIN.properties }, (_, n) => chainProperty(CHAIN, n));
  await readAll(world, http, left.url('RESERVATION'), all);
  const owned = await ownedBy(world, gone.nodeId);
  const killed = performance.now();
  await gone.killHard();
  const times = await readAll(world, http, left.url('RESERVATION'), owned);
  const first = Math.min(...times);
  const last = Math.max(...times);
  figuresText([
    { what: `${owned.length} properties of a node that was killed: first one back`, value: seconds(first - killed) },
    { what: 'from the first to the last of them', value: seconds(last - first) },
  ]);
  // Scaled to exactly a thousand.
  const value = ((last - first) / 1_000) * (1_000 / owned.length);
  return [{ what: 'take-over of 1,000 actors of 3 types x 730 nights', value, unit: 's', atMost: MAX_SECONDS }];
}

/** @returns the time of each answer */
async function readAll(
  world: ClusterWorld,
  http: HttpClient,
  root: string,
  ids: readonly string[],
): Promise<number[]> {
  const day = formatDay(chainToday + 20);
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
     where tenant_id = $1 and owner_node = $2 and property_id like $3 || '-%'`,
    [tenantId, nodeId, CHAIN.prefix],
  );
  return rows.map(({ id }) => id);
}

/** For the tenant that the first node has seeded. */
async function seed({ admin }: TestDatabase): Promise<void> {
  await seedChain(admin, CHAIN, async (properties) => {
    await admin.query(
      `insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency, created_at, updated_at)
       select $1, h.id, t, $2::date + d, 100, 'EUR', now(), now()
       from ${properties}, unnest($3::text[]) t, generate_series(0, ${CHAIN.nights - 1}) d`,
      [CHAIN.tenantId, formatDay(chainToday), CHAIN_TYPES],
    );
  });
}
