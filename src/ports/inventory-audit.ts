import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Minor } from '../domain/money.ts';

/** A cell in which two of the three accounts differ; of revenue, a night over all room types, whose name is empty. */
export type CellDifference = {
  roomType: string;
  day: Day;
  counter: 'booked' | 'held' | 'group' | 'revenue';
  stored: number;
  recomputed: number;
};

export type StoredInventory = {
  seq: number;
  cells: {
    roomType: string;
    day: Day;
    total: number;
    booked: number;
    held: number;
    blocked: number;
    shortfall: number;
  }[];
  /** Revenue of nights, in minor units. */
  books: { day: Day; revenue: Minor }[];
  differences: CellDifference[];
};

/** The database's account of a property, recomputed in SQL from reservations and holds, in one snapshot. */
export interface InventoryAudit {
  read(to: Address): Promise<StoredInventory>;
}
