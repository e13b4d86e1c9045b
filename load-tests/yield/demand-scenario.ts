import { type Day, formatDay, isWeekend, weekdayIndex } from '../../src/kernel/rules/dates.ts';
import { sum } from '../../src/kernel/rules/figures.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { DEMAND, elasticityOf } from '../../src/rates/rules/demand-model.ts';
import { type FittedHotel, type GuestTable, type GroupTable, LONGEST_STAY } from './hotels/fitted-hotel.ts';
import { payingShare } from './simulated-guests.ts';

/** Factors of demand and of competitors' rates on some nights. */
export type SimulatedEvent = { night: number; nights: number; demand: number; market: number };

/** A simulated property and its demand. Nights count from 0, the first one that is judged. */
export type Scenario = {
  name: string;
  /** The date of night 0. */
  today: Day;
  /** Judged nights. */
  nights: number;
  /** Day on which policies begin, before night 0; until then all nights are sold at the base rates. */
  opens: number;
  hotel: FittedHotel;
  /** Demand as a part of the one that the hotel was counted with. */
  pressure: number;
  /** Competitors' rates, relative to the base rates. */
  market: number;
  /** Elasticity of guests as a part of the one that the product assumes. */
  sensitivity: number;
  /** Standard deviation of a week's demand around its forecast, as a part of it. */
  surprise: number;
  events: readonly SimulatedEvent[];
};

/** Elasticities that are published for hotels (src/rates/rules/demand-model.ts). */
const PUBLISHED = { least: 0.5, most: 2 };

/** Nights before and after the judged ones that have guests too: those of stays that reach into them. */
export const MARGIN = LONGEST_STAY;

/** Nights whose rates a policy sets. */
export function ruledNights({ nights }: Scenario): number {
  return nights + MARGIN;
}

/** The base rate of a night: what the hotel was paid in that month. */
export function baseRate({ today, hotel }: Scenario, type: number, night: number): Minor {
  const { rates } = hotel.roomTypes[type]!;
  const rate = rates.find(({ month }) => month === monthOf(today + night)) ?? rates.at(-1)!;
  return isWeekend(today + night) ? rate.weekend : rate.weekday;
}

/** Competitors' rate for a night. */
export function marketRate(scenario: Scenario, type: number, night: number): Minor {
  return Math.round(baseRate(scenario, type, night) * scenario.market * eventOf(scenario, night).market);
}

/** Elasticity of guests who search so many days before they arrive. */
export function trueElasticity({ today, sensitivity }: Scenario, arrival: number, lead: number): number {
  return Math.min(PUBLISHED.most, Math.max(PUBLISHED.least, sensitivity * elasticityOf(today + arrival, lead)));
}

/** Rooms of a type booked for an arrival at the base rates, later cancelled ones included, as a forecast expects them. */
export function meanArrivals(scenario: Scenario, type: number, night: number): number {
  const { today, hotel, pressure } = scenario;
  const month = monthOf(today + night);
  const { rooms } = hotel.arrivals.find((one) => one.month === month) ?? hotel.arrivals.at(-1)!;
  const weekday = hotel.weekdays[weekdayIndex(today + night)]!;
  return rooms * weekday * hotel.roomTypes[type]!.share * pressure * eventOf(scenario, night).demand;
}

/** Mean rooms of a block. */
export function groupRooms({ sizes }: GroupTable): number {
  return Math.max(
    1,
    sum(sizes, ({ rooms, share }) => rooms * share),
  );
}

/** Share of guests who search in each row of lead times; most do not pay: those who book, by who pays. */
export function searchers(scenario: Scenario, table: GuestTable, arrival: number): number[] {
  const price = 1 / (scenario.market * eventOf(scenario, arrival).market);
  return table.leads.map(
    ({ fromDays, share }) => share / payingShare(trueElasticity(scenario, arrival, fromDays), price),
  );
}

/** Last day of a row of lead times. */
export function lastLead(row: number, { leads }: GuestTable): number {
  return (leads[row + 1]?.fromDays ?? DEMAND.longestLeadDays + 1) - 1;
}

function eventOf({ events }: Scenario, at: number): Pick<SimulatedEvent, 'demand' | 'market'> {
  return events.find(({ night, nights }) => at >= night && at < night + nights) ?? { demand: 1, market: 1 };
}

function monthOf(day: Day): number {
  return Number(formatDay(day).slice(5, 7));
}
