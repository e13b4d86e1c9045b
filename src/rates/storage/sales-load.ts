import { parseDay } from '../../kernel/rules/dates.ts';
import { cents, daySql, here, ms } from '../../platform/database/load-sql.ts';
import { type Promotion, REMEMBERED_DAYS } from '../rules/promotion.ts';

/** A promotion as its statement returns it: days inside of its conditions are text. */
export type LoadedPromotion = Omit<Promotion, 'conditions'> & {
  conditions: Omit<Promotion['conditions'], 'blackoutDates'> & { blackoutDates?: unknown };
};

/** A day that no calendar has blocks nothing: the property must come up whatever a row says. */
export function promotionOf({ conditions, ...promotion }: LoadedPromotion): Promotion {
  const { blackoutDates, ...others } = conditions;
  if (!Array.isArray(blackoutDates)) return { ...promotion, conditions: others };
  const days = blackoutDates
    .map((text) => (typeof text === 'string' ? parseDay(text) : undefined))
    .filter((known) => known !== undefined);
  return { ...promotion, conditions: { ...others, blackoutDates: days } };
}

/** Flags that are off are no limit, so they have no member. */
export const RESTRICTIONS = `
  select rate_code as "rateCode", room_type as "roomType", ${daySql('date')} as day, json_strip_nulls(json_build_object(
    'minStayArrival', min_stay_arrival, 'maxStayArrival', max_stay_arrival, 'minStayThrough', min_stay_through,
    'maxStayThrough', max_stay_through, 'minAdvance', min_advance, 'maxAdvance', max_advance,
    'closedToArrival', nullif(closed_to_arrival, false), 'closedToDeparture', nullif(closed_to_departure, false),
    'stopSell', nullif(stop_sell, false), 'rateLocked', nullif(rate_locked, false))) as restriction
  from rate_restrictions where ${here} and date >= a.business_date`;

/** All promotions of the property that were not removed. */
export const EVERY_PROMOTION = `
  select id, promotion_name as name, description, promo_code as "promoCode",
    json_build_object('type', discount_type, 'value',
      case discount_type when 'FIXED_AMOUNT' then discount_value * 100 else discount_value end) as discount,
    json_build_object('start', ${daySql('start_date')}, 'end', ${daySql('end_date')}) as validity,
    case when stay_start_date is not null
      then json_build_object('start', ${daySql('stay_start_date')}, 'end', ${daySql('stay_end_date')}) end as "stayPeriod",
    room_types as "roomTypes", conditions,
    json_build_object('totalRooms', inventory_limit, 'maxPerDay', max_per_day) as inventory, paused,
    used_inventory as used, (select coalesce(json_object_agg(${daySql('date')}, n.used), '{}') from promotion_nights n
      where n.tenant_id = p.tenant_id and n.promotion_id = p.id and n.date >= a.business_date and n.used > 0) as "usedOn",
    ${ms('created_at')} as "createdAt"
  from promotions p where ${here} and deleted_at is null`;

/** Those that an actor has in memory (`isRemembered`). */
export const PROMOTIONS = `${EVERY_PROMOTION} and end_date > a.business_date - ${REMEMBERED_DAYS} order by created_at, id`;

/** All groups of the property that were not removed. */
export const EVERY_GROUP = `
  select id as "groupId", name, ${daySql('cutoff_date')} as cutoff, released, (select json_object_agg(
      b.date - date '1970-01-01' || ' ' || room_type, json_build_object('roomType', room_type, 'day',
      b.date - date '1970-01-01', 'rooms', rooms, 'rate', ${cents('rate')}, 'pickedUp', picked_up))
      from group_blocks b where b.tenant_id = g.tenant_id and b.group_id = g.id) as blocks, ${ms('created_at')} as "createdAt"
  from reservation_groups g where ${here} and deleted_at is null`;

/** Those that have nights to come (`isOver`). */
export const GROUPS = `${EVERY_GROUP} and exists (select from group_blocks b
    where b.tenant_id = g.tenant_id and b.group_id = g.id and b.date >= a.business_date) order by created_at, id`;
