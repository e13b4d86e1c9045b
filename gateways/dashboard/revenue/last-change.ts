import { batch, signal } from '@preact/signals';

import { faultText } from './editor-messages.ts';

/** Panels that say what was done in them. */
export type ChangePlace = 'night' | 'advice';

/** What a change did, and the way back. */
type ChangeDone = { text: string; undo?: () => Promise<unknown> };

/** Time in which a change can be taken back by one key. */
const UNDO_MS = 10_000;

/** The last change that was made in a panel beside the grid: one at a time, and for a while it can be undone. */
export class LastChange {
  readonly busy = signal(false);
  readonly done = signal<(ChangeDone & { place: ChangePlace }) | undefined>(undefined);
  readonly error = signal<{ place: ChangePlace; text: string } | undefined>(undefined);
  readonly #failed: string;
  #expiring: ReturnType<typeof setTimeout> | undefined;

  /** @param failed what is said of a change that failed for no known reason */
  constructor(failed: string) {
    this.#failed = failed;
  }

  /** Makes a change unless one is under way. @returns whether it was made */
  async run(place: ChangePlace, work: () => Promise<ChangeDone>): Promise<boolean> {
    if (this.busy.peek()) return false;
    batch(() => {
      this.forget();
      this.busy.value = true;
    });
    try {
      const done = await work();
      this.done.value = { place, ...done };
      if (done.undo) this.#expiring = setTimeout(() => this.#keepText(), UNDO_MS);
      return true;
    } catch (error) {
      this.error.value = { place, text: faultText(error, this.#failed) };
      return false;
    } finally {
      this.busy.value = false;
    }
  }

  /**
   * Takes the last change back, where that is still possible; what fails can be tried again.
   *
   * @param undone what is said then
   * @returns whether there was one to take back
   */
  async undo(undone: string): Promise<boolean> {
    const last = this.done.peek();
    if (!last?.undo) return false;
    const { place, undo } = last;
    const isUndone = await this.run(place, async () => {
      await undo();
      return { text: undone };
    });
    if (!isUndone) this.done.value = last;
    return true;
  }

  forget(): void {
    clearTimeout(this.#expiring);
    this.done.value = undefined;
    this.error.value = undefined;
  }

  #keepText(): void {
    const last = this.done.peek();
    if (last) this.done.value = { place: last.place, text: last.text };
  }
}
