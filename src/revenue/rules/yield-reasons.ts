import { decimalText, type Minor } from '../../kernel/rules/money.ts';
import {
  ASSUMED_DEMAND,
  demandLeft,
  doubtOf,
  expectedSold,
  remainingElasticity,
  usualPrice,
} from '../../rates/rules/demand-model.ts';
import type { RateStep } from './yield-explanation.ts';
import type { YieldProblem, YieldReason } from './yield-problem.ts';

/** A reason explains at least this part of what a change brings. */
const LEAST_PART = 0.1;

/** Demand that fills a usual night, as a part of its rooms: more of it is strong, less is weak. */
const USUAL_DEMAND = { rises: 0.7, falls: 1 };

/** Pickup says no more than this about the demand that is left, as a factor. */
const PICKUP_REACH = { least: 1 / 3, most: 3 };

/** What a night's sales depend on. */
type Inputs = { expected: number; rooms: number; usual: Minor; extra: number };

type DemandOf = Pick<YieldProblem, 'today' | 'demand'>;

type Driver = { part: number; reason: YieldReason };

/**
 * Why a rate changes: the two strongest drivers. The strength of a driver is what the change would bring less if it
 * were as usual: demand that fits the rooms, no market, all rooms free, the usual pickup, a stay of one night.
 */
export function reasonsFor(step: RateStep, of: DemandOf): YieldReason[] {
  const { night, bonus, worthOfRoom, gain } = step;
  const rooms = Math.max(0, Math.floor(night.capacity - night.booked));
  const usual = usualPrice(night.current, night.market);
  const inputs = { expected: night.expected, rooms, usual, extra: bonus + worthOfRoom };
  const without = (over: Partial<Inputs>): number => gainWith(step, { ...inputs, ...over }, of);
  const full = without({});
  const rises = step.rate > night.current;
  const drivers: Driver[] = [
    {
      part: full - without({ expected: rooms * USUAL_DEMAND[rises ? 'rises' : 'falls'] }),
      reason: ofDemand(step, rooms),
    },
    ...marketDriver(step, full - without({ usual: night.current })),
    ...pickupDriver(step, (expected) => full - without({ expected })),
    ...(rises
      ? [{ part: full - without({ rooms: night.capacity }), reason: ofInventory(rooms, night.capacity) }]
      : []),
    ...(worthOfRoom > 0 && !rises
      ? [
          {
            part: full - without({ extra: bonus }),
            reason: why('INVENTORY', 'The period would miss the occupancy that was requested'),
          },
        ]
      : []),
    { part: gain - (step.sold * step.rate - step.soldNow * night.current), reason: ofStays(rises) },
  ];
  const least = LEAST_PART * Math.abs(full);
  const strongest = drivers.filter(({ part }) => part > least).sort((one, other) => other.part - one.part);
  if (strongest.length > 0) return strongest.slice(0, 2).map(({ reason }) => reason);
  return [
    rises
      ? why('INVENTORY', 'Guests of these nights mind the rate less than the rooms are worth')
      : ofDemand(step, rooms),
  ];
}

/** What the change brings to the night itself under other inputs. */
function gainWith(
  { night, rate }: RateStep,
  { expected, rooms, usual, extra }: Inputs,
  { today, demand = ASSUMED_DEMAND }: DemandOf,
): number {
  const doubt = doubtOf(night.expected, night.deviation);
  const left = demandLeft(remainingElasticity(night.day, today, demand.elasticity), (rate - night.current) / usual);
  const now = expectedSold(expected, doubt, rooms) * (night.current + extra);
  return expectedSold(expected * left, doubt, rooms) * (rate + extra) - now;
}

function ofDemand({ night, rate, soldNow }: RateStep, rooms: number): YieldReason {
  const left = `${rooms} ${rooms === 1 ? 'room is' : 'rooms are'} left`;
  return rate > night.current
    ? why('DEMAND', `${left} and ${night.expected.toFixed(1)} are expected to be wanted`, {
        roomsLeft: rooms,
        expectedRooms: tenths(night.expected),
      })
    : why('DEMAND', `${left} and only ${soldNow.toFixed(1)} are expected to sell`, {
        roomsLeft: rooms,
        expectedRooms: tenths(soldNow),
      });
}

function marketDriver({ night, rate }: RateStep, part: number): Driver[] {
  const { market, current } = night;
  if (market === undefined || rate > current !== market > current) return [];
  return [{ part, reason: why('MARKET', `Competitors ask ${decimalText(market)}`, { market }) }];
}

function pickupDriver({ night, rate }: RateStep, partAt: (expected: number) => number): Driver[] {
  const { pickup, expected, current } = night;
  if (!pickup || rate > current !== pickup.rooms > pickup.usual) return [];
  const { least, most } = PICKUP_REACH;
  const usually = Math.min(most, Math.max(least, (pickup.usual + 1) / (Math.max(0, pickup.rooms) + 1)));
  // Cancellations may be more than what was sold.
  const rooms = Math.max(0, pickup.rooms);
  const sold =
    rooms === 0
      ? 'No room was'
      : `${rate > current ? '' : 'Only '}${rooms} ${rooms === 1 ? 'room was' : 'rooms were'}`;
  const text = `${sold} sold in the last week instead of the usual ${pickup.usual.toFixed(1)}`;
  const named = { roomsSold: rooms, usualRooms: tenths(pickup.usual) };
  return [{ part: partAt(expected * usually), reason: why('PICKUP', text, named) }];
}

function ofInventory(rooms: number, capacity: number): YieldReason {
  return why('INVENTORY', `Only ${rooms} of ${capacity} rooms are left`, { roomsLeft: rooms });
}

function ofStays(rises: boolean): YieldReason {
  return why(
    'LENGTH_OF_STAY',
    rises
      ? 'Guests stay over the nights beside it and see a mean of the rates'
      : 'Guests stay over the nights beside it too',
  );
}

type Named = Omit<YieldReason, 'kind' | 'text'>;
const why = (kind: YieldReason['kind'], text: string, named: Named = {}): YieldReason => ({ kind, text, ...named });
const tenths = (rooms: number): number => Math.round(rooms * 10) / 10;
