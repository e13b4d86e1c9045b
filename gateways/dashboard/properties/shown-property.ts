import { type Signal, signal } from '@preact/signals';

import { cellKey, type Replica } from '../../../packages/client/src/live/replica.ts';
import type { CompetitorItem, FeedItem, GridItem, KpiItem, Patch } from '../../../src/live/contracts/live.ts';

/** A shown cell; `changes` counts its changes since it was first shown, each of which is highlighted. */
export type ShownCell = { item: GridItem | undefined; changes: number };

const MAX_HIGHLIGHTED = 120;
const EMPTY: ShownCell = { item: undefined, changes: 0 };

/** Shown data of a property, one signal per item: only what changed is rendered again. */
export class ShownProperty {
  readonly roomTypes = signal<readonly string[]>([]);
  /** Room types in the order in which they were first shown. */
  #order: readonly string[] = [];
  readonly currency = signal('');
  readonly feed = signal<readonly FeedItem[]>([]);
  readonly #cells = new Map<string, Signal<ShownCell>>();
  readonly #nights = new Map<string, Signal<KpiItem | undefined>>();
  readonly #markets = new Map<string, Signal<CompetitorItem | undefined>>();

  cell(key: string): Signal<ShownCell> {
    return remembered(this.#cells, key, () => signal(EMPTY));
  }

  night(date: string): Signal<KpiItem | undefined> {
    return remembered(this.#nights, date, () => signal(undefined));
  }

  /** Competitors' rates of a cell. */
  market(key: string): Signal<CompetitorItem | undefined> {
    return remembered(this.#markets, key, () => signal(undefined));
  }

  /** Shows changes. With too many at once, none is highlighted. */
  apply(patches: readonly Patch[]): void {
    const highlight = patches.length <= MAX_HIGHLIGHTED ? 1 : 0;
    for (const patch of patches) this.#apply(patch, highlight);
  }

  #apply(patch: Patch, highlight: number): void {
    if (patch.topic === 'kpi') this.night(patch.date).value = patch;
    if (patch.topic === 'competitors') this.market(cellKey(patch)).value = patch;
    if (patch.topic !== 'grid') return;
    const cell = this.cell(cellKey(patch));
    cell.value = { item: patch, changes: cell.peek().changes + highlight };
    if (!this.roomTypes.value.includes(patch.roomType))
      this.roomTypes.value = [...this.roomTypes.value, patch.roomType];
  }

  /** Shows a whole replica: differences are highlighted, the rest is not touched. */
  replace(replica: Replica): void {
    for (const [key, cell] of this.#cells) if (!replica.grid.has(key)) cell.value = EMPTY;
    const changed = [...replica.grid].filter(([key, item]) => !isSame(this.cell(key).peek().item, item));
    const highlight = changed.length <= MAX_HIGHLIGHTED ? 1 : 0;
    for (const [key, item] of changed) {
      const cell = this.cell(key);
      const { item: before, changes } = cell.peek();
      cell.value = { item, changes: before ? changes + highlight : 0 };
    }
    for (const [date, night] of this.#nights) night.value = replica.kpi.get(date);
    for (const [date, item] of replica.kpi) this.night(date).value = item;
    for (const [key, market] of this.#markets) market.value = replica.competitors.get(key);
    for (const [key, item] of replica.competitors) this.market(key).value = item;
    const items = [...replica.grid.values()];
    // The past comes in an order of its own: rows stay where they are.
    const found = new Set(items.map((item) => item.roomType));
    this.#order = [...new Set([...this.#order, ...found])];
    const types = this.#order.filter((type) => found.has(type));
    if (types.join() !== this.roomTypes.peek().join()) this.roomTypes.value = types;
    this.currency.value = items[0]?.currency ?? '';
  }

  forget(): void {
    for (const cell of this.#cells.values()) cell.value = EMPTY;
    for (const night of this.#nights.values()) night.value = undefined;
    for (const market of this.#markets.values()) market.value = undefined;
  }
}

function isSame(one: GridItem | undefined, other: GridItem): boolean {
  return (
    one !== undefined && (Object.keys(other) as (keyof GridItem)[]).every((field) => one[field] === other[field])
  );
}

function remembered<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (!found) map.set(key, (found = make()));
  return found;
}
