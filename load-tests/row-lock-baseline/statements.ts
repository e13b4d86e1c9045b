/**
 * SQL of a row-locking booking service on the same tables: the rows of the two commits of a paid booking, each commit's
 * in two prepared statements. Uncontended rows come first; the contended nights are locked late, in the order of their
 * dates, and held for two round trips and the commit.
 */

/** Key, guest with its data key, payment attempt and hold; returns the number of claimed keys. */
export const WRITE_HOLD = `
  with claimed as (
    insert into idempotency (tenant_id, subject, key, fingerprint, state, property_id, ref, created_at, expires_at)
    values ($1::text, $3, $4, $5, 'IN_PROGRESS', $2::text, $6::text, $7::timestamptz,
      $7::timestamptz + interval '24 hours')
    on conflict (tenant_id, subject, key) do nothing
    returning 1
  ), guest as (
    insert into guests
      (tenant_id, id, email, email_key, first_name, last_name, last_name_key, phone, preferences, created_at, updated_at)
    values ($1::text, $8, $9, $10, $11, $12, $13, $14, $15, $7::timestamptz, $7::timestamptz)
    on conflict (tenant_id, email_key, last_name_key) do nothing
    returning id
  ), guest_key as (
    insert into guest_keys (tenant_id, guest_id, wrapped, created_at)
    select $1::text, guest.id, $16::text, $7::timestamptz from guest
  ), attempt as (
    insert into payments
      (tenant_id, id, property_id, reservation_id, amount, currency, method, status, transaction_type, created_at)
    values ($1::text, $17, $2::text, $18::uuid, $19, $20, $21, 'PROCESSING', 'CHARGE', $7::timestamptz)
  ), hold as (
    insert into holds
      (tenant_id, property_id, id, kind, room_type, check_in, check_out, rooms, expires_at, reservation_id, doc,
       created_at)
    values ($1::text, $2::text, $6::text::uuid, 'PAYING', $22, $23, $24, 1,
      $7::timestamptz + interval '120 seconds', $18::uuid, $25, $7::timestamptz)
  )
  select count(*)::int as claimed from claimed`;

/** Reservation, history, payment, hold and key at the end of a paid booking. */
export const WRITE_BOOKING = `
  with reservation as (
    insert into reservations
      (tenant_id, id, property_id, confirmation_number, guest_id, status, check_in, check_out, nights, adults, children,
       room_type, rate_code, total_amount, base_amount, taxes, fees, currency, source, paid_amount, balance_due,
       cancellation_policy, special_requests, details, version, created_at, updated_at)
    values ($1::text, $3::uuid, $2::text, $4, $5, 'CONFIRMED', $6, $7, $8, $9, $10, $11, $12, $13::numeric, $14, $15,
      $16, $17, $18, $13::numeric, 0, $19, $20, $21, 1, $22::timestamptz, $22::timestamptz)
  ), history as (
    insert into reservation_status_history (tenant_id, reservation_id, old_status, new_status, changed_at, changed_by)
    values ($1::text, $3::uuid, null, 'CONFIRMED', $22::timestamptz, $23::text)
  ), payment as (
    update payments set status = 'COMPLETED', transaction_id = $24, processed_at = $22::timestamptz
    where tenant_id = $1::text and id = $25
  ), hold as (
    delete from holds where tenant_id = $1::text and property_id = $2::text and id = $26::text::uuid
  )
  update idempotency set state = 'DONE', answer = $27
  where tenant_id = $1::text and subject = $23::text and key = $28 and state = 'IN_PROGRESS' and ref = $26::text`;

export const LOCK_NIGHTS = `
  select available_rooms
  from availability.room_availability
  where tenant_id = $1::text and property_id = $2::text and room_type = $3 and date >= $4::date and date < $5::date
  order by date
  for update`;

/** Changes the locked nights, takes the next number of the property and writes its journal row, in one statement. */
export const MOVE_NIGHTS = `
  with nights as (
    update availability.room_availability
    set held_rooms = held_rooms + $6::int, booked_rooms = booked_rooms + $7::int,
      available_rooms = available_rooms - $6::int - $7::int,
      status = (case when available_rooms - $6::int - $7::int = 0 then 'SOLD_OUT'
        when (available_rooms - $6::int - $7::int) * 10 <= total_rooms then 'LIMITED'
        else 'OPEN' end)::availability_status,
      updated_at = $14::timestamptz
    where tenant_id = $1::text and property_id = $2::text and room_type = $3 and date >= $4::date and date < $5::date
  ), number as (
    update property_actor set seq = seq + 1 where tenant_id = $1::text and property_id = $2::text returning seq
  )
  insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
  select $1::text, $2::text, number.seq, $14::timestamptz, $8, $9, $10, $11, $12::json, $13 from number
  returning seq::float8 as seq`;

export const READ_PRICES = `
  select rate_date::text as day, (rate * 100)::int as rate
  from base_rates
  where tenant_id = $1::text and property_id = $2::text and room_type = $3`;
