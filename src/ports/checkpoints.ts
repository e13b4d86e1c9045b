import type { Address } from '../domain/caller.ts';
import type { GridSnapshot } from '../domain/past-grid.ts';

/** Keeps the grids from which the past is rebuilt (docs/concepts/storage.md#history). */
export interface Checkpoints {
  /** `seq` of the newest checkpoint of a property; 0 when it has none. */
  newest(to: Address): Promise<number>;
  /** Keeps the grid as it was after the row `seq`; says whether there is such a row. Twice changes nothing. */
  write(to: Address, seq: number, grid: GridSnapshot): Promise<boolean>;
}
