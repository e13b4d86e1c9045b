/** Nights of a reservation `r`: none of day use. */
export const NIGHTS_SLEPT = 'case when r.day_use then 0 else r.nights end';

/** Surviving profile of a profile `m`. A case, because row security uses no index behind `coalesce`. */
export const survivorOf = (m: string): string =>
  `case when ${m}.merged_into is null then ${m}.id else ${m}.merged_into end`;

/**
 * Nights stayed by surviving guest, the base of loyalty (docs/reference/guests.md#loyalty), over departures since a day,
 * its parameter. To be continued with conditions on `r` or on the profile `m`, and ended with `group by 1`.
 */
export const NIGHTS_STAYED = `
  select ${survivorOf('m')} as guest_id, sum(${NIGHTS_SLEPT})::int as nights
  from guests m join reservations r on r.tenant_id = m.tenant_id and r.guest_id = m.id
  where m.tenant_id = current_setting('innkeeper.tenant') and r.tenant_id = current_setting('innkeeper.tenant')
    and r.status = 'CHECKED_OUT' and r.check_out >= ?::date and r.deleted_at is null`;

/** The same of one surviving guest, whose id is a column or a parameter; its parameter is the day. */
export const nightsOfSurvivor = (id: string): string =>
  `${NIGHTS_STAYED} and (m.id = ${id} or m.merged_into = ${id}) group by 1`;
