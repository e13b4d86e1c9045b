import type { Day } from '../../../kernel/rules/dates.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import { doubtOf } from '../../../rates/rules/demand-model.ts';
import { FARES, type NightProgram, nightProgram, type SolveNights } from './night-program.ts';
import { type GuestChances, guestChances, type GuestKind, roomValue } from './room-values.ts';
import { stayDemand } from './stay-demand.ts';

/** One room type on one night, as in a `YieldNight`. */
export type BidNight = {
  roomType: string;
  day: Day;
  /** Sellable rooms. */
  capacity: number;
  /** Booked or held; less, in fractions too, by expected cancellations. */
  booked: number;
  /** Its rate without any bid price; with 0 or less nothing is earned. */
  current: Minor;
  /** Unconstrained remaining demand in rooms, and its standard deviation, randomness included. */
  expected: number;
  deviation: number;
};

/** How bid prices were computed: from a network of nights, or each night alone where the program had no solution. */
export type BidModel = 'PROGRAM' | 'NIGHTS';

/** The bid price of a night: what its last room is expected to earn when it is not sold now. */
type BidPrice = {
  roomType: string;
  day: Day;
  /** At the rooms left now; at least 0. */
  amount: Minor;
  /** Its rise with the next room sold; at least 0. */
  perRoom: Minor;
};

/** Less demand than that for a night is none: products of it would have no digits left. */
const LEAST_DEMAND = 1e-3;

export type BidPrices = { model: BidModel; nights: BidPrice[]; values: BidValues };

/** Unrounded bid prices of all nights, by room type and day. */
type BidValues = ReadonlyMap<string, number>;

/** What was computed before of the same nights by a program, and the days that are computed again. */
export type BidsBefore = { values: BidValues; only: ReadonlySet<Day> };

const valueKey = ({ roomType, day }: Pick<BidNight, 'roomType' | 'day'>): string => `${roomType} ${day}`;

/**
 * Times that values of single nights replace those of the other nights of a stay; then they hardly change. Values of
 * before are nearer than dual values.
 */
const ROUNDS = { first: 4, again: 2 } as const;

/**
 * Bid prices of nights (docs/concepts/forecast.md#bid-prices), room type by room type in the order of days. The dual
 * values of a linear program per room type say what the other nights of a stay are worth. They are 0 or a step where
 * demand is uncertain, so each night then gets the expected marginal value of its last room, with the other nights of
 * each stay at their bid prices, in several rounds.
 * @param nights in any order; each room type and day once
 * @param solve the program's solver; without it each night counts alone, with its part of the revenue of a stay
 * @param before instead of solving: starts from these values, and answers for these days
 */
export function bidPricesOf(nights: readonly BidNight[], solve?: SolveNights, before?: BidsBefore): BidPrices {
  const types = networksOf(nights, solve, before);
  return {
    model: types.every(({ model }) => model === 'PROGRAM') ? 'PROGRAM' : 'NIGHTS',
    values: new Map(types.flatMap(({ nights, values }) => nights.map((night, n) => [valueKey(night), values[n]!]))),
    nights: types.flatMap(({ nights, rooms, computed, valueAt }) =>
      computed.map((index) => {
        const { roomType, day } = nights[index]!;
        const left = rooms[index]!;
        const now = valueAt(index, left);
        const next = valueAt(index, Math.max(1, left - 1));
        const amount = Math.round(now);
        return { roomType, day, amount, perRoom: Math.max(0, Math.round(next) - amount) };
      }),
    ),
  };
}

/** The nights of a room type, in the order of days, with their values. */
type NightNetwork = {
  model: BidModel;
  nights: readonly BidNight[];
  /** Remaining rooms, in fractions too. */
  rooms: Float64Array;
  /** Indexes of the nights that were computed. */
  computed: readonly number[];
  /** Bid price of each night at its remaining rooms, unrounded. */
  values: Float64Array;
  /** The value of the last room of a computed night at `rooms` or up to one less. */
  valueAt(index: number, rooms: number): number;
};

/** Solves the program of each room type. */
export function networksOf(nights: readonly BidNight[], solve?: SolveNights, before?: BidsBefore): NightNetwork[] {
  const types = Map.groupBy(nights, ({ roomType }) => roomType);
  return [...types.keys()]
    .sort((one, other) => (one < other ? -1 : 1))
    .map((type) =>
      networkOf(
        types.get(type)!.toSorted((one, other) => one.day - other.day),
        solve,
        before,
      ),
    );
}

function networkOf(
  nights: readonly BidNight[],
  solve: SolveNights | undefined,
  before: BidsBefore | undefined,
): NightNetwork {
  const rooms = Float64Array.from(nights, ({ capacity, booked }) => known(capacity - booked));
  const demand = Float64Array.from(nights, ({ expected }) => (expected < LEAST_DEMAND ? 0 : known(expected)));
  const rates = Float64Array.from(nights, ({ current }) => known(current));
  const days = nights.map(({ day }) => day);
  const program = nightProgram(rooms, rates, stayDemand(days, demand));
  const duals = before
    ? Float64Array.from(nights, (night) => before.values.get(valueKey(night)) ?? 0)
    : solve?.(program);
  const computed = [...nights.keys()].filter((index) => before?.only.has(nights[index]!.day) ?? true);
  const chances = new Map(
    computed.map((index): [number, GuestChances] => {
      const last = Math.max(2, Math.ceil(rooms[index]!));
      const doubt = doubtOf(demand[index]!, known(nights[index]!.deviation));
      return [index, guestChances(demand[index]!, doubt, { first: Math.max(1, last - 2), last })];
    }),
  );
  const values = Float64Array.from(duals ?? rates, known);
  const over = productsOver(program, nights.length);
  const kinds = (night: number): GuestKind[] => kindsOver(program, over[night]!, values, night);
  const alone = (night: number): GuestKind[] =>
    FARES.map(({ part, share }) => ({ worth: rates[night]! * part, guests: demand[night]! * share }));
  const of = duals ? kinds : alone;
  const rounds = duals ? (before ? ROUNDS.again : ROUNDS.first) : 1;
  for (let round = 0; round < rounds; round++)
    for (const night of computed) values[night] = valueOf(chances.get(night)!, of(night), rooms[night]!);
  return {
    model: duals ? 'PROGRAM' : 'NIGHTS',
    nights,
    rooms,
    computed,
    values,
    valueAt: (index, left) => valueOf(chances.get(index)!, of(index), left),
  };
}

/** A figure that counts: what is negative or not a number is none. */
function known(figure: number): number {
  return figure > 0 && Number.isFinite(figure) ? figure : 0;
}

/** Products by the nights that they lead over. */
function productsOver({ arrival, length }: NightProgram, nights: number): number[][] {
  const over: number[][] = Array.from({ length: nights }, () => []);
  for (let product = 0; product < arrival.length; product++)
    for (let n = 0; n < length[product]!; n++) over[arrival[product]! + n]!.push(product);
  return over;
}

/** Guests of a night, the best first: each is worth its revenue, less the bid prices of the other nights of its stay. */
function kindsOver(program: NightProgram, over: readonly number[], values: Float64Array, night: number): GuestKind[] {
  const { arrival, length, demand, revenue } = program;
  const kinds: GuestKind[] = [];
  for (const product of over) {
    let worth = revenue[product]!;
    for (let n = arrival[product]!; n < arrival[product]! + length[product]!; n++)
      if (n !== night) worth -= values[n]!;
    if (worth > 0) kinds.push({ worth, guests: demand[product]! });
  }
  return kinds.sort((one, other) => other.worth - one.worth);
}

/** Between two whole numbers of rooms the value is interpolated; below one room it is that of one. */
function valueOf(chances: GuestChances, kinds: readonly GuestKind[], rooms: number): number {
  const left = Math.max(1, rooms);
  const whole = Math.floor(left);
  const value = roomValue(chances, kinds, whole);
  return whole === left ? value : value + (left - whole) * (roomValue(chances, kinds, whole + 1) - value);
}
