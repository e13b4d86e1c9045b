import { letOthersRun } from '../../../kernel/operations/let-others-run.ts';
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
/** Properties read at once: whole windows, and some nights. */
const MAX_WHOLE = 4;
const MAX_PARTIAL = 32;
/** Nights of a property whose prices are computed first, and the time after which others get theirs. */
const FIRST_SLICE = 4;
const SLICE_MS = 8;
const MAX_SLICE = 366;
/** Time for reads of one round; positions are compared again before more is read. */
const READ_FOR_MS = 50;

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
      else if (known?.generation !== generation || known.rateVersion !== rateVersion)
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

  async #read(): Promise<void> {
    const until = performance.now() + READ_FOR_MS;
    do {
      const partial = [...this.#stale].flatMap(([id, { what }]) =>
        what === 'property' ? [] : [[id, what] as const],
      );
      if (partial.length > 0) await this.#readNights(new Map(partial.slice(0, MAX_PARTIAL)));
      const whole = [...this.#stale].filter(([, { what }]) => what === 'property').map(([id]) => id);
      if (whole.length > 0) await this.#readWhole(whole.slice(0, MAX_WHOLE));
    } while (this.#stale.size > 0 && performance.now() < until);
  }

  async #readNights(ranges: ReadonlyMap<PropertyId, StaleNights>): Promise<void> {
    const all = [...ranges.values()];
    const first = all.reduce((least, range) => Math.min(least, range.first), Infinity);
    const last = all.reduce((most, range) => Math.max(most, range.last), -Infinity);
    const views = await this.#views([...ranges.keys()], { first, last });
    for (const [propertyId, range] of ranges) {
      const view = views.get(propertyId);
      if (view) this.index.patch(propertyId, await nightsInSlices(view, range));
      this.#stale.delete(propertyId);
    }
  }

  async #readWhole(propertyIds: readonly PropertyId[]): Promise<void> {
    const first = firstNight(this.#sources.clock.now());
    const nights = { first, last: first + MAX_WINDOW_NIGHTS };
    const views = await this.#views(propertyIds, nights);
    for (const propertyId of propertyIds) {
      const view = views.get(propertyId);
      if (view) await this.#put(propertyId, view, nights);
      else this.#unread(propertyId);
      this.#stale.delete(propertyId);
    }
  }

  /** One that cannot be read is read again when it changes; its host has logged why. */
  #unread(propertyId: PropertyId): void {
    this.index.remove(propertyId);
    this.#unreadable.set(propertyId, this.#listed.get(propertyId)?.seq ?? 0);
  }

  async #put(propertyId: PropertyId, view: PropertyView, nights: StaleNights): Promise<void> {
    const { seq, generation, currency, isDynamic, businessDate, lastNight } = view;
    const types = await nightsInSlices(view, nights);
    const rateVersion = this.#listed.get(propertyId)?.rateVersion ?? 0;
    const window = { businessDate, lastNight };
    const dayEnds = endOfBusinessDay(businessDate, clockOf(view.setup.property));
    this.index.put({ propertyId, seq, generation, rateVersion, window, dayEnds, currency, isDynamic, types });
  }

  async #views(propertyIds: readonly PropertyId[], nights: StaleNights): Promise<Map<PropertyId, PropertyView>> {
    const views = await this.#sources.properties.views(this.#tenantId, propertyIds, nights);
    return new Map(views.map((view) => [view.setup.property.propertyId, view]));
  }
}

/**
 * The nights of a state, a slice at a time: a property with dozens of room types and plans takes seconds, and other
 * requests get their time in between.
 */
async function nightsInSlices(view: PropertyView, { first, last }: StaleNights): Promise<SearchedNights[]> {
  const start = Math.max(first, view.businessDate);
  const end = Math.min(last, view.lastNight);
  const types = view.searchedNights(start, Math.min(end, start), LEAST_PARTIES);
  const all = types.map((type) => ({ ...type, nights: [...type.nights] }));
  let [from, size] = [start + 1, FIRST_SLICE];
  while (from <= end) {
    await letOthersRun();
    const began = performance.now();
    const slice = view.searchedNights(from, Math.min(end, from + size - 1), LEAST_PARTIES);
    for (const [index, { nights }] of slice.entries()) all[index]!.nights.push(...nights);
    from += size;
    const fits = Math.floor((size * SLICE_MS) / Math.max(performance.now() - began, 1));
    size = Math.max(1, Math.min(fits, MAX_SLICE));
  }
  return all;
}

function both(one: Exclude<Reread, undefined>, other: Exclude<Reread, undefined>): Exclude<Reread, undefined> {
  if (one === 'property' || other === 'property') return 'property';
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

/** No property has an earlier business date. */
function firstNight(now: Instant): Day {
  return Math.floor(now / DAY_MS) - LATEST_ZONE_DAYS;
}
