import { LRUCache } from 'lru-cache';

import type { Log } from '../../../kernel/ports.ts';
import type { PropertyActors, PropertyView } from '../../../kernel/property-actors.ts';
import type { PropertyId, TenantId } from '../../../kernel/rules/ids.ts';
import type { ChainIndex, StaleNights } from '../../rules/chain-search/chain-index.ts';

/** Cached views of a tenant, their bytes, and properties that wait to be cached. */
const MAX_VIEWS = 256;
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes of a cached state as measured: of a property, of a cell, and of a cell that was quoted under a plan. */
const PROPERTY_BYTES = 20_000;
const CELL_BYTES = 100;
const PRICED_BYTES = 200;
const MAX_WANTED = 64;
/** Properties of which it is remembered that they were not cached. */
const MAX_MISSED = 1_024;
/** Whole windows read at once. */
const MAX_READ = 4;

type Position = ReturnType<ChainIndex['position']>;
type Cached = { view: PropertyView; position: Position };

/**
 * Committed states of the properties that searches quote (docs/concepts/chain-search.md#exact-prices). Those that are
 * not resident on this node are read for the nights of the stay; the whole window of one that is quoted again is cached
 * for as long as nothing changes there.
 */
export class ChainViews {
  readonly #properties: Pick<PropertyActors, 'views'>;
  readonly #tenantId: TenantId;
  readonly #index: ChainIndex;
  readonly #log: Log;
  readonly #cached = new LRUCache<PropertyId, Cached>({
    max: MAX_VIEWS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ view }) => bytesOf(view),
  });
  /** `seq` at which a property was quoted without being cached. */
  readonly #missed = new LRUCache<PropertyId, number>({ max: MAX_MISSED });
  readonly #wanted = new Set<PropertyId>();
  #isReading = false;

  constructor(
    { properties, log }: { properties: Pick<PropertyActors, 'views'>; log: Log },
    tenantId: TenantId,
    index: ChainIndex,
  ) {
    this.#properties = properties;
    this.#tenantId = tenantId;
    this.#index = index;
    this.#log = log;
  }

  /** Bytes of the cached views, by which memory is limited. */
  get byteLength(): number {
    return this.#cached.calculatedSize;
  }

  /** Views that know the given nights, both inclusive; those that are not there are left out. */
  async read(propertyIds: readonly PropertyId[], nights: StaleNights): Promise<PropertyView[]> {
    const known = propertyIds.flatMap((id) => this.#current(id) ?? []);
    const unread = propertyIds.filter((id) => !this.#current(id));
    if (unread.length === 0) return known;
    const read = await this.#properties.views(this.#tenantId, unread, nights);
    for (const { seq, setup } of read) this.#miss(setup.property.propertyId, seq);
    return [...known, ...read];
  }

  /** The cached view, if its property is still at its `seq`, in the same rates and on the same day. */
  #current(propertyId: PropertyId): PropertyView | undefined {
    const cached = this.#cached.get(propertyId);
    const position = this.#index.position(propertyId);
    return cached && position === cached.position && position?.seq === cached.view.seq ? cached.view : undefined;
  }

  /** One that changes all the time is not worth its read: it has to be quoted twice at the same `seq`. */
  #miss(propertyId: PropertyId, seq: number): void {
    if (this.#missed.get(propertyId) !== seq) {
      this.#missed.set(propertyId, seq);
      return;
    }
    if (this.#wanted.size < MAX_WANTED) this.#wanted.add(propertyId);
    if (!this.#isReading) void this.#cacheWanted();
  }

  async #cacheWanted(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#wanted.size > 0) {
        const some = [...this.#wanted].slice(0, MAX_READ);
        for (const id of some) this.#wanted.delete(id);
        const positions = new Map(some.map((id) => [id, this.#index.position(id)]));
        const { businessDate: first, lastNight: last } = this.#index.window;
        const views = await this.#properties.views(this.#tenantId, some, { first, last: last + 1 });
        for (const view of views) {
          const { propertyId } = view.setup.property;
          this.#cached.set(propertyId, { view, position: positions.get(propertyId) });
        }
      }
    } catch (error) {
      // Searches read what is not cached.
      this.#log.warn({ tenantId: this.#tenantId, error: String(error) }, 'properties of a search are not cached');
    } finally {
      this.#isReading = false;
    }
  }
}

function bytesOf({ setup, businessDate, lastNight }: PropertyView): number {
  const cells = setup.roomTypes.length * (lastNight - businessDate + 1);
  return PROPERTY_BYTES + cells * (CELL_BYTES + PRICED_BYTES * setup.plans.length);
}
