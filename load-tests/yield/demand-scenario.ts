import { type Day, isWeekend } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import { bookedBetween, DEMAND, elasticityOf } from '../../src/rates/rules/demand-model.ts';
import { payingShare } from './simulated-guests.ts';

/** A made-up property and what comes to it. Nights count from 0, the first one whose rates a policy may set. */
export type Scenario = {
  name: string;
  today: Day;
  nights: number;
  roomTypes: readonly SimulatedRoomType[];
  /** Rooms that are wanted at the base rates and kept, as a part of all rooms, on a weekday and on a weekend night. */
  demand: { weekday: number; weekend: number };
  /** Competitors' rates, relative to our base rates. */
  market: number;
  /** Standard deviation of a week's demand around what a forecast can know of it, as a part of it. */
  surprise: number;
  /** Fairs and feasts: so much more demand, so much dearer competitors. */
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

/** Guests with a mind to arrive on a day, whatever it costs, as a forecast knows them. */
export function meanArrivals(scenario: Scenario, { rooms }: SimulatedRoomType, night: number): number {
  const { today, demand } = scenario;
  const part = isWeekend(today + night) ? demand.weekend : demand.weekday;
  const stay = retainedShare(scenario, night, DEMAND.longestLeadDays, 1) * MEAN_STAY;
  return (part * rooms * eventOf(scenario, night).demand) / stay;
}

/**
 * Of all with a mind to arrive on a day, those who search at most so many days before, pay `price` (as a part of what
 * competitors' rates) and do not cancel.
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

/** Rooms that a forecast made on the morning of `from` expects to be wanted for a night from then on, and kept. */
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
