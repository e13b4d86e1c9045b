import { Client } from 'pg';

import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { BlackboxProperty } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { seedPricedChain } from '../chain.ts';
import { ManyReservations, withoutIndexes } from '../reservations/many.ts';

const NIGHTS = 400;
/** Properties of copied reservations; nobody books there, since their nights are not counted. */
const COPIED_INTO = 20;

/**
 * Fills the database of a new service before the load, past the service: properties of three types with 400 priced
 * nights, which searches read, and reservations with their payments by COPY, beside which bookings are written.
 * @returns what there is then, as a line of the report
 */
export async function fillDatabase(
  service: Service,
  tenantId: string,
  { properties, reservations }: { properties: number; reservations: number },
): Promise<string[]> {
  const began = performance.now();
  const admin = new Client({ connectionString: embeddedDatabaseUrl(service.dataDir) });
  await admin.connect();
  try {
    if (properties > 0) await seedPricedChain(admin, { tenantId, prefix: 'loaded', properties, nights: NIGHTS });
    if (reservations > 0) await copyReservations(service, admin, tenantId, reservations);
  } finally {
    await admin.end();
  }
  const loaded = [
    ...(properties > 0 ? [`${properties} properties of 3 types with ${NIGHTS} nights`] : []),
    ...(reservations > 0 ? [`${reservations} reservations and payments by COPY`] : []),
  ];
  return loaded.length > 0 ? [...loaded, `loaded in ${Math.round((performance.now() - began) / 1_000)} s`] : [];
}

async function copyReservations(service: Service, admin: Client, tenant: string, rows: number): Promise<void> {
  const model = await (await BlackboxProperty.open(service)).booked({ nights: 3 });
  const properties = Array.from({ length: COPIED_INTO }, (_, n) => `copied-${n}`);
  const many = new ManyReservations({ tenant, rows, properties, mark: 'L' });
  const progress = (what: string): void => console.error(`  ${what}`);
  await withoutIndexes(admin, () => many.load(admin, model, (done) => progress(`${done} of ${rows}`)), progress);
}
