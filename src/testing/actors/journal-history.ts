import fc from 'fast-check';

import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { PropertyStore } from '../../property-store/ports.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { cancelCommand, paid, startBookingCommand } from '../property-world.ts';
import { moves } from './random-moves.ts';
import { RandomRun } from './random-run.ts';
import type { Scene } from './scene.ts';
import { Stored } from './store-conformance.ts';

const HOUR_MS = 3_600_000;

/** State of a property after one of its rows: the expected history. */
type HistoryPage = { seq: number; at: number; view: PropertyView; cells: GridCell[] };

/** A stored property with a random history, and its actor's state at every `seq`. */
export class JournalHistory {
  readonly property: Stored;
  readonly run: RandomRun;
  readonly pages: HistoryPage[] = [];

  private constructor(property: Stored) {
    this.property = property;
    this.run = new RandomRun(property.scene);
    this.#note();
  }

  /** @param began creation of the property; its history continues from there */
  static async of(store: PropertyStore, began: number, tenantId = 'acme'): Promise<JournalHistory> {
    return new JournalHistory(await Stored.property(store, tenantId, began));
  }

  get to(): Address {
    return this.property.to;
  }

  get scene(): Scene {
    return this.property.scene;
  }

  /** Plays so many moves until `end`, and writes them. */
  async live(end: number, count: number, seed: number): Promise<void> {
    const drawn = fc.sample(moves, { seed, numRuns: count }).flat().slice(0, count);
    const step = Math.floor((end - this.scene.now) / (drawn.length + 1));
    for (const move of drawn) {
      this.scene.pass(step);
      this.scene.accept({ type: 'TICK' });
      this.#note();
      this.run.play({ ...move, minutes: 0 });
      this.#note();
    }
    this.scene.pass(Math.max(0, end - this.scene.now - HOUR_MS));
    await this.write();
  }

  /** Sells some paid stays, and cancels one of them. */
  async sell(stays: number): Promise<void> {
    const { scene } = this;
    // From tomorrow on by the current date: the business date may roll before any of them. Ten nights have rates.
    const all = Array.from({ length: stays }, (_, n) => this.property.stay(1 + (n % 10)));
    for (const [n, stay] of all.entries()) {
      scene.pass(HOUR_MS / 4);
      scene.accept({ type: 'TICK' });
      this.#note();
      const started = startBookingCommand({ stay });
      const { attempt } = scene.accept(started);
      this.#note();
      scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt, scene.now) });
      this.#note();
      if (n > 0) continue;
      scene.accept(cancelCommand(started.booking.reservationId));
      this.#note();
    }
    await this.write();
  }

  /** Writes the decided batches and records them. */
  async write(): Promise<void> {
    this.#note();
    for (const outcome of await this.property.write()) if (outcome !== 'committed') throw new Error(outcome);
  }

  /** State of the property at an instant. */
  at(instant: number): HistoryPage | undefined {
    return this.pages.findLast(({ at }) => at <= instant);
  }

  #note(): void {
    const { view, state } = this.scene;
    if (this.pages.at(-1)?.seq === state.seq || !state.property) return;
    this.pages.push({ seq: state.seq, at: state.at, view, cells: view.grid(0, Number.MAX_SAFE_INTEGER) });
  }
}
