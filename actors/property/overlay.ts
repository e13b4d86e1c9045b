/** A table of the state by id: a map, a cache with eviction, or an overlay over one of them. */
export type Table<V> = {
  get(id: string): V | undefined;
  set(id: string, value: V): unknown;
  delete(id: string): unknown;
};

/** A table that holds all its rows. */
export type FullTable<V> = Table<V> & Iterable<[string, V]> & { readonly size: number };

/** Changes over a base that stays as it is until `apply`: what a batch adds, replaces and removes. */
export class Overlay<V, B extends Table<V> = Table<V>> implements Table<V> {
  protected base: B;
  protected readonly changed = new Map<string, V | null>();

  constructor(base: B) {
    this.base = base;
  }

  get(id: string): V | undefined {
    const changed = this.changed.get(id);
    if (changed !== undefined) return changed ?? undefined;
    return this.base.get(id);
  }

  set(id: string, value: V): void {
    this.changed.set(id, value);
  }

  delete(id: string): void {
    this.changed.set(id, null);
  }

  /** Current values of everything that was put. */
  put(): V[] {
    return [...this.changed.values()].filter((value): value is V & {} => value !== null);
  }

  removed(): string[] {
    return [...this.changed].filter(([, value]) => value === null).map(([id]) => id);
  }

  /** Writes the changes into a table. */
  apply(into: Table<V>): void {
    for (const [id, value] of this.changed) {
      if (value === null) into.delete(id);
      else into.set(id, value);
    }
  }

  /** Replaces the base by one with the same content. */
  rebase(base: B): void {
    this.base = base;
  }
}

/** An overlay that reports what was put into it since the last drain, with the values before. */
export class ChangeTrackingOverlay<V> extends Overlay<V> {
  #fresh = new Map<string, V | undefined>();

  override set(id: string, value: V): void {
    if (!this.#fresh.has(id)) this.#fresh.set(id, this.get(id));
    super.set(id, value);
  }

  drainChanges(): Map<string, { before: V | undefined; after: V }> {
    const fresh = this.#fresh;
    this.#fresh = new Map();
    return new Map(
      [...fresh].flatMap(([id, before]) => {
        const after = this.get(id);
        return after ? [[id, { before, after }] as const] : [];
      }),
    );
  }
}

/** An overlay over a table that holds all its rows. */
export class FullOverlay<V> extends Overlay<V, FullTable<V>> implements FullTable<V> {
  /** Counts all rows: not for hot paths. */
  get size(): number {
    return [...this].length;
  }

  *[Symbol.iterator](): Iterator<[string, V]> {
    for (const entry of this.base) if (!this.changed.has(entry[0])) yield entry;
    for (const [id, value] of this.changed) if (value !== null) yield [id, value];
  }
}
