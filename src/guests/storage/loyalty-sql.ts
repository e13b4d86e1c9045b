/**
 * Nights stayed by guest, the base of loyalty (docs/reference/reservations.md#guests), over departures since a day, its
 * parameter. To be continued with conditions on `r`, and ended with `group by 1`.
 */
export const NIGHTS_STAYED = `
  select r.guest_id, sum(r.nights)::int as nights from reservations r
  where r.tenant_id = current_setting('innkeeper.tenant') and r.status = 'CHECKED_OUT' and r.check_out >= ?::date
    and r.deleted_at is null`;
