import type { Address } from '../domain/caller.ts';
import type { BooksOfDay, BusinessDay } from '../domain/night-audit.ts';

/** What journal, reservations and payments say of a business day. */
export interface DayBooks {
  /** All of it as of one moment. */
  read(to: Address, day: BusinessDay): Promise<BooksOfDay>;
}
