import type { Day } from '../../kernel/rules/dates.ts';
import type { RoomType } from '../../properties/rules/property.ts';
import type { Promotion } from './promotion.ts';
import type { NightRestriction, RateNight, ZeroNight } from './queries.ts';
import { BAR, lineageOf, type RatePlan } from './rate-plan.ts';

/** ERROR: something cannot be sold as it is; WARNING: it can, but is odd. */
export const SEVERITIES = ['ERROR', 'WARNING'] as const;
export const FINDINGS = [
  ...(['NO_RATE', 'PRICE_ZERO', 'NO_PLAN', 'PARENT_NOT_SOLD', 'LIMITS_CONTRADICT'] as const),
  ...(['FREE_OF_CHARGE', 'FAR_FROM_MARKET', 'SOLD_OUT_CHEAP'] as const),
] as const;

/** A finding about nights of a type, or about a plan. */
export type Finding = {
  code: (typeof FINDINGS)[number];
  severity: (typeof SEVERITIES)[number];
  detail: string;
  roomType?: string;
  rateCode?: string;
  /** First and last night. */
  start?: Day;
  end?: Day;
};

export type Rated = {
  start: Day;
  end: Day;
  roomTypes: readonly RoomType[];
  plans: readonly RatePlan[];
  /** Nights with a rate. */
  nights: readonly RateNight[];
  /** Nights whose rate a plan reduces to nothing. */
  zeroNights: readonly ZeroNight[];
  promotions: readonly Promotion[];
  restrictions: readonly NightRestriction[];
};

/** Factor from the market beyond which a price may be a typing error. */
const FAR = 2;
/** Limit of reported findings. */
const MOST = 500;

/** Checks the rates of a property; findings are in the order in which they should be fixed. */
export function findingsIn(rated: Rated): Finding[] {
  const found = [
    ...plansIn(rated),
    ...unpricedIn(rated),
    ...zeroIn(rated),
    ...contradictionsIn(rated),
    ...givenAwayIn(rated),
    ...oddIn(rated),
  ];
  return found.slice(0, MOST);
}

function plansIn({ plans }: Rated): Finding[] {
  const all = new Map(plans.map((plan) => [plan.code, plan]));
  const none: Finding = { code: 'NO_PLAN', severity: 'ERROR', detail: 'No rate plan is sold.' };
  const orphans = plans.flatMap((plan): Finding[] => {
    const parent = lineageOf(all, plan)[1];
    if (plan.status !== 'ACTIVE' || plan.parentCode === undefined || parent?.status === 'ACTIVE') return [];
    const detail = `Its parent ${plan.parentCode} is ${parent ? parent.status : 'gone'}.`;
    return [{ code: 'PARENT_NOT_SOLD', severity: 'WARNING', detail, rateCode: plan.code }];
  });
  return plans.some(({ status }) => status === 'ACTIVE') ? orphans : [none, ...orphans];
}

/** Nights on sale without a rate, as ranges. */
function unpricedIn({ start, end, roomTypes, nights, zeroNights }: Rated): Finding[] {
  const ofBar = zeroNights.filter(({ rateCode }) => rateCode === BAR);
  const priced = new Set([...nights, ...ofBar].map(({ roomType, day }) => `${roomType} ${day}`));
  return roomTypes.flatMap(({ roomType }) =>
    runsOf(start, end, (day) => !priced.has(`${roomType} ${day}`)).map(([from, to]): Finding => ({
      code: 'NO_RATE',
      severity: 'ERROR',
      detail: `${to - from + 1} nights have no rate and cannot be booked.`,
      roomType,
      start: from,
      end: to,
    })),
  );
}

/** Nights that rules, seasons and adjustments reduce to nothing, as ranges. */
function zeroIn({ start, end, zeroNights }: Rated): Finding[] {
  const byPlan = Map.groupBy(zeroNights, ({ rateCode, roomType }) => `${rateCode} ${roomType}`);
  return [...byPlan.values()].flatMap((nights) => {
    const days = new Set(nights.map(({ day }) => day));
    const { roomType, rateCode } = nights[0]!;
    return runsOf(start, end, (day) => days.has(day)).map(([from, to]): Finding => ({
      code: 'PRICE_ZERO',
      severity: 'ERROR',
      detail: `The price under ${rateCode} comes to 0.00 for ${to - from + 1} nights, which are not sold.`,
      roomType,
      rateCode,
      start: from,
      end: to,
    }));
  });
}

/** Promotions that reduce the price to nothing: they are sold, and may be typing errors. */
function givenAwayIn({ promotions, nights }: Rated): Finding[] {
  const cheapest = nights.reduce((least, { rate }) => Math.min(least, rate), Infinity);
  return promotions.flatMap(({ promoCode, discount, conditions, paused }): Finding[] => {
    const { type, value } = discount;
    const isAll = type === 'PERCENTAGE' && value >= 100;
    const shortest = cheapest * (conditions.minimumStay ?? 1);
    if (paused || !(isAll || (type === 'FIXED_AMOUNT' && value >= shortest))) return [];
    const detail = `The promotion ${promoCode} ${isAll ? 'takes' : 'can take'} off the whole price of a stay.`;
    return [{ code: 'FREE_OF_CHARGE', severity: 'WARNING', detail }];
  });
}

/** Ranges of days from `start` to `end` for which `holds` is true, as first and last day. */
function runsOf(start: Day, end: Day, holds: (day: Day) => boolean): [Day, Day][] {
  const runs: [Day, Day][] = [];
  for (let day = start; day <= end; day++) {
    if (!holds(day)) continue;
    const last = runs.at(-1);
    if (last?.[1] === day - 1) last[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}

/** Restrictions that rule out every stay, whatever its length or booking time. */
function contradictionsIn({ restrictions }: Rated): Finding[] {
  return restrictions.flatMap(({ rateCode, roomType, day, restriction }): Finding[] => {
    const {
      minStayArrival = 0,
      minStayThrough = 0,
      maxStayArrival,
      maxStayThrough,
      minAdvance,
      maxAdvance,
    } = restriction;
    const least = Math.max(minStayArrival, minStayThrough);
    const most = Math.min(maxStayArrival ?? Infinity, maxStayThrough ?? Infinity);
    if (least <= most && (minAdvance ?? 0) <= (maxAdvance ?? Infinity)) return [];
    const detail = 'Its least stay or advance is more than its most: no arrival can be booked.';
    return [{ code: 'LIMITS_CONTRADICT', severity: 'ERROR', detail, roomType, rateCode, start: day, end: day }];
  });
}

function oddIn({ nights }: Rated): Finding[] {
  return nights.flatMap(({ roomType, day, rate, low, market, capacity, booked }): Finding[] => {
    const at = { roomType, start: day, end: day, severity: 'WARNING' as const };
    if (market !== undefined && (rate > FAR * market || rate * FAR < market))
      return [
        { ...at, code: 'FAR_FROM_MARKET', detail: 'The price is more than twice or less than half the market.' },
      ];
    if (capacity > 0 && booked >= capacity && rate === low)
      return [{ ...at, code: 'SOLD_OUT_CHEAP', detail: 'Sold out at the lowest price of the plan.' }];
    return [];
  });
}
