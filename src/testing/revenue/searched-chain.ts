import type { Command } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Facts, JournalEntry } from '../../kernel/rules/journal.ts';
import type { ChainSources } from '../../revenue/operations/chain-search/chain-follower.ts';
import type { ListedPosition } from '../../revenue/ports.ts';
import type { ChainEntry, StaleNights } from '../../revenue/rules/chain-search/chain-index.ts';
import { Scene } from '../actors/scene.ts';
import { NOW } from '../property-world.ts';

const OPEN = { paymentRequired: false };

/** Properties of a tenant with their journals, as the database and the actors show them. */
export class SearchedChain {
  readonly scenes = new Map<string, Scene>();
  readonly journals = new Map<string, JournalEntry[]>();
  readonly removed = new Set<string>();
  now = NOW;
  /** Property windows that were read, in order. */
  readonly reads: string[][] = [];
  fails = false;

  add(propertyId: string): Scene {
    const scene = Scene.property({ propertyId, policies: OPEN }, this.now);
    this.scenes.set(propertyId, scene);
    this.journals.set(propertyId, []);
    return scene;
  }

  /** Sends a command; one that is refused changes nothing. */
  send(propertyId: string, command: Command): void {
    const scene = this.scenes.get(propertyId)!;
    try {
      scene.accept(command);
    } catch {
      return;
    }
    this.journals.get(propertyId)!.push(...scene.last.entries);
  }

  sources(): ChainSources {
    const views = async (_: string, propertyIds: readonly string[]) => {
      this.reads.push([...propertyIds]);
      const there = propertyIds.filter((id) => !this.removed.has(id));
      return there.flatMap((id) => this.scenes.get(id)?.view ?? []);
    };
    const journals = {
      positions: async () => this.#positions(),
      entries: (_: string, after: readonly { propertyId: string; seq: number }[], limit: number) =>
        this.entries(after, limit),
    };
    const log = { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} };
    return { journals, properties: { views }, clock: { now: () => this.now }, log };
  }

  /** Journal rows after positions, for each property one more than the limit. */
  async entries(after: readonly { propertyId: string; seq: number }[], limit = 100) {
    return after.flatMap(({ propertyId, seq }) =>
      this.journals
        .get(propertyId)!
        .filter((entry) => entry.seq > seq)
        .slice(0, limit + 1)
        .map((entry) => ({ propertyId, ...chainEntry(entry) })),
    );
  }

  async #positions(): Promise<ListedPosition[]> {
    if (this.fails) throw new Error('the database does not answer');
    return [...this.scenes].map(([propertyId, { view }]) => ({
      propertyId,
      seq: view.seq,
      generation: view.generation,
      rateVersion: 0,
      isThere: !this.removed.has(propertyId),
    }));
  }
}

function chainEntry({ seq, facts }: JournalEntry): ChainEntry {
  const stored = JSON.parse(JSON.stringify(facts)) as Facts;
  return {
    seq,
    parts: Object.keys(stored) as (keyof Facts)[],
    cells: stored.cells ?? null,
    setup: stored.setup?.map(({ kind }) => kind) ?? null,
    stops: stored.setup?.flatMap(({ kind, after }) => (kind === 'restrictions' ? stopsOf(after) : [])) ?? null,
  };
}

function stopsOf(after: unknown): StaleNights[] {
  const { start, end, change } = after as { start: Day; end: Day; change: object };
  return 'stopSell' in change ? [{ first: start, last: end }] : [];
}
