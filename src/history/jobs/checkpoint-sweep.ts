import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { Slices } from '../../kernel/operations/let-others-run.ts';
import type { Log, ResidentProperty, ResidentProperties } from '../../kernel/ports.ts';
import type { PropertyView } from '../../kernel/property-actors.ts';
import { addressKey } from '../../kernel/rules/caller.ts';
import type { Checkpoints } from '../ports.ts';
import { type GridSnapshot, snapshotOf } from '../rules/past-grid.ts';

/** Rows after which a property gets another checkpoint (docs/concepts/storage.md#history). */
export const CHECKPOINT_ROWS = 4_096;

/**
 * Limits of checkpoints written in a round, and of properties whose newest one is read: rounds are short and frequent.
 */
const MAX_WRITTEN = 16;
/** How long cells are copied before others are served. */
const SLICE_MS = 4;
const MAX_READ = 100;

type Options = { properties: ResidentProperties; checkpoints: Checkpoints; log: Log };

/**
 * Writes checkpoints outside the booking path, from the last committed view, which is immutable. A round checks every
 * resident property; a passivated one is checked once more.
 */
export class CheckpointSweep implements AsyncDisposable {
  readonly #options: Options;
  /** `seq` of the newest checkpoint, as far as known. */
  #newest = new Map<string, number>();
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Runs a round; returns the number of written checkpoints. */
  async run(each: ItemRunner = ItemRunner.uncounted(this.#options.log)): Promise<number> {
    let read = 0;
    let written = 0;
    const long = this.#options.properties.residents().filter(({ view }) => view.seq >= CHECKPOINT_ROWS);
    const listed = new Set(long.map(({ to }) => addressKey(to)));
    this.#newest = new Map([...this.#newest].filter(([key]) => listed.has(key)));
    for (const resident of long) {
      if (written === MAX_WRITTEN || read === MAX_READ) break;
      const { tenantId, propertyId } = resident.to;
      await each.one(`${tenantId}/${propertyId}`, async () => {
        if (!this.#newest.has(addressKey(resident.to))) read += 1;
        if (await this.#checkpoint(resident)) written += 1;
      });
    }
    return written;
  }

  /** Writes a due checkpoint of a property that leaves memory. */
  passivating(resident: ResidentProperty): void {
    if (resident.view.seq < CHECKPOINT_ROWS) return;
    const { log } = this.#options;
    const work = this.#checkpoint(resident)
      .catch((error: unknown) => log.warn({ error: String(error) }, 'no checkpoint of a property that sleeps'))
      .then(() => void this.#leaving.delete(work));
    this.#leaving.add(work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Writes the checkpoint of a property if it is due; returns whether it did. */
  async #checkpoint({ to, view }: ResidentProperty): Promise<boolean> {
    const { checkpoints } = this.#options;
    const key = addressKey(to);
    const newest = this.#newest.get(key) ?? (await checkpoints.newest(to));
    this.#newest.set(key, newest);
    if (view.seq - newest < CHECKPOINT_ROWS) return false;
    if (await checkpoints.write(to, view.seq, await snapshotOfView(view))) this.#newest.set(key, view.seq);
    return true;
  }
}

/** Grid of a view, in slices between room types, so that a large property does not delay bookings. */
export async function snapshotOfView(view: PropertyView): Promise<GridSnapshot> {
  const { businessDate: today, books, setup } = view;
  const { property, rooms, roomTypes } = setup;
  const types: Parameters<typeof snapshotOf>[1][number][] = [];
  const slices = new Slices(SLICE_MS);
  for (const roomType of roomTypes) {
    types.push({ roomType, cells: view.grid(0, Number.MAX_SAFE_INTEGER, roomType.roomType) });
    if (slices.isOver) await slices.rest();
  }
  return snapshotOf({ property, rooms, books, today }, types);
}
