import type { Day } from '../../../kernel/rules/dates.ts';
import type { PropertyId } from '../../../kernel/rules/ids.ts';
import type { CellFact, Facts, SetupKind } from '../../../kernel/rules/journal.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { SaleWindow } from '../../../kernel/rules/sale-window.ts';
import { sleepsParty } from '../../../properties/rules/property.ts';
import type { SearchedNights } from '../../../rates/rules/queries.ts';
import type { Party } from '../../../rates/rules/stay.ts';
import { type BoundedSlot, maskOf, NightColumns } from './night-columns.ts';
import { partyClassOf } from './party-class.ts';

/** Position of a property in its journal, and the version of rates that were written past its actor. */
export type IndexedPosition = { seq: number; generation: number; rateVersion: number };

/** Everything that the index needs of a property. */
type ReadProperty = IndexedPosition & {
  propertyId: PropertyId;
  window: SaleWindow;
  /** End of its business day: then its window moves. */
  dayEnds: Instant;
  currency: string;
  /** Whether a sale changes prices. */
  isDynamic: boolean;
  types: readonly SearchedNights[];
};

/** The part of a journal row that rooms and prices follow from. */
export type ChainEntry = {
  seq: number;
  /** Names of its facts. */
  parts: readonly (keyof Facts)[];
  cells: readonly CellFact[] | null;
  setup: readonly SetupKind[] | null;
  /** Nights of which a stop of sales was set or removed; other restrictions change no bound. */
  stops: readonly StaleNights[] | null;
};

/** Nights to be read again, both inclusive. */
export type StaleNights = { first: Day; last: Day };

/** What must be read again after entries of the journal: the property, or some nights. */
export type Reread = 'property' | StaleNights | undefined;

/** A room type that may be sold for a stay, for `bound` at least. */
export type Candidate = BoundedSlot & { propertyId: PropertyId; roomType: string };

type CandidateQuery = {
  checkIn: Day;
  checkOut: Day;
  party: Party;
  currency: string;
  /** All properties without it. */
  propertyIds?: readonly PropertyId[] | undefined;
  most?: Minor | undefined;
  after?: BoundedSlot | undefined;
  limit: number;
};

type IndexedType = Pick<SearchedNights, 'roomType' | 'maxAdults' | 'maxChildren' | 'maxGuests'> & { slot: number };
type IndexedProperty = Omit<ReadProperty, 'types'> & {
  types: ReadonlyMap<string, IndexedType>;
  /** Some of its nights are to be read again. */
  isUnsettled?: boolean;
};

type Summary = { currencies: readonly string[]; window: SaleWindow };

/** Facts that change no price beyond the cells beside them. */
const KNOWN_PARTS: ReadonlySet<keyof Facts> = new Set([
  ...(['cells', 'books', 'bookings', 'details', 'holds', 'payments', 'setup'] as const),
  ...(['rates', 'market', 'nth', 'personal'] as const),
]);

/** Set-up from which prices, or the room types themselves, follow. */
const SHAPING: ReadonlySet<SetupKind> = new Set(['property', 'roomType', 'plan', 'signals']);

/** Masks of parties that are remembered; parties are few. */
const MAX_MASKS = 64;

/**
 * All properties of a tenant for searches (docs/concepts/chain-search.md#columns): finds the room types that are free
 * for a stay, and a price below which none of their plans sells it. Restrictions and exact prices are the owner's.
 */
export class ChainIndex {
  readonly #columns: NightColumns;
  readonly #properties = new Map<PropertyId, IndexedProperty>();
  readonly #slots: ({ property: IndexedProperty; type: IndexedType } | undefined)[] = [];
  readonly #emptied: number[] = [];
  readonly #masks = new Map<string, Uint32Array>();
  /** Computed when needed, until a property is replaced. */
  #summary: Summary | undefined;

  /** @param first no property has an earlier business date */
  constructor(first: Day) {
    this.#columns = new NightColumns(first);
  }

  get size(): number {
    return this.#properties.size;
  }

  /** Room types, those that were removed included until another one takes their place. */
  get slots(): number {
    return this.#slots.length;
  }

  get byteLength(): number {
    return this.#columns.byteLength;
  }

  get propertyIds(): readonly PropertyId[] {
    return [...this.#properties.keys()];
  }

  get currencies(): readonly string[] {
    return this.#summed().currencies;
  }

  /** From the earliest business date to the latest night on sale. */
  get window(): Readonly<SaleWindow> {
    return this.#summed().window;
  }

  has(propertyId: PropertyId): boolean {
    return this.#properties.has(propertyId);
  }

  position(propertyId: PropertyId): Readonly<IndexedPosition & Pick<ReadProperty, 'dayEnds'>> | undefined {
    return this.#properties.get(propertyId);
  }

  /** Whether the bounds of a property are those of its state at `seq`. */
  boundHolds(propertyId: PropertyId, seq: number): boolean {
    const property = this.#properties.get(propertyId);
    return property !== undefined && property.seq === seq && property.isUnsettled !== true;
  }

  /** Drops nights that are past for every property. */
  advance(first: Day): void {
    this.#columns.advance(first);
  }

  /** Replaces all that is known of a property. */
  put({ types, ...read }: ReadProperty): void {
    const before = this.#properties.get(read.propertyId);
    const fits = before && before.currency === read.currency && sameTypes(before.types, types);
    if (!fits) this.remove(read.propertyId);
    const placed = fits ? before.types : new Map(types.map((type) => [type.roomType, this.#placed(type)]));
    const property: IndexedProperty = { ...read, types: placed };
    this.#properties.set(read.propertyId, property);
    this.#summary = undefined;
    for (const { roomType, first, nights } of types) {
      const type = placed.get(roomType)!;
      this.#slots[type.slot] = { property, type };
      this.#columns.reserve(type.slot, first + nights.length);
      this.#columns.clear(type.slot);
      this.#columns.write(type.slot, first, nights);
    }
  }

  /** Replaces some nights of a property; nothing happens for one that is not known. */
  patch(propertyId: PropertyId, types: readonly SearchedNights[]): void {
    const property = this.#properties.get(propertyId);
    for (const { roomType, first, nights } of types) {
      const type = property?.types.get(roomType);
      if (type) this.#columns.write(type.slot, first, nights);
    }
    if (property) property.isUnsettled = false;
  }

  remove(propertyId: PropertyId): void {
    const property = this.#properties.get(propertyId);
    if (!property) return;
    for (const { slot } of property.types.values()) {
      this.#columns.clear(slot);
      this.#slots[slot] = undefined;
      this.#emptied.push(slot);
    }
    this.#properties.delete(propertyId);
    this.#summary = undefined;
    this.#masks.clear();
  }

  /**
   * Takes entries of a known property's journal, in order. Cells are absolute, so that those which are newer already do
   * no harm.
   * @returns what the entries do not say and must be read again
   */
  apply(propertyId: PropertyId, entries: readonly ChainEntry[]): Reread {
    const property = this.#properties.get(propertyId)!;
    let range: StaleNights | undefined;
    for (const { seq, parts, cells, setup, stops } of entries) {
      if (seq <= property.seq) continue;
      if (seq !== property.seq + 1) return 'property';
      if (parts.some((part) => !KNOWN_PARTS.has(part)) || setup?.some((kind) => SHAPING.has(kind))) return 'property';
      for (const [roomType, day, , , , , available, , move] of cells ?? []) {
        const type = property.types.get(roomType);
        if (!type) return 'property';
        this.#columns.setFree(type.slot, day, available > 0);
        if (move !== undefined || property.isDynamic) range = widened(range, day);
      }
      for (const { first, last } of stops ?? []) {
        if (!Number.isInteger(first) || !Number.isInteger(last)) return 'property';
        range = widened(widened(range, first), last);
      }
      property.seq = seq;
      if (range) property.isUnsettled = true;
    }
    return range;
  }

  /** Room types that are free for a stay and sleep the party, those of the least bound first. */
  candidates({ party, currency, propertyIds, checkIn, checkOut, most, after, limit }: CandidateQuery): Candidate[] {
    const query = { checkIn, checkOut, limit, ...(most !== undefined && { most }), ...(after && { after }) };
    const mask = this.#maskOf(party, currency, propertyIds);
    return this.#columns.cheapest({ ...query, mask, partyClass: partyClassOf(party) }).map(({ slot, bound }) => {
      const { property, type } = this.#slots[slot]!;
      return { slot, bound, propertyId: property.propertyId, roomType: type.roomType };
    });
  }

  #summed(): Summary {
    if (this.#summary) return this.#summary;
    const window = { businessDate: Infinity, lastNight: -Infinity };
    const currencies = new Set<string>();
    for (const { currency, window: own } of this.#properties.values()) {
      currencies.add(currency);
      window.businessDate = Math.min(window.businessDate, own.businessDate);
      window.lastNight = Math.max(window.lastNight, own.lastNight);
    }
    return (this.#summary = { currencies: [...currencies].sort(), window });
  }

  #placed({ roomType, maxAdults, maxChildren, maxGuests }: SearchedNights): IndexedType {
    const slot = this.#emptied.pop() ?? this.#slots.push(undefined) - 1;
    this.#masks.clear();
    return { roomType, maxAdults, maxChildren, maxGuests, slot };
  }

  #maskOf(party: Party, currency: string, propertyIds: readonly PropertyId[] | undefined): Uint32Array {
    const { words } = this.#columns;
    const fits = ({ property, type }: { property: IndexedProperty; type: IndexedType }): boolean =>
      property.currency === currency && sleepsParty(type, party);
    if (propertyIds) {
      const named = propertyIds.flatMap((id) => [...(this.#properties.get(id)?.types.values() ?? [])]);
      return maskOf(
        words,
        named.map(({ slot }) => slot).filter((slot) => fits(this.#slots[slot]!)),
      );
    }
    const key = `${currency} ${party.adults} ${party.children}`;
    const known = this.#masks.get(key);
    if (known?.length === words) return known;
    if (this.#masks.size >= MAX_MASKS) this.#masks.clear();
    const slots = this.#slots.flatMap((owner, slot) => (owner && fits(owner) ? [slot] : []));
    const mask = maskOf(words, slots);
    this.#masks.set(key, mask);
    return mask;
  }
}

function sameTypes(known: ReadonlyMap<string, IndexedType>, types: readonly SearchedNights[]): boolean {
  if (known.size !== types.length) return false;
  return types.every(({ roomType, maxAdults, maxChildren, maxGuests }) => {
    const type = known.get(roomType);
    return type?.maxAdults === maxAdults && type.maxChildren === maxChildren && type.maxGuests === maxGuests;
  });
}

function widened(range: StaleNights | undefined, day: Day): StaleNights {
  return { first: Math.min(range?.first ?? day, day), last: Math.max(range?.last ?? day, day) };
}
