import type { Guest } from '../../guests/rules/guest.ts';
import { tierOf } from '../../guests/rules/loyalty.ts';
import { nightsOfSurvivor, survivorOf } from '../../guests/storage/loyalty-sql.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { Database } from '../../platform/database/database.ts';
import { daySql } from '../../platform/database/load-sql.ts';
import type { RoomStays, StayToRoom } from '../ports.ts';
import { type RoomWish, wishesOf } from '../rules/room-wishes.ts';

/** Two years of a fully booked property with 500 rooms. */
const MOST = 100_000;

const STAYS = `
  with here as (
    select * from reservations r
    where r.tenant_id = ? and r.property_id = ? and r.deleted_at is null
      and (r.status = 'CONFIRMED' and r.check_out > ?::date or r.status = 'CHECKED_IN')
    limit ${MOST}
  ), guest as (
    select g.id, ${survivorOf('g')} as survivor from guests g
    where g.tenant_id = current_setting('innkeeper.tenant') and g.id in (select guest_id from here)
  ), stayed as (
    select guest.id as guest_id, n.nights from guest cross join lateral (${nightsOfSurvivor('guest.survivor')}) n
  )
  select here.id as "reservationId", here.room_type as "roomType", ${daySql('here.check_in')} as "checkIn",
    ${daySql('least(here.check_out, a.check_out)')} as "checkOut", here.status, here.room_number as "roomNumber", here.adults, here.children,
    coalesce(a.fixed, false) as fixed, coalesce(s.nights, 0) as nights,
    here.details -> 'guest' -> 'preferences' as preferences, here.room_wishes as "roomWishes",
    here.booking_id as "bookingId", here.group_id as "groupId"
  from here
  left join stayed s on s.guest_id = here.guest_id
  left join room_assignments a on a.tenant_id = here.tenant_id and a.reservation_id = here.id`;

type Row = Omit<StayToRoom, 'roomNumber' | 'fixed' | 'tier' | 'wishes' | 'parties'> & {
  roomNumber: string | null;
  fixed: boolean;
  nights: number;
  preferences: Guest['preferences'] | null;
  roomWishes: RoomWish[] | null;
  bookingId: string | null;
  groupId: string | null;
};

export function databaseRoomStays(database: Database): RoomStays {
  return async ({ tenantId, propertyId }, today, since) => {
    const values = [tenantId, propertyId, formatDay(today), formatDay(since)];
    const rows = (await database.readTenant(tenantId, (em) => em.execute(STAYS, values))) as unknown as Row[];
    if (rows.length >= MOST) throw new Error(`${propertyId} has more than ${MOST} stays`);
    return rows.map(toStay);
  };
}

function toStay(row: Row): StayToRoom {
  const { roomNumber, fixed, nights, preferences, roomWishes, bookingId, groupId, ...stay } = row;
  const wishes = wishesOf(roomWishes ?? [], preferences ?? {});
  const parties = [bookingId, groupId].filter((id) => id !== null);
  return {
    ...stay,
    tier: tierOf(nights),
    ...(roomNumber !== null && { roomNumber }),
    ...(fixed && { fixed }),
    ...(wishes.length > 0 && { wishes }),
    ...(parties.length > 0 && { parties }),
  };
}
