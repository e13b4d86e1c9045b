import { BOOKING_WAYS, type BookingWay, type DemoMarket, type DemoType } from '../../demo/rules/hotels.ts';
import { formatDay, weekdayIndex } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { BAR, type RatePlan } from '../../rates/rules/rate-plan.ts';

/** Occupancy of a usual night. */
const USUAL = 0.66;
/** How much of a difference in price is a difference in demand: a night that is 20 % dearer is 18 % fuller. */
const BY_SEASON = 0.9;
const BY_WEEKDAY = 0.5;
/** Prices that differ by less have no seasons. */
const FLAT = 0.03;
/** Seasons of a property whose prices have none, January first, and weekdays, Sunday first. */
const MONTHS = [0.88, 0.92, 0.97, 1, 1.05, 1.1, 1.12, 1.12, 1.06, 1, 0.92, 0.94];
const WEEKDAYS = [0.86, 0.94, 0.98, 1, 1.02, 1.1, 1.12];
/** Weights of one night, two nights and so on. */
const NIGHTS = [22, 30, 20, 10, 7, 4, 7];
/** Longer stays are invented only where no plan sells shorter ones. */
const LONGEST_STAY = 14;
const WEIGHTS: Readonly<Record<BookingWay, number>> = {
  // A company of the tenant would owe it.
  COMPANY: 0,
  CHANNEL: 38,
  PREPAID: 22,
  NON_REFUNDABLE: 14,
  CARD: 14,
  AT_HOTEL: 12,
};
/** A drink costs so much of a night. */
const OF_A_NIGHT = 150;
/** Types with fewer rooms have no room to spare. */
const LARGE_TYPE = 6;

/** Codes of the plans under which guests book, by the way of booking. */
type PlansOfWays = Partial<Record<BookingWay, string>>;

/** Plans of a property by the way of booking; ways without a plan are left out. */
export function plansOfWays(plans: readonly RatePlan[]): PlansOfWays {
  const sold = plans
    .filter(({ status, roomTypes, guarantee }) => status === 'ACTIVE' && !roomTypes && guarantee !== 'COMPANY')
    .toSorted((a, b) => Number(b.code === BAR) - Number(a.code === BAR));
  const isPaid = ({ guarantee = 'PREPAY' }: RatePlan): boolean => guarantee === 'PREPAY';
  const isKept = ({ cancellationPolicy }: RatePlan): boolean => cancellationPolicy === 'NON_REFUNDABLE';
  const found: Record<BookingWay, RatePlan | undefined> = {
    COMPANY: undefined,
    CHANNEL: sold[0],
    PREPAID: sold.find((plan) => isPaid(plan) && !isKept(plan)),
    NON_REFUNDABLE: sold.find((plan) => isPaid(plan) && isKept(plan)),
    CARD: sold.find(({ guarantee }) => guarantee === 'CARD'),
    AT_HOTEL: sold.find(({ guarantee }) => guarantee === 'NONE'),
  };
  return Object.fromEntries(BOOKING_WAYS.flatMap((way) => (found[way] ? [[way, found[way].code]] : [])));
}

/**
 * Who comes to a property of somebody else: guests want the dear nights, as the owner expects; where all cost the
 * same, summer and weekends are.
 */
export function inventedMarket(types: readonly DemoType[], plans: readonly RatePlan[], increment: Minor): DemoMarket {
  const ways = plansOfWays(plans);
  const prices = relativePrices(types);
  const months = byIndex(prices, 12, ({ month }) => month);
  const isFlat = Math.max(...months) - Math.min(...months) < FLAT;
  const days = byIndex(prices, 7, ({ weekday }) => weekday);
  const shortest = Math.max(
    1,
    ...plans.filter(({ code }) => Object.values(ways).includes(code)).map((plan) => plan.minLengthOfStay),
  );
  const usual = sum(types, ({ weekday }) => weekday) / Math.max(1, types.length);
  return {
    months: months.map((price, n) => within(USUAL * (isFlat ? MONTHS[n]! : 1 + BY_SEASON * (price - 1)), 0.3, 0.92)),
    weekdays: days.map((price, n) => within(WEEKDAYS[n]! * (1 + BY_WEEKDAY * (price - 1)), 0.5, 1.4)),
    events: [],
    ways: Object.fromEntries(BOOKING_WAYS.map((way) => [way, ways[way] ? WEIGHTS[way] : 0])) as DemoMarket['ways'],
    nights: nightsFrom(shortest),
    lead: [30, 300],
    cancelled: 0.15,
    noShows: 0.015,
    elasticity: 0,
    barUnit: Math.max(increment, Math.round(usual / OF_A_NIGHT / increment) * increment),
    spare: types.every(({ rooms }) => rooms >= LARGE_TYPE) ? 1 : 0,
  };
}

function nightsFrom(shortest: number): number[] {
  const first = Math.min(LONGEST_STAY, shortest);
  return Array.from({ length: Math.max(NIGHTS.length, first + 2) }, (_, n) =>
    n + 1 < first ? 0 : (NIGHTS[n] ?? 10),
  );
}

type PricedNight = { month: number; weekday: number; price: number; rooms: number };

/** Prices of all nights relative to the mean of their type. */
function relativePrices(types: readonly DemoType[]): PricedNight[] {
  return types.flatMap(({ nightly, rooms }) => {
    const { first, nights } = nightly!;
    const priced = nights.flatMap(({ base, multiplier, amount }, n) =>
      base > 0 ? [{ day: first + n, rate: (base * multiplier) / 100 + amount }] : [],
    );
    const mean = sum(priced, ({ rate }) => rate) / Math.max(1, priced.length);
    return priced.map(({ day, rate }) => ({
      month: Number(formatDay(day).slice(5, 7)) - 1,
      weekday: weekdayIndex(day),
      price: rate / Math.max(1, mean),
      rooms,
    }));
  });
}

/** Mean relative price by month or weekday; 1 where there is no night. */
function byIndex(prices: readonly PricedNight[], length: number, indexOf: (of: PricedNight) => number): number[] {
  const totals = Array.from({ length }, () => ({ price: 0, rooms: 0 }));
  for (const one of prices) {
    const total = totals[indexOf(one)]!;
    total.price += one.price * one.rooms;
    total.rooms += one.rooms;
  }
  return totals.map(({ price, rooms }) => (rooms === 0 ? 1 : price / rooms));
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
