import { HttpClient } from '../client/http.ts';
import { Booker } from './booker.ts';
import type { ClusterWorld } from './cluster-world.ts';
import { openHouses, type SmallHouse } from './properties.ts';

/** More rooms than a run can sell. */
const MANY_ROOMS = 60_000;
const PRICED_NIGHTS = 60;
const AWAKE_WITHIN_MS = 30_000;

/** Houses that never get full, awake. */
export async function openBigHouses(world: ClusterWorld, count: number): Promise<SmallHouse[]> {
  const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
  using admin = new HttpClient({ sockets: 4, headers });
  const houses = await openHouses(world, admin, count, { rooms: { DLX: MANY_ROOMS }, nights: PRICED_NIGHTS });
  using booker = new Booker(world);
  for (const house of houses) await booker.bookUntilDone(world.nodes, house, AWAKE_WITHIN_MS);
  return houses;
}
