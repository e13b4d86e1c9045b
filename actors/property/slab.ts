import type { ExternalStamp } from '../../src/kernel/rules/commands/properties.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { BidSignal, NightSignals } from '../../src/rates/rules/bid-signal.ts';
import type { LiveSignal } from '../../src/rates/rules/live-signal.ts';
import type { GridCell } from '../../src/rates/rules/queries.ts';
import { LiveTables } from './rates/live-tables.ts';

const FIELDS = 7;
const TOTAL = 0;
const BOOKED = 1;
const HELD = 2;
const GROUP = 3;
const OUT_OF_ORDER = 4;
const EXTERNAL = 5;
const OVERBOOKING = 6;
const INHERIT = 0xffff;
/** Stored market price of a night without one. */
const UNKNOWN = 0xffff_ffff;

/** Most rooms of one type: counts are 16 bits wide. */
export const MAX_ROOMS = 60_000;

/** A night under one rate plan, ready for quotes: `text` is its JSON. */
export type PricedNight = { text: string; rate: Minor; taxes: Minor; available: number };

/** Counters of a cell that commands move. */
export const COUNTERS = {
  booked: BOOKED,
  held: HELD,
  group: GROUP,
  outOfOrder: OUT_OF_ORDER,
  external: EXTERNAL,
} as const;
export type Counter = keyof typeof COUNTERS;

/**
 * Inventory and base rates of one room type over the window of the property: 28 bytes a cell. A committed slab is
 * never written; a batch that changes a room type works on its copy (copy-on-write, docs/concepts/actor.md#state).
 */
export class Slab {
  readonly roomType: string;
  readonly first: Day;
  readonly nights: number;
  /** Count of rooms of the type. For pricing, rooms that a night lacks count as off sale. */
  usual: number;
  readonly #counts: Uint16Array;
  readonly #base: Float64Array;
  readonly #multiplier: Uint16Array;
  readonly #amount: Int32Array;
  /** Demand and market signals; only properties with DYNAMIC plans have any. */
  #signals: Signals | undefined;
  /** Bid prices; only properties with plans that price by them have any. */
  #bids: Bids | undefined;
  /** Live rates; only properties with plans that price by them have any. */
  #lives: LiveTables | undefined;
  /** Time and number of the external stamp of a night's counts; only properties with external counts have any. */
  #stamps: Float64Array | undefined;
  /** Nights as quotes print them, by rate plan, built on first read. A copy starts with those of unchanged cells. */
  readonly priced: Map<string, (PricedNight | undefined)[]>;
  /** Cells as readers get them, built on first read and cached until they change. A copy starts with them too. */
  readonly shown: (GridCell | undefined)[];

  private constructor(first: Day, nights: number, parts: SlabParts) {
    this.roomType = parts.roomType;
    this.first = first;
    this.nights = nights;
    this.usual = parts.usual;
    this.#counts = parts.counts;
    this.#base = parts.base;
    this.#multiplier = parts.multiplier;
    this.#amount = parts.amount;
    this.#signals = parts.signals;
    this.#bids = parts.bids;
    this.#lives = parts.lives;
    this.#stamps = parts.stamp;
    this.priced = parts.priced;
    this.shown = parts.shown;
  }

  /** A slab whose nights have `total` rooms and no rate. */
  static empty(roomType: string, first: Day, nights: number, total: number): Slab {
    const counts = new Uint16Array(nights * FIELDS);
    for (let i = 0; i < nights; i++) {
      counts[i * FIELDS + TOTAL] = total;
      counts[i * FIELDS + OVERBOOKING] = INHERIT;
    }
    const parts = {
      roomType,
      usual: total,
      counts,
      base: new Float64Array(nights).fill(-1),
      multiplier: new Uint16Array(nights).fill(100),
      amount: new Int32Array(nights),
      priced: new Map<string, (PricedNight | undefined)[]>(),
      shown: [],
    };
    return new Slab(first, nights, parts);
  }

  copy(): Slab {
    const priced = new Map<string, (PricedNight | undefined)[]>();
    for (const [key, cells] of this.priced) priced.set(key, cells.slice());
    return new Slab(this.first, this.nights, {
      roomType: this.roomType,
      usual: this.usual,
      counts: this.#counts.slice(),
      base: this.#base.slice(),
      multiplier: this.#multiplier.slice(),
      amount: this.#amount.slice(),
      signals: this.#signals && { demand: this.#signals.demand.slice(), market: this.#signals.market.slice() },
      bids: this.#bids && copyOf(this.#bids, this.#bids.rooms.length),
      lives: this.#lives?.copy(this.nights),
      stamp: this.#stamps?.slice(),
      priced,
      shown: this.shown.slice(),
    });
  }

  /** The same cells in a window of `nights` from `first`; new nights have the type's count and no rate. */
  moved(first: Day, nights: number): Slab {
    const next = Slab.empty(this.roomType, first, nights, this.usual);
    const from = Math.max(first, this.first);
    const to = Math.min(first + nights, this.first + this.nights);
    if (from >= to) return next;
    const source = from - this.first;
    const target = from - first;
    const length = to - from;
    next.#counts.set(this.#counts.subarray(source * FIELDS, (source + length) * FIELDS), target * FIELDS);
    next.#base.set(this.#base.subarray(source, source + length), target);
    next.#multiplier.set(this.#multiplier.subarray(source, source + length), target);
    next.#amount.set(this.#amount.subarray(source, source + length), target);
    next.#stamps = this.#stamps && noStamps(nights);
    next.#stamps?.set(this.#stamps!.subarray(source * 2, (source + length) * 2), target * 2);
    if (this.#bids) next.#bids = copyOf(this.#bids, nights, { source, target, length });
    next.#lives = this.#lives?.copy(nights, { source, target, length });
    if (!this.#signals) return next;
    next.#signals = noSignals(nights);
    next.#signals.demand.set(this.#signals.demand.subarray(source, source + length), target);
    next.#signals.market.set(this.#signals.market.subarray(source, source + length), target);
    return next;
  }

  has(day: Day): boolean {
    return day >= this.first && day < this.first + this.nights;
  }

  total(day: Day): number {
    return this.#counts[this.#at(day) + TOTAL]!;
  }

  count(day: Day, counter: Counter): number {
    return this.#counts[this.#at(day) + COUNTERS[counter]]!;
  }

  blocked(day: Day): number {
    const at = this.#at(day);
    return this.#counts[at + GROUP]! + this.#counts[at + OUT_OF_ORDER]! + this.#counts[at + EXTERNAL]!;
  }

  /** Overbooking limit of the night; null when the property's limit applies. */
  overbooking(day: Day): number | null {
    const value = this.#counts[this.#at(day) + OVERBOOKING]!;
    return value === INHERIT ? null : value;
  }

  /** Free rooms: total + overbooking limit - booked - held - blocked; negative by the shortfall after a cut (I1). */
  free(day: Day, propertyLimit: number): number {
    const at = this.#at(day);
    const own = this.#counts[at + OVERBOOKING]!;
    const limit = own === INHERIT ? propertyLimit : own;
    const used = this.#counts[at + BOOKED]! + this.#counts[at + HELD]!;
    return this.#counts[at + TOTAL]! + limit - used - this.blocked(day);
  }

  /** Base rate of the night, or -1 without one. */
  base(day: Day): Minor {
    return this.#base[day - this.first]!;
  }

  /** Seasonal multiplier in hundredths. */
  multiplier(day: Day): number {
    return this.#multiplier[day - this.first]!;
  }

  amount(day: Day): Minor {
    return this.#amount[day - this.first]!;
  }

  /** Percent by which demand changes prices of the night; 0 when unknown. */
  demand(day: Day): number {
    return this.#signals?.demand[day - this.first] ?? 0;
  }

  /** Median price of the competitors, or undefined. */
  market(day: Day): Minor | undefined {
    const rate = this.#signals?.market[day - this.first] ?? UNKNOWN;
    return rate === UNKNOWN ? undefined : rate;
  }

  /** The computed bid price, or undefined. */
  bid(day: Day): BidSignal | undefined {
    const index = day - this.first;
    if (!this.#bids || (this.#bids.rooms[index] ?? NO_BID) === NO_BID) return undefined;
    return {
      amount: this.#bids.amount[index]!,
      perRoom: this.#bids.perRoom[index]!,
      rooms: this.#bids.rooms[index]!,
    };
  }

  /** The live rates, or undefined. */
  live(day: Day): LiveSignal | undefined {
    return this.#lives?.at(day - this.first);
  }

  /** The newest external stamp of the night's counts. */
  stamp(day: Day): ExternalStamp | undefined {
    const at = this.#stamps?.[(day - this.first) * 2] ?? NEVER;
    if (at === NEVER) return undefined;
    const seq = this.#stamps![(day - this.first) * 2 + 1]!;
    return { at, seq: seq === NEVER ? null : seq };
  }

  setStamp(day: Day, { at, seq }: ExternalStamp): void {
    this.#stamps ??= noStamps(this.nights);
    this.#stamps.set([at, seq ?? NEVER], (day - this.first) * 2);
  }

  setTotal(day: Day, rooms: number): void {
    this.#write(day, TOTAL, rooms);
  }

  setOverbooking(day: Day, rooms: number | null): void {
    this.#write(day, OVERBOOKING, rooms ?? INHERIT);
  }

  setCount(day: Day, counter: Counter, value: number): void {
    this.#write(day, COUNTERS[counter], value);
  }

  add(day: Day, counter: Counter, rooms: number): void {
    this.#write(day, COUNTERS[counter], this.#counts[this.#at(day) + COUNTERS[counter]]! + rooms);
  }

  setRate(day: Day, base: Minor, multiplier: number, amount: Minor): void {
    const index = day - this.first;
    this.#base[index] = base;
    this.#multiplier[index] = multiplier;
    this.#amount[index] = amount;
    this.#forget(index);
  }

  /** Sets signals. @param demand from -100 to 127 percent @param market up to 42 million */
  setSignals(day: Day, { demand, market, bid, live }: NightSignals): void {
    this.#signals ??= noSignals(this.nights);
    const index = day - this.first;
    this.#signals.demand[index] = demand;
    this.#signals.market[index] = market ?? UNKNOWN;
    this.#setBid(day, bid);
    if (live) this.#lives ??= new LiveTables(this.nights);
    this.#lives?.set(index, live);
    this.#forget(index);
  }

  #setBid(day: Day, bid: BidSignal | undefined): void {
    if (!bid && !this.#bids) return;
    this.#bids ??= noBids(this.nights);
    const index = day - this.first;
    this.#bids.amount[index] = bid?.amount ?? 0;
    this.#bids.perRoom[index] = bid?.perRoom ?? 0;
    this.#bids.rooms[index] = bid?.rooms ?? NO_BID;
    this.#forget(index);
  }

  /** Bytes held, for memory figures of benchmarks. */
  get byteLength(): number {
    const { demand, market } = this.#signals ?? {};
    const signals = (demand?.byteLength ?? 0) + (market?.byteLength ?? 0);
    const rates = this.#base.byteLength + this.#multiplier.byteLength + this.#amount.byteLength;
    const { amount, perRoom, rooms } = this.#bids ?? {};
    const bids = (amount?.byteLength ?? 0) + (perRoom?.byteLength ?? 0) + (rooms?.byteLength ?? 0);
    const lives = this.#lives?.byteLength ?? 0;
    return this.#counts.byteLength + rates + signals + bids + lives + (this.#stamps?.byteLength ?? 0);
  }

  #at(day: Day): number {
    return (day - this.first) * FIELDS;
  }

  #write(day: Day, field: number, value: number): void {
    if (value < 0 || value > INHERIT || !Number.isInteger(value))
      throw new Error(`cell count out of range: ${value}`);
    this.#counts[this.#at(day) + field] = value;
    this.#forget(day - this.first);
  }

  #forget(index: number): void {
    for (const cells of this.priced.values()) cells[index] = undefined;
    this.shown[index] = undefined;
  }
}

/** Five bytes a night: 10 types x 730 nights still stay below 240 KB. */
type Signals = { demand: Int8Array; market: Uint32Array };

function noSignals(nights: number): Signals {
  return { demand: new Int8Array(nights), market: new Uint32Array(nights).fill(UNKNOWN) };
}

/** Ten bytes a night. Amounts up to 42 million. */
type Bids = { amount: Uint32Array; perRoom: Uint32Array; rooms: Int16Array };

/** Rooms of a night without a bid price; an overbooked one may have fewer than 0 left, but not so few. */
const NO_BID = -32_768;

function noBids(nights: number): Bids {
  const rooms = new Int16Array(nights).fill(NO_BID);
  return { amount: new Uint32Array(nights), perRoom: new Uint32Array(nights), rooms };
}

/** Bid prices in a window of so many nights. */
function copyOf(
  { amount, perRoom, rooms }: Bids,
  nights: number,
  { source, target, length } = { source: 0, target: 0, length: nights },
): Bids {
  const copy = noBids(nights);
  copy.amount.set(amount.subarray(source, source + length), target);
  copy.perRoom.set(perRoom.subarray(source, source + length), target);
  copy.rooms.set(rooms.subarray(source, source + length), target);
  return copy;
}

/** Stamp time and number of a night without a stamp; real ones are 0 or more. */
const NEVER = -1;

const noStamps = (nights: number): Float64Array => new Float64Array(nights * 2).fill(NEVER);

type SlabParts = {
  roomType: string;
  usual: number;
  counts: Uint16Array;
  base: Float64Array;
  multiplier: Uint16Array;
  amount: Int32Array;
  signals?: Signals;
  bids?: Bids;
  lives?: LiveTables;
  stamp?: Float64Array;
  priced: Map<string, (PricedNight | undefined)[]>;
  shown: (GridCell | undefined)[];
};
