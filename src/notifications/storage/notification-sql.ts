import { ms, ofTenant } from '../../platform/database/load-sql.ts';
import { WAITLIST_TABLE } from '../../platform/database/tables/front-desk.ts';
import { selectOf } from '../../platform/database/tables/table.ts';
import { UNREAD_PROPERTIES } from '../rules/notification.ts';

/** Statements of `notifications.ts`; each runs in a transaction of its tenant. */

const instant = `to_timestamp(?::float8 / 1000)`;

/** Rows of each property of a page: some hundred kilobytes of bookings. */
const ROWS = 200;

/** Reminders created by one statement, and rows removed by one. */
const PAGE = 500;

const BEHIND = `
  select a.property_id, a.seq as newest, coalesce(p.seq, 0) as seq
  from property_actor a left join notification_positions p using (tenant_id, property_id)
  where ${ofTenant('a')} and a.seq > coalesce(p.seq, 0)`;

/** Parameter: the property before. A property whose rows were dropped has one row without a number. */
export const UNREAD = `
  select b.property_id as "propertyId", b.newest, j.seq, ${ms('j.at')} as at, j.type, j.entity, j.bookings, j.setup
  from (${BEHIND} and a.property_id > ? order by a.property_id limit ${UNREAD_PROPERTIES}) as b
  left join lateral (
    select seq, at, type, entity, facts -> 'bookings' as bookings,
      case when type in ('OFFER_WAITLIST', 'RECORD_MAIL') then facts -> 'setup' end as setup from journal j
    where ${ofTenant('j')} and j.property_id = b.property_id and j.seq > b.seq order by j.seq limit ${ROWS}) as j on true
  order by b.property_id, j.seq`;

/** Rows after which a property may have more. */
export const FULL = ROWS;

const hasPhone = `coalesce(r.details -> 'guest' ->> 'phone', '') <> ''`;

/**
 * Parameter: notifications. In order of the key, so that two writers of the same rows do not deadlock. `offset 0` has the
 * phone looked up for each; else those of all stays would be read first.
 */
export const ADD_NOTIFICATION = `
  insert into notifications (tenant_id, property_id, reservation_id, kind, channel, occasion, at, due_at)
  select current_setting('innkeeper.tenant'), x."propertyId", x."reservationId", x.kind::notification_kind,
    x.channel::notification_channel, x.occasion, to_timestamp(x.at / 1000), to_timestamp(x.at / 1000)
  from json_to_recordset(?::json)
    as x ("propertyId" text, "reservationId" uuid, kind text, channel text, occasion bigint, at float8)
  where x.channel <> 'SMS' or exists (
    select from reservations r where ${ofTenant('r')} and r.id = x."reservationId" and ${hasPhone} offset 0)
  order by 3, 4, 5, 6 on conflict do nothing`;

const MOVE = `
  on conflict (tenant_id, property_id) do update set seq = excluded.seq where old.seq < excluded.seq`;

/** Parameter: positions. */
export const MOVE_ON = `
  insert into notification_positions as old (tenant_id, property_id, seq)
  select current_setting('innkeeper.tenant'), x."propertyId", x.seq
  from json_to_recordset(?::json) as x ("propertyId" text, seq bigint) order by 2 ${MOVE}`;

export const SKIP = `
  insert into notification_positions as old (tenant_id, property_id, seq)
  select current_setting('innkeeper.tenant'), b.property_id, b.newest from (${BEHIND}) as b order by 2 ${MOVE}`;

const timezone = `p.metadata ->> 'timezone'`;
const checkInTime = `coalesce(p.metadata ->> 'checkInTime', '15:00')`;

/** With some of the properties of each clock. */
export const CLOCKS = `
  select ${timezone} as timezone, ${checkInTime} as "checkInTime",
    (array_agg(p.property_id::text order by p.property_id))[1:5] as properties
  from properties p where ${ofTenant('p')} group by 1, 2`;

/** The timeline and its times may be malformed: a failing cast would end the statement for the whole tenant. */
const timeline = `
  case json_typeof(r.details -> 'timeline') when 'array' then r.details -> 'timeline' else '[]' end`;
const moment = `
  case when e ->> 'timestamp' ~ '^[0-9]{1,16}([.][0-9]+|)$' then (e ->> 'timestamp')::float8 else 0 end`;

/** Parameters: day, now, now; channels; timezone, check-in time; day; since; day. */
export const REMIND = `
  insert into notifications (tenant_id, property_id, reservation_id, kind, channel, occasion, at, due_at)
  select r.tenant_id, r.property_id, r.id, 'REMINDER', c.channel, ?::bigint, ${instant}, ${instant}
  from properties p
  join reservations r on r.tenant_id = p.tenant_id and r.property_id = p.property_id
  cross join (select value::notification_channel as channel from json_array_elements_text(?::json)) as c
  where ${ofTenant('p')} and ${timezone} = ? and ${checkInTime} = ?
    and r.check_in = date '1970-01-01' + ?::int and r.status = 'CONFIRMED' and r.deleted_at is null
    and not system.is_sandbox(r.property_id)
    and not exists (
      select from json_array_elements(${timeline}) e
      where e ->> 'event' in ('CREATED', 'CONFIRMED', 'MODIFIED') and ${moment} >= ?::float8)
    and (c.channel <> 'SMS' or ${hasPhone})
    and not exists (
      select from notifications n where n.tenant_id = r.tenant_id and n.reservation_id = r.id
        and n.kind = 'REMINDER' and n.channel = c.channel and n.occasion = ?::bigint)
  order by 3, 5 limit ${PAGE} on conflict do nothing returning 1`;

const KEY = ['reservation_id', 'kind', 'channel', 'occasion'];
const sameKey = (other: string): string =>
  `${ofTenant('n')} and ${KEY.map((column) => `n.${column} = ${other}.${column}`).join(' and ')}`;
const NAMED = `
  n.property_id as "propertyId", n.reservation_id as "reservationId", n.kind, n.channel, n.occasion,
  ${ms('n.at')} as at, n.attempts`;

/**
 * Only the first of a reservation: after its end, its beginning is not notified. `offset 0` has it looked up for each
 * leased row; else it would be joined with all waiting ones.
 */
const FIRST = `
  not exists (
    select from notifications e
    where ${ofTenant('e')} and e.reservation_id = n.reservation_id and e.channel = n.channel
      and e.state in ('WAITING', 'SENDING') and (e.at, e.occasion) < (n.at, n.occasion) offset 0)`;

/**
 * Parameters: channel, now, limit, until. Ordered by the whole index: under row security the planner does not know that
 * tenant and channel are constant, and would read and sort all waiting rows for each few that are leased.
 */
export const LEASE = `
  with due as (
    select ${KEY.join(', ')} from notifications n
    where ${ofTenant('n')} and channel = ?::notification_channel and state = 'WAITING' and due_at <= ${instant}
      and ${FIRST}
    order by n.tenant_id, channel, due_at limit ? for update skip locked)
  update notifications n set due_at = ${instant} from due where ${sameKey('due')} returning ${NAMED}`;

/** With index in the list, and the known number of attempts. Parameter: notifications. */
const GIVEN = `
  json_to_recordset(?::json) as x (place int,
    reservation_id uuid, kind notification_kind, channel notification_channel, occasion bigint, attempts int,
    property_id text, at float8, state notification_state, attempted int, due_at float8, sent_at float8, error text)`;

/** Parameters: until, notifications. */
export const BEGIN = `
  update notifications n set state = 'SENDING', attempts = n.attempts + 1, due_at = ${instant}
  from ${GIVEN} where ${sameKey('x')} and n.state = 'WAITING' and n.attempts = x.attempts returning x.place`;

/** One that was given up meanwhile gets its true outcome. Parameter: notifications. */
export const SETTLE = `
  update notifications n set state = x.state, attempts = x.attempted, due_at = to_timestamp(x.due_at / 1000),
    sent_at = to_timestamp(x.sent_at / 1000), error = left(x.error, 100)
  from ${GIVEN}
  where ${sameKey('x')} and n.attempts = x.attempts and n.state in ('WAITING', 'SENDING', 'UNKNOWN')`;

/** Parameters: when to remove it, now. */
export const GIVE_UP = `
  update notifications n set state = 'UNKNOWN', due_at = ${instant}, error = 'its sender was cut off'
  where ${ofTenant('n')} and channel in ('MAIL', 'SMS') and state = 'SENDING' and due_at <= ${instant} returning 1`;

/** Parameter: now. */
export const FORGET = `
  delete from notifications n where ${ofTenant('n')} and ctid = any (array(
    select ctid from notifications n
    where ${ofTenant('n')} and channel in ('MAIL', 'SMS') and state not in ('WAITING', 'SENDING') and due_at <= ${instant}
    limit ${PAGE}))
  returning 1`;

/** Parameter: ids of reservations. */
export const RESERVATIONS = `
  select r.* from reservations r
  where ${ofTenant('r')} and r.id = any (array(select value::uuid from json_array_elements_text(?::json)))
    and r.deleted_at is null`;

/** Parameter: properties. */
export const NOTIFIED_PROPERTIES = `
  select p.* from properties p
  where ${ofTenant('p')} and p.property_id = any (array(select value from json_array_elements_text(?::json)))`;

/** `offset 0` has each row looked up by its key. Parameter: notifications. */
export const NOTIFIED_ROWS = `
  select x.place, j.entity, j.bookings, j.setup
  from ${GIVEN} cross join lateral (
    select entity, facts -> 'bookings' as bookings, case when type = 'RECORD_MAIL' then facts -> 'setup' end as setup
    from journal j
    where ${ofTenant('j')} and j.property_id = x.property_id and j.seq = x.occasion
      and j.at = to_timestamp(x.at / 1000)::timestamptz(3)
    offset 0) as j
  where x.kind not in ('REMINDER', 'WAITLIST_OFFER')`;

/**
 * Languages of the profiles of stays, of a merged one that of the survivor. `offset 0` has each looked up by its key; else
 * all of the tenant would be read for a list that the planner takes for a hundred. Parameter: ids of reservations.
 */
export const PROFILE_LANGUAGES = `
  select r.id as "reservationId", case when g.merged_into is null then g.language else s.language end as language
  from json_array_elements_text(?::json) as given
  cross join lateral (
    select tenant_id, id, guest_id from reservations where ${ofTenant('reservations')} and id = given.value::uuid
    offset 0) as r
  join guests g on g.tenant_id = r.tenant_id and g.id = r.guest_id
  left join guests s on s.tenant_id = g.tenant_id and s.id = g.merged_into`;

/** Parameter: ids of requests. */
export const WAITING = `
  select ${selectOf(WAITLIST_TABLE, ['roomType', 'checkIn', 'checkOut'])} from waitlist
  where ${ofTenant('waitlist')} and id in (select value::uuid from json_array_elements_text(?::json))`;

/** Parameter: properties. */
export const ROOM_TYPES = `
  select t.property_id as "propertyId", t.room_type as "roomType", t.name from room_types t
  where ${ofTenant('t')} and t.property_id in (select value from json_array_elements_text(?::json))`;
