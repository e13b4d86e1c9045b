import { setTimeout as pause } from 'node:timers/promises';

import { Service } from '../../test/blackbox/service.ts';
import { withDatabase } from '../../test/blackbox/tenants.ts';
import { middle, figuresText } from '../first/figures.ts';

const TENANTS = 100_000;
const LOOKS = 40;
/** Cache time of a user without a role in a tenant; after it each look-up reads the table. */
const STRANGER_MS = 1_100;

/** First request of a member in a tenant, which reads the table, before and after 100,000 tenants are in it. */
export async function benchManyTenants(): Promise<void> {
  const service = await Service.start();
  try {
    const before = await looks(service);
    const began = performance.now();
    await withDatabase(service, async (client) => {
      await client.query(
        `insert into tenants (tenant_id, name) select 'bench-' || n, 'Bench' from generate_series(1, ${TENANTS}) as n`,
      );
      await client.query(
        `with made as (
           insert into users (tenant_id, iss, sub)
           select 'bench-' || n, iss, sub from generate_series(1, ${TENANTS}) as n,
             (select iss, sub from users where tenant_id = 'demo' and sub = 'demo-staff') as known
           returning tenant_id, id
         )
         insert into user_tenant_associations (tenant_id, user_id, role) select tenant_id, id, 'STAFF' from made`,
      );
      await client.query('analyze tenants, users, user_tenant_associations');
    });
    const took = Math.round((performance.now() - began) / 1000);
    await pause(STRANGER_MS);
    const after = await looks(service);
    const members = await looks(service, (n) => `bench-${n * 2_000 + 1}`);
    figuresText([
      { what: 'a look at the table, 2 tenants in it', value: `${before.toFixed(2)} ms` },
      { what: `the same with ${TENANTS} tenants (made in ${took} s)`, value: `${after.toFixed(2)} ms` },
      { what: 'of a member, each time in another tenant', value: `${members.toFixed(2)} ms` },
    ]);
  } finally {
    await service.remove();
  }
}

/** Median time of requests that each read the table. */
async function looks(service: Service, tenantOf = (n: number): string => `nobody-${n}`): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < LOOKS; n += 1) {
    const answer = await service.reservations('GET', '/nothing', { tenantHeader: tenantOf(n) });
    if (![403, 404].includes(answer.status)) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`);
    times.push(answer.ms);
  }
  return middle(times);
}
