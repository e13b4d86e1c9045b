import { Slices } from '../../../kernel/operations/let-others-run.ts';
import type { Clock, Log } from '../../../kernel/ports.ts';
import type { PropertyActors, PropertyView } from '../../../kernel/property-actors.ts';
import type { Day } from '../../../kernel/rules/dates.ts';
import type { PropertyId, TenantId } from '../../../kernel/rules/ids.ts';
import { endOfBusinessDay, type Instant } from '../../../kernel/rules/property-time.ts';
import { isSandbox } from '../../../kernel/rules/sandbox-id.ts';
import { clockOf } from '../../../properties/rules/property.ts';
import type { SearchedNights } from '../../../rates/rules/queries.ts';
import type { ChainJournals, ListedPosition } from '../../ports.ts';
import { type ChainEntry, ChainIndex, type StaleNights, type Reread } from '../../rules/chain-search/chain-index.ts';
import { LEAST_PARTIES } from '../../rules/chain-search/party-class.ts';

export type ChainSources = {
  journals: ChainJournals;
  properties: Pick<PropertyActors, 'views'>;
  clock: Clock;
  log: Log;
};

const DAY_MS = 86_400_000;

/** Days that a business date may lag behind UTC. */
const LATEST_ZONE_DAYS = 2;
/** Nights beyond any horizon. */
const MAX_WINDOW_NIGHTS = 1_502;
/**
 * Positions are found by their commit time, which is written before the commit: a commit that takes longer than 3 s
 * costs its node the lease.
 */
const OVERLAP_MS = 10_000;
/** Interval at which all positions are compared: of what was changed past the actors, and of business dates. */
const COMPARE_EVERY_MS = 15_000;
/** Entries of a property that are worth reading; beyond them it is read as a whole. */
const MAX_ENTRIES = 200;
/** Cells read at once, by which the number of whole properties in a read follows, and its bounds. */
const CELLS_AT_ONCE = 10_000;
const FIRST_WHOLE = 4;
const MAX_WHOLE = 32;
/** Properties of which some nights are read at once. */
const MAX_PARTIAL = 32;
/** Time of computing after which others get theirs, and the prices computed before it is looked at. */
const SLICE_MS = 5;
const PRICES_AT_ONCE = 1_000;
/**
 * Time for reads of one round; positions are compared again before more is read. A search that waits for its first
 * model gains nothing from newer positions.
 */
const READ_FOR_MS = 50;
const BUILD_FOR_MS = 500;

type Batch = { stale: ReadonlyMap<PropertyId, Stale['what']>; nights: StaleNights };
/** A batch whose rows are on their way. */
type Reading = Batch & { views: Promise<Map<PropertyId, PropertyView>> };
type Stale = { what: Exclude<Reread, undefined>; since: Instant };

/**
 * Keeps the index of a tenant in step with the journals of its properties (docs/concepts/chain-search.md#following):
 * each round finds the properties with commits, applies their entries, and reads again what the entries do not say.
 */
export class ChainFollower {
  readonly #sources: ChainSources;
  readonly #tenantId: TenantId;
  readonly index: ChainIndex;
  readonly #stale = new Map<PropertyId, Stale>();
  /** Newest positions as listed. */
  readonly #listed = new Map<PropertyId, Pick<ListedPosition, 'seq' | 'rateVersion'>>();
  /** Properties whose rows cannot be read, with the `seq` at which that was so. */
  readonly #unreadable = new Map<PropertyId, number>();
  #comparedAt = -Infinity;
  /** Before this instant every commit is applied or stale. */
  #appliedAt: Instant | undefined;
  #isBuilt = false;
  #wholeAtOnce = FIRST_WHOLE;
  readonly #slices = new Slices(SLICE_MS);

  constructor(sources: ChainSources, tenantId: TenantId) {
    this.#sources = sources;
    this.#tenantId = tenantId;
    this.index = new ChainIndex(firstNight(sources.clock.now()));
  }

  /** Whether every property was read once. */
  get isBuilt(): boolean {
    return this.#isBuilt;
  }

  /** Every commit before it is in the index. */
  get asOf(): Instant {
    let least = this.#appliedAt ?? -Infinity;
    for (const { since } of this.#stale.values()) least = Math.min(least, since);
    return least;
  }

  /** @throws what the database throws: the next round begins where this one did */
  async round(): Promise<void> {
    const { clock, journals } = this.#sources;
    const began = clock.now();
    const compares =
      performance.now() - this.#comparedAt > COMPARE_EVERY_MS || began - (this.#appliedAt ?? 0) > OVERLAP_MS;
    const listed = await journals.positions(this.#tenantId, compares ? undefined : began - OVERLAP_MS);
    const found = listed.filter(({ propertyId }) => !isSandbox(propertyId));
    if (compares) this.#compare(found, began);
    await this.#follow(found);
    if (compares) this.#comparedAt = performance.now();
    this.#appliedAt = began;
    await this.#read();
    this.#isBuilt ||= this.#stale.size === 0;
  }

  /** Removes what is gone, and has properties read again whose window has moved. */
  #compare(listed: readonly ListedPosition[], now: Instant): void {
    this.index.advance(firstNight(now));
    const there = new Set(listed.filter(({ isThere }) => isThere).map(({ propertyId }) => propertyId));
    for (const propertyId of this.index.propertyIds) if (!there.has(propertyId)) this.#forget(propertyId);
    for (const propertyId of this.#stale.keys()) if (!there.has(propertyId)) this.#forget(propertyId);
    for (const { propertyId, isThere } of listed) {
      const position = this.index.position(propertyId);
      if (isThere && position && position.dayEnds <= now) this.#reread(propertyId, 'property');
    }
  }

  async #follow(listed: readonly ListedPosition[]): Promise<void> {
    const behind: { propertyId: PropertyId; seq: number }[] = [];
    for (const { propertyId, isThere, seq, generation, rateVersion } of listed) {
      this.#listed.set(propertyId, { seq, rateVersion });
      const known = this.index.position(propertyId);
      if (!isThere) this.#forget(propertyId);
      else if (this.#unreadable.get(propertyId) === seq) continue;
      // After a fail-over the database may have less than was read, where nobody had the property in memory.
      else if (known?.generation !== generation || known.rateVersion !== rateVersion || known.seq > seq)
        this.#reread(propertyId, 'property');
      else if (known.seq < seq) behind.push({ propertyId, seq: known.seq });
    }
    if (behind.length === 0) return;
    const rows = await this.#sources.journals.entries(this.#tenantId, behind, MAX_ENTRIES);
    const entries = Map.groupBy(rows, ({ propertyId }): PropertyId => propertyId);
    for (const { propertyId } of behind) this.#apply(propertyId, entries.get(propertyId) ?? []);
  }

  #apply(propertyId: PropertyId, entries: readonly ChainEntry[]): void {
    // Removed entries, or more than are worth reading.
    const isWhole = entries.length === 0 || entries.length > MAX_ENTRIES;
    const again = isWhole ? 'property' : this.index.apply(propertyId, entries);
    if (again) this.#reread(propertyId, again);
  }

  #reread(propertyId: PropertyId, what: Exclude<Reread, undefined>): void {
    const before = this.#stale.get(propertyId);
    const since = before?.since ?? this.#appliedAt ?? -Infinity;
    this.#stale.set(propertyId, { since, what: before ? both(before.what, what) : what });
  }

  #forget(propertyId: PropertyId): void {
    this.index.remove(propertyId);
    this.#stale.delete(propertyId);
    this.#listed.delete(propertyId);
    this.#unreadable.delete(propertyId);
  }

  /** While what was read is computed, the database reads the next. */
  async #read(): Promise<void> {
    const until = performance.now() + (this.#isBuilt ? READ_FOR_MS : BUILD_FOR_MS);
    for (let reading = this.#begin(); reading;) {
      const views = await reading.views;
      const next = performance.now() < until ? this.#begin(reading.stale) : undefined;
      this.#slices.resume();
      await this.#take(reading, views);
      reading = next;
    }
  }

  /** @param beside properties that are being read already */
  #begin(beside?: ReadonlyMap<PropertyId, unknown>): Reading | undefined {
    const batch = this.#batch(beside);
    if (!batch) return undefined;
    const views = this.#views([...batch.stale.keys()], batch.nights);
    // Awaited after the batch before it, which may fail first.
    views.catch(() => undefined);
    return { ...batch, views };
  }

  #batch(beside?: ReadonlyMap<PropertyId, unknown>): Batch | undefined {
    const some = new Map<PropertyId, StaleNights>();
    const whole = new Map<PropertyId, 'property'>();
    for (const [propertyId, { what }] of this.#stale) {
      if (beside?.has(propertyId)) continue;
      if (what !== 'property') some.set(propertyId, what);
      else if (whole.size < this.#wholeAtOnce) whole.set(propertyId, what);
      if (some.size === MAX_PARTIAL) break;
    }
    if (some.size > 0) {
      const nights = [...some.values()].reduce((all, one) => both(all, one) as StaleNights);
      return { stale: some, nights };
    }
    const first = firstNight(this.#sources.clock.now());
    return whole.size > 0 ? { stale: whole, nights: { first, last: first + MAX_WINDOW_NIGHTS } } : undefined;
  }

  async #take({ stale, nights }: Batch, views: ReadonlyMap<PropertyId, PropertyView>): Promise<void> {
    let cells = 0;
    for (const [propertyId, what] of stale) {
      const view = views.get(propertyId);
      const types = view && (await this.#nights(view, what === 'property' ? nights : what));
      if (what !== 'property') {
        if (types) this.index.patch(propertyId, types);
      } else if (types) {
        this.#put(propertyId, view, types);
        for (const type of types) cells += type.nights.length;
      } else this.#unread(propertyId);
      this.#stale.delete(propertyId);
    }
    const fits = Math.floor((CELLS_AT_ONCE * stale.size) / cells);
    if (cells > 0) this.#wholeAtOnce = Math.max(1, Math.min(fits, MAX_WHOLE));
  }

  /** One that cannot be read is read again when it changes; its host has logged why. */
  #unread(propertyId: PropertyId): void {
    this.index.remove(propertyId);
    this.#unreadable.set(propertyId, this.#listed.get(propertyId)?.seq ?? 0);
  }

  #put(propertyId: PropertyId, view: PropertyView, types: readonly SearchedNights[]): void {
    const { seq, generation, currency, isDynamic, businessDate, lastNight } = view;
    const rateVersion = this.#listed.get(propertyId)?.rateVersion ?? 0;
    const window = { businessDate, lastNight };
    const dayEnds = endOfBusinessDay(businessDate, clockOf(view.setup.property));
    this.index.put({ propertyId, seq, generation, rateVersion, window, dayEnds, currency, isDynamic, types });
  }

  /** A property with dozens of room types and plans takes seconds, and other requests get their time in between. */
  async #nights(view: PropertyView, { first, last }: StaleNights): Promise<SearchedNights[]> {
    const start = Math.max(first, view.businessDate);
    const end = Math.min(last, view.lastNight);
    const { roomTypes, plans } = view.setup;
    const size = Math.max(1, Math.floor(PRICES_AT_ONCE / Math.max(1, roomTypes.length * plans.length)));
    const parts: SearchedNights[][] = [];
    for (let from = start; from === start || from <= end; from += size) {
      if (this.#slices.isOver) await this.#slices.rest();
      parts.push(view.searchedNights(from, Math.min(end, from + size - 1), LEAST_PARTIES));
    }
    if (parts.length === 1) return parts[0]!;
    return parts[0]!.map((type, n) => ({ ...type, nights: parts.flatMap((part) => part[n]!.nights) }));
  }

  async #views(propertyIds: readonly PropertyId[], nights: StaleNights): Promise<Map<PropertyId, PropertyView>> {
    const views = await this.#sources.properties.views(this.#tenantId, propertyIds, nights);
    return new Map(views.map((view) => [view.setup.property.propertyId, view]));
  }
}

function both(one: Exclude<Reread, undefined>, other: Exclude<Reread, undefined>): Exclude<Reread, undefined> {
  if (one === 'property' || other === 'property') return 'property';
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

/** No property has an earlier business date. */
function firstNight(now: Instant): Day {
  return Math.floor(now / DAY_MS) - LATEST_ZONE_DAYS;
}
