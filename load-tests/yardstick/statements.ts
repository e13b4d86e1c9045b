/**
 * The SQL of a row-locking booking service on our own tables. Rows that nobody else wants are written first, by the
 * same functions that our commits use; the nights that everybody wants are locked late, in the order of their dates,
 * and held for two round trips and the commit.
 */
export const WRITE_OWN_ROWS = `
  select system.write_keys_v1($1::jsonb -> 'keys'), system.write_bookings_v1($1::jsonb)`;

export const LOCK_NIGHTS = `
  select available_rooms
  from availability.room_availability
  where tenant_id = $1 and property_id = $2 and room_type = $3 and date >= $4::date and date < $5::date
  order by date
  for update`;

/** Moves the locked nights, takes the next number of the property and writes its journal row, in one statement. */
export const MOVE_NIGHTS = `
  with nights as (
    update availability.room_availability
    set held_rooms = held_rooms + $6, booked_rooms = booked_rooms + $7,
      available_rooms = available_rooms - $6 - $7,
      status = (case when available_rooms - $6 - $7 = 0 then 'SOLD_OUT'
        when (available_rooms - $6 - $7) * 10 <= total_rooms then 'LIMITED' else 'OPEN' end)::availability_status,
      updated_at = app_now()
    where tenant_id = $1 and property_id = $2 and room_type = $3 and date >= $4::date and date < $5::date
  ), number as (
    update property_actor set seq = seq + 1 where tenant_id = $1 and property_id = $2 returning seq
  )
  insert into journal (tenant_id, property_id, seq, at, type, subject, request_id, entity, facts, hash)
  select $1, $2, number.seq, app_now(), $8, $9, $10, $11, $12::jsonb, $13 from number
  returning seq::float8 as seq`;

export const READ_PRICES = `
  select rate_date::text as day, (rate * 100)::int as rate
  from base_rates
  where tenant_id = $1 and property_id = $2 and room_type = $3`;
