/** Nights of a reservation `r`: none of day use. */
export const NIGHTS_SLEPT = 'case when r.day_use then 0 else r.nights end';

/**
 * Nights stayed by guest, the base of loyalty (docs/reference/reservations.md#guests), over departures since a day, its
 * parameter. To be continued with conditions on `r`, and ended with `group by 1`.
 */
export const NIGHTS_STAYED = `
  select r.guest_id, sum(${NIGHTS_SLEPT})::int as nights from reservations r
  where r.tenant_id = current_setting('innkeeper.tenant') and r.status = 'CHECKED_OUT' and r.check_out >= ?::date
    and r.deleted_at is null`;
