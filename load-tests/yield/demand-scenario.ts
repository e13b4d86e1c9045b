import { type Day, isWeekend } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { bookedBetween, DEMAND, elasticityOf } from '../../src/rates/rules/demand-model.ts';
import { payingShare } from './simulated-guests.ts';

/** A simulated property and its demand. Nights count from 0, the first one whose rates a policy may set. */
export type Scenario = {
  name: string;
  today: Day;
  nights: number;
  roomTypes: readonly SimulatedRoomType[];
  /** Demand at the base rates without cancellations, as a part of all rooms, on a weekday and on a weekend night. */
  demand: { weekday: number; weekend: number };
  /** Competitors' rates, relative to the base rates. */
  market: number;
  /** Standard deviation of a week's demand around its forecast, as a part of it. */
  surprise: number;
  /** Events: factors of demand and of competitors' rates. */
  events: readonly { night: number; nights: number; demand: number; market: number }[];
};

export type SimulatedRoomType = { roomType: string; rooms: number; weekday: Minor; weekend: Minor };

export const LONGEST_STAY = DEMAND.lengthOfStay.length;

const MEAN_STAY =
  DEMAND.lengthOfStay.reduce((sum, share, index) => sum + share * (index + 1), 0) /
  DEMAND.lengthOfStay.reduce((sum, share) => sum + share, 0);

/** The base rate of a night. */
export function baseRate({ today }: Scenario, { weekday, weekend }: SimulatedRoomType, night: number): Minor {
  return isWeekend(today + night) ? weekend : weekday;
}

/** Competitors' rate for a night. */
export function marketRate(scenario: Scenario, type: SimulatedRoomType, night: number): Minor {
  return Math.round(baseRate(scenario, type, night) * scenario.market * eventOf(scenario, night).market);
}

/** Expected number of guests interested in arriving on a day, at any price, as known to a forecast. */
export function meanArrivals(scenario: Scenario, { rooms }: SimulatedRoomType, night: number): number {
  const { today, demand } = scenario;
  const part = isWeekend(today + night) ? demand.weekend : demand.weekday;
  const stay = retainedShare(scenario, night, DEMAND.longestLeadDays, 1) * MEAN_STAY;
  return (part * rooms * eventOf(scenario, night).demand) / stay;
}

/**
 * Share of them that searches at most so many days before, pays `price` (as a part of competitors' rates) and does not
 * cancel.
 */
function retainedShare({ today }: Scenario, night: number, leadDays: number, price: number): number {
  let sum = 0;
  for (const [index, { fromDays, cancelled }] of DEMAND.leadTimes.entries()) {
    if (fromDays > leadDays) break;
    const to = Math.min(leadDays, (DEMAND.leadTimes[index + 1]?.fromDays ?? Infinity) - 1);
    const pay = payingShare(elasticityOf(today + night, fromDays), price);
    sum += bookedBetween(fromDays, to) * pay * (1 - cancelled);
  }
  return sum;
}

/**
 * Rooms that a forecast made on the morning of `from` expects to be sold for a night from then on, without
 * cancellations.
 */
export function forecastRooms(
  scenario: Scenario,
  type: SimulatedRoomType,
  from: number,
  { night, rate }: { night: number; rate: Minor },
): number {
  const price = rate / marketRate(scenario, type, night);
  let expected = 0;
  let staying = 1;
  for (const [nightsBefore, share] of DEMAND.lengthOfStay.entries()) {
    const arrival = night - nightsBefore;
    if (arrival < from) break;
    expected +=
      meanArrivals(scenario, type, arrival) * staying * retainedShare(scenario, arrival, arrival - from, price);
    staying -= share;
  }
  return expected;
}

function eventOf({ events }: Scenario, at: number): { demand: number; market: number } {
  return events.find(({ night, nights }) => at >= night && at < night + nights) ?? { demand: 1, market: 1 };
}
