import type { Client } from 'pg';

import { type Day, formatDay } from '../src/kernel/rules/dates.ts';
import { businessDate } from '../src/kernel/rules/property-time.ts';
import { property } from '../src/testing/property-world.ts';

/** A chain of properties with three types and three plans each, all passive. */
export type Chain = { tenantId: string; prefix: string; properties: number; nights: number };

export const CHAIN_TYPES: readonly string[] = ['A', 'B', 'C'];

/** The business date of its properties. */
export const chainToday: Day = businessDate(Date.now(), { timezone: 'Europe/Berlin', nightAuditHour: 3 });

/** Name of the n-th property, from 0. */
export const chainProperty = ({ prefix }: Pick<Chain, 'prefix'>, n: number): string =>
  `${prefix}-${String(n).padStart(5, '0')}`;

/**
 * Writes the rows of a chain as a migration from another system would; `rates` adds the prices of its nights. No actor
 * is notified, since none is resident.
 */
export async function seedChain(
  admin: Client,
  chain: Chain,
  rates: (properties: string) => Promise<void>,
): Promise<void> {
  const { tenantId, prefix } = chain;
  const { metadata } = property({ policies: { horizonNights: chain.nights } });
  const properties = `generate_series(0, ${chain.properties - 1}) n, lateral (select '${prefix}-' || lpad(n::text, 5, '0') as id) h`;
  for (const table of ['base_rates', 'rates']) await admin.query(`alter table ${table} disable trigger all`);
  await admin.query(
    `insert into properties (tenant_id, property_id, name, metadata) select $1, h.id, h.id, $2 from ${properties}`,
    [tenantId, JSON.stringify(metadata)],
  );
  await admin.query(
    `insert into property_actor (tenant_id, property_id, business_date) select $1, h.id, $2 from ${properties}`,
    [tenantId, formatDay(chainToday)],
  );
  await admin.query(
    `insert into room_types (tenant_id, property_id, room_type, name, max_adults, max_children, max_guests, total_rooms)
     select $1, h.id, t, t, 2, 1, 3, 40 from ${properties}, unnest($2::text[]) t`,
    [tenantId, CHAIN_TYPES],
  );
  await admin.query(
    `insert into rates (tenant_id, id, property_id, code, name, currency)
     select $1, gen_random_uuid(), h.id, c, c, 'EUR' from ${properties}, unnest('{BAR,FLEX,NRF}'::text[]) c`,
    [tenantId],
  );
  await rates(properties);
  for (const table of ['base_rates', 'rates']) await admin.query(`alter table ${table} enable trigger all`);
  await admin.query('analyze base_rates');
}

/** The same with a base rate of its own for each property and type. */
export async function seedPricedChain(admin: Client, chain: Chain): Promise<void> {
  await seedChain(admin, chain, async (properties) => {
    await admin.query(
      `insert into base_rates (tenant_id, property_id, room_type, rate_date, rate, currency, created_at, updated_at)
       select $1, h.id, t, $2::date + d, 60 + (n * 7919 % 200) + 30 * (ascii(t) - 65), 'EUR', now(), now()
       from ${properties}, unnest($3::text[]) t, generate_series(0, ${chain.nights - 1}) d`,
      [chain.tenantId, formatDay(chainToday), CHAIN_TYPES],
    );
  });
}
