import { parseDay } from '../../kernel/rules/dates.ts';
import { daySql, here } from '../../platform/database/load-sql.ts';
import { PROMOTIONS_TABLE, RESTRICTIONS_TABLE } from '../../platform/database/tables/sales.ts';
import { membersOf, readsOf, selectOf } from '../../platform/database/tables/table.ts';
import { type Promotion, REMEMBERED_DAYS } from '../rules/promotion.ts';
import { RESTRICTION_FLAGS } from '../rules/restriction.ts';

/** A promotion as its statement returns it: days within its conditions are text. */
export type LoadedPromotion = Omit<Promotion, 'conditions'> & {
  conditions: Omit<Promotion['conditions'], 'blackoutDates'> & { blackoutDates?: unknown };
};

/** An impossible day sets no limit: the property must load whatever a row says. */
export function promotionOf({ conditions, ...promotion }: LoadedPromotion): Promotion {
  const { blackoutDates, ...others } = conditions;
  if (!Array.isArray(blackoutDates)) return { ...promotion, conditions: others };
  const days = blackoutDates
    .map((text) => (typeof text === 'string' ? parseDay(text) : undefined))
    .filter((known) => known !== undefined);
  return { ...promotion, conditions: { ...others, blackoutDates: days } };
}

const FLAGS = new Set<string>(RESTRICTION_FLAGS);
/** Flags that are off set no limit, so they have no member. */
const LIMITS = readsOf(RESTRICTIONS_TABLE, ['rateCode', 'roomType', 'day']).map(
  ([name, sql]) => [name, FLAGS.has(name) ? `nullif(${sql}, false)` : sql] as const,
);

export const RESTRICTION_ROWS = `
  select rate_code as "rateCode", room_type as "roomType", ${daySql('date')} as day,
    json_strip_nulls(json_build_object(${membersOf(LIMITS)})) as restriction
  from rate_restrictions where ${here} and date >= a.business_date`;

/** Structured members of a promotion, and members derived from the others. */
const NESTED = [
  ...(['discountType', 'discountValue', 'startDate', 'endDate', 'stayStartDate', 'stayEndDate'] as const),
  ...(['inventoryLimit', 'maxPerDay', 'status'] as const),
];

/** All promotions of the property that were not removed. */
export const EVERY_PROMOTION = `
  select ${selectOf(PROMOTIONS_TABLE, NESTED)},
    json_build_object('type', discount_type, 'value',
      case discount_type when 'FIXED_AMOUNT' then discount_value * 100 else discount_value end) as discount,
    json_build_object('start', ${daySql('start_date')}, 'end', ${daySql('end_date')}) as validity,
    case when stay_start_date is not null
      then json_build_object('start', ${daySql('stay_start_date')}, 'end', ${daySql('stay_end_date')}) end as "stayPeriod",
    json_build_object('totalRooms', inventory_limit, 'maxPerDay', max_per_day) as inventory,
    (select coalesce(json_object_agg(${daySql('date')}, n.used), '{}') from promotion_nights n where n.tenant_id = p.tenant_id
      and n.promotion_id = p.id and n.date >= a.business_date and n.used > 0) as "usedOn"
  from promotions p where ${here} and deleted_at is null`;

/** Promotions that an actor has in memory (`isRemembered`). */
export const PROMOTION_ROWS = `${EVERY_PROMOTION} and end_date > a.business_date - ${REMEMBERED_DAYS} order by created_at, id`;
