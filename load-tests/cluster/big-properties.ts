import { HttpClient } from '../client/http.ts';
import { Booker } from './booker.ts';
import type { ClusterWorld } from './cluster-world.ts';
import { openProperties, type SmallProperty } from './properties.ts';

/** More rooms than a run can sell. */
const MANY_ROOMS = 60_000;
const PRICED_NIGHTS = 60;
const RESIDENT_WITHIN_MS = 30_000;

/** Properties that never get full, resident. */
export async function openBigProperties(world: ClusterWorld, count: number): Promise<SmallProperty[]> {
  const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
  using admin = new HttpClient({ sockets: 4, headers });
  const properties = await openProperties(world, admin, count, { rooms: { DLX: MANY_ROOMS }, nights: PRICED_NIGHTS });
  using booker = new Booker(world);
  for (const property of properties) await booker.bookUntilDone(world.nodes, property, RESIDENT_WITHIN_MS);
  return properties;
}
