import type { Client } from 'pg';

import { statusKey } from '../platform/database/row-values.ts';

/** A scene for readers: what `fillReservations` writes for each tenant. */
export const PROPERTIES = 5;
/** The first reservation of a tenant was created here, each next one a minute later. */
export const FIRST_CREATED = Date.UTC(2026, 0, 1);
export const SPACING_MS = 60_000;

/** The id of the n-th reservation of any tenant. */
export function reservationId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** `count` properties of one tenant, `p0` and on, created a minute apart, past row security. */
export async function fillProperties(admin: Client, tenant: string, count: number): Promise<void> {
  const metadata = { currency: 'EUR', timezone: 'Europe/Lisbon', checkInTime: '15:00', checkOutTime: '11:00' };
  await admin.query(
    `insert into properties (tenant_id, property_id, name, metadata, created_at)
     select $1, 'p' || n, 'House ' || n, $2, timestamptz 'epoch' + ($4::bigint + n * $5::bigint) * interval '1 ms'
     from generate_series(0, $3::int - 1) n`,
    [tenant, metadata, count, FIRST_CREATED, SPACING_MS],
  );
  await admin.query(
    `insert into property_actor (tenant_id, property_id, seq) select $1, 'p' || n, n * 10
     from generate_series(0, $2::int - 1) n`,
    [tenant, count],
  );
}

/**
 * Five properties and `count` reservations of one tenant, each with a payment, past row security. Number n is
 * in property n % 5, made by guest n / 10 (`Guest7@Example.com`) in minute n, arrives n / 50 days later for 1 to 3
 * nights. Every 100th is soft-deleted; every 25th is in group n / 100.
 */
export async function fillReservations(admin: Client, tenant: string, count: number): Promise<void> {
  await fillProperties(admin, tenant, PROPERTIES);
  const born = `timestamptz 'epoch' + ($3::bigint + n * $4::bigint) * interval '1 ms'`;
  await admin.query(
    `insert into reservations (tenant_id, id, property_id, confirmation_number, guest_id, status, check_in, check_out,
       nights, adults, room_type, rate_code, total_amount, base_amount, paid_amount, balance_due, currency, source,
       cancellation_policy, special_requests, details, email_key, status_key, group_id, created_at, updated_at, deleted_at)
     select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p' || n % ${PROPERTIES},
       $1 || n, ('00000000-0000-4000-9000-' || lpad((n / 10)::text, 12, '0'))::uuid,
       (case when n % 10 = 0 then 'CANCELLED' else 'CONFIRMED' end)::reservation_status,
       date '2026-02-01' + n / 50, date '2026-02-01' + n / 50 + 1 + n % 3, 1 + n % 3, 2, 'STD', 'BAR',
       100, 100, 40, 60, 'EUR', (case when n % 7 = 0 then 'OTA' else 'DIRECT' end), 'STANDARD', '["late arrival"]',
       jsonb_build_object('guest', jsonb_build_object('guestId', n / 10, 'firstName', 'A', 'lastName', 'B',
         'email', 'Guest' || n / 10 || '@Example.com'), 'nights', '[]'::jsonb, 'timeline', '[]'::jsonb,
         'source', '{}'::jsonb), 'guest' || n / 10 || '@example.com',
       case when n % 10 = 0 then $5::int else $6::int end,
       case when n % 25 = 0 then ('00000000-0000-4000-a000-' || lpad((n / 100)::text, 12, '0'))::uuid end,
       ${born}, ${born}, case when n % 100 = 99 then ${born} end
     from generate_series(0, $2::int - 1) n`,
    [tenant, count, FIRST_CREATED, SPACING_MS, statusKey('CANCELLED'), statusKey('CONFIRMED')],
  );
  await admin.query(
    `insert into payments (tenant_id, id, property_id, reservation_id, amount, currency, method, status, created_at)
     select tenant_id, gen_random_uuid(), property_id, id, 40, 'EUR', 'CREDIT_CARD', 'COMPLETED', created_at
     from reservations where tenant_id = $1`,
    [tenant],
  );
  await admin.query('analyze');
}
