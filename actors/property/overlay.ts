/** A map of changes over a base that stays as it is until `apply`: what a batch adds, replaces and removes. */
export class Overlay<V> {
  readonly #base: { get(id: string): V | undefined; set(id: string, value: V): unknown; delete(id: string): unknown };
  readonly #changed = new Map<string, V | null>();

  constructor(base: {
    get(id: string): V | undefined;
    set(id: string, value: V): unknown;
    delete(id: string): unknown;
  }) {
    this.#base = base;
  }

  get(id: string): V | undefined {
    const changed = this.#changed.get(id);
    if (changed !== undefined) return changed ?? undefined;
    return this.#base.get(id);
  }

  set(id: string, value: V): void {
    this.#changed.set(id, value);
  }

  delete(id: string): void {
    this.#changed.set(id, null);
  }

  /** What was put, as it is now. */
  put(): V[] {
    return [...this.#changed.values()].filter((value): value is V & {} => value !== null);
  }

  removed(): string[] {
    return [...this.#changed].filter(([, value]) => value === null).map(([id]) => id);
  }

  apply(): void {
    for (const [id, value] of this.#changed) {
      if (value === null) this.#base.delete(id);
      else this.#base.set(id, value);
    }
  }
}
