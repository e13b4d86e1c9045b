import type { Address } from '../domain/caller.ts';
import type { Instant } from '../domain/property-time.ts';

/** A room that has to be cleaned, or was: opened when it becomes DIRTY, done when it is ready again. */
export type HousekeepingTask = {
  taskId: string;
  roomNumber: string;
  taskType: string;
  status: 'PENDING' | 'COMPLETED';
  notes?: string;
  createdAt: Instant;
  completedAt?: Instant;
};

/** Tasks that came with the states of rooms (docs/concepts/rooms.md#housekeeping). */
export interface Housekeeping {
  /** What is to be done, the oldest first, at most 500. */
  open(to: Address): Promise<HousekeepingTask[]>;
}
