import type { Day } from '../../../kernel/rules/dates.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { SearchedNight } from '../../../rates/rules/queries.ts';
import { PARTY_CLASSES, USUAL_CLASS } from './party-class.ts';

/** A slot, and a bound below which no plan sells it for the stay. */
export type BoundedSlot = { slot: number; bound: Minor };

/** A question about the columns; `mask` has a bit for each slot that may answer. */
export type ColumnQuery = {
  checkIn: Day;
  checkOut: Day;
  partyClass: number;
  mask: Uint32Array;
  /** Bounds above it are left out. */
  most?: Minor;
  /** Only slots behind this one, by bound and then by slot. */
  after?: BoundedSlot;
  limit: number;
};

/** Slots for which room is made at first; it doubles when there are more. */
const FIRST_SLOTS = 256;
const WORD = 32;
/** Sums are 32 bits wide. A stay that costs more has a bound that is too low, which does no harm. */
const SUM_BYTES = 4;

/**
 * Rooms and prices of many slots, night by night (docs/concepts/chain-search.md#columns): for each night a bit for each
 * slot that is free and one for each that is sold, and the sum of the prices of all nights before it. A stay is free
 * where all its bits are set, and costs the difference of two sums.
 */
export class NightColumns {
  #first: Day;
  #capacity = FIRST_SLOTS;
  readonly #free: Uint32Array[] = [];
  readonly #sold: Uint32Array[] = [];
  /** By class of parties; those of the usual one stand for a class that has no sums of its own. */
  readonly #sums: (Uint32Array[] | undefined)[];

  constructor(first: Day) {
    this.#first = first;
    this.#sums = Array.from({ length: PARTY_CLASSES });
    this.#sums[USUAL_CLASS] = [new Uint32Array(this.#capacity)];
  }

  /** First night. */
  get first(): Day {
    return this.#first;
  }

  get nights(): number {
    return this.#free.length;
  }

  /** Bytes held, by which memory is limited. */
  get byteLength(): number {
    const sums = this.#sums.filter((one) => one !== undefined).length;
    return this.nights * (this.#capacity / 4 + this.#capacity * SUM_BYTES * sums);
  }

  /** Words of a mask. */
  get words(): number {
    return this.#capacity / WORD;
  }

  /** Makes room for a slot, and for the nights before `end`. */
  reserve(slot: number, end: Day): void {
    while (slot >= this.#capacity) this.#grow();
    while (this.#first + this.nights < end) {
      this.#free.push(new Uint32Array(this.words));
      this.#sold.push(new Uint32Array(this.words));
      for (const sums of this.#sums) sums?.push(sums.at(-1)!.slice());
    }
  }

  /** Drops the nights before `first`. */
  advance(first: Day): void {
    const gone = Math.min(first - this.#first, this.nights);
    if (gone <= 0) return;
    for (const columns of [this.#free, this.#sold, ...this.#sums]) columns?.splice(0, gone);
    this.#first = first;
  }

  /** Writes nights of a slot from `first` on; those outside of the columns are left out. */
  write(slot: number, first: Day, nights: readonly SearchedNight[]): void {
    const from = Math.max(0, first - this.#first);
    const part = nights.slice(Math.max(0, this.#first - first), Math.max(0, this.#first + this.nights - first));
    part.forEach(({ isFree, least }, index) => {
      setBit(this.#free[from + index]!, slot, isFree);
      setBit(this.#sold[from + index]!, slot, least !== undefined);
    });
    for (let partyClass = 0; partyClass < PARTY_CLASSES; partyClass++) {
      if (!this.#sums[partyClass] && part.some(({ least }) => least && least[partyClass] !== least[USUAL_CLASS]))
        this.#sums[partyClass] = this.#sums[USUAL_CLASS]!.map((column) => column.slice());
      const sums = this.#sums[partyClass];
      if (!sums) continue;
      const prices = part.map(({ least }) => least?.[partyClass] ?? 0);
      addUp(sums, slot, from, prices);
    }
  }

  /** Whether a slot has a free room on a night; nothing changes for a night outside of the columns. */
  setFree(slot: number, day: Day, isFree: boolean): void {
    const column = this.#free[day - this.#first];
    if (column && slot < this.#capacity) setBit(column, slot, isFree);
  }

  /** Empties a slot, so that another room type may have it. */
  clear(slot: number): void {
    for (const column of [...this.#free, ...this.#sold]) setBit(column, slot, false);
  }

  /**
   * The slots that are free and sold on every night of a stay, those of the least bound first.
   * @param query a stay of at least one night
   */
  cheapest({ checkIn, checkOut, partyClass, mask, most = Infinity, after, limit }: ColumnQuery): BoundedSlot[] {
    const start = checkIn - this.#first;
    const end = checkOut - this.#first;
    if (start < 0 || end > this.nights || end <= start) return [];
    const sums = (this.#sums[partyClass] ?? this.#sums[USUAL_CLASS])!;
    const [before, behind] = [sums[start]!, sums[end]!];
    const best = new Cheapest(limit, after);
    const free = this.#free.slice(start, end);
    const sold = this.#sold.slice(start, end);
    const words = Math.min(mask.length, this.words);
    for (let word = 0; word < words; word++) {
      let bits = mask[word]!;
      for (let night = 0; bits !== 0 && night < free.length; night++)
        bits &= free[night]![word]! & sold[night]![word]!;
      while (bits !== 0) {
        const slot = word * WORD + (WORD - 1 - Math.clz32(bits & -bits));
        bits &= bits - 1;
        const bound = (behind[slot]! - before[slot]!) >>> 0;
        if (bound <= most) best.put(slot, bound);
      }
    }
    return best.found();
  }

  #grow(): void {
    this.#capacity *= 2;
    const wider = (column: Uint32Array, length: number): Uint32Array => {
      const copy = new Uint32Array(length);
      copy.set(column);
      return copy;
    };
    for (const bits of [this.#free, this.#sold])
      bits.forEach((column, night) => (bits[night] = wider(column, this.words)));
    for (const sums of this.#sums) sums?.forEach((column, night) => (sums[night] = wider(column, this.#capacity)));
  }
}

/** The slots of the least bounds, in order of bound and slot: sorted insertion, since few of many are retained. */
class Cheapest {
  readonly #limit: number;
  readonly #after: BoundedSlot | undefined;
  readonly #slots: number[] = [];
  readonly #bounds: number[] = [];
  /** The greatest bound that is still of interest. */
  #worst = Infinity;

  constructor(limit: number, after: BoundedSlot | undefined) {
    this.#limit = limit;
    this.#after = after;
  }

  /** Slots come in ascending order, so one of the same bound comes after those before it. */
  put(slot: number, bound: Minor): void {
    if (bound >= this.#worst) return;
    const after = this.#after;
    if (after && (bound < after.bound || (bound === after.bound && slot <= after.slot))) return;
    let low = 0;
    let high = this.#bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#bounds[middle]! <= bound) low = middle + 1;
      else high = middle;
    }
    this.#bounds.splice(low, 0, bound);
    this.#slots.splice(low, 0, slot);
    if (this.#bounds.length > this.#limit) {
      this.#bounds.pop();
      this.#slots.pop();
    }
    if (this.#bounds.length === this.#limit) this.#worst = this.#bounds.at(-1)!;
  }

  found(): BoundedSlot[] {
    return this.#slots.map((slot, index) => ({ slot, bound: this.#bounds[index]! }));
  }
}

/** Adds prices from a night on; the sums of all later nights move with them. */
function addUp(sums: readonly Uint32Array[], slot: number, from: number, prices: readonly Minor[]): void {
  const end = from + prices.length;
  const was = sums[end]![slot]!;
  let sum = sums[from]![slot]!;
  prices.forEach((price, index) => (sums[from + index + 1]![slot] = sum = (sum + price) >>> 0));
  const moved = sum - was;
  if (moved !== 0) for (let night = end + 1; night < sums.length; night++) sums[night]![slot]! += moved;
}

/** A mask with the bits of the slots that fit. */
export function maskOf(words: number, slots: Iterable<number>): Uint32Array {
  const mask = new Uint32Array(words);
  for (const slot of slots) setBit(mask, slot, true);
  return mask;
}

function setBit(column: Uint32Array, slot: number, value: boolean): void {
  const word = slot >>> 5;
  const bit = 1 << (slot & 31);
  if (value) column[word]! |= bit;
  else column[word]! &= ~bit;
}
