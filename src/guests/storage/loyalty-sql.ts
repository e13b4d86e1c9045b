/**
 * Nights stayed by guest, on which loyalty rests (docs/reference/reservations.md#guests): of stays that were checked
 * out of since a day, its parameter. Goes on with conditions on `r` and ends with `group by 1`.
 */
export const NIGHTS_STAYED = `
  select r.guest_id, sum(r.nights)::int as nights from reservations r
  where r.tenant_id = current_setting('innkeeper.tenant') and r.status = 'CHECKED_OUT' and r.check_out >= ?::date
    and r.deleted_at is null`;
