import type { Address } from '../domain/caller.ts';
import type { Hold } from '../domain/hold.ts';

/**
 * Holds of all tenants that need somebody: the one place that looks across them
 * (docs/concepts/storage.md#schemas-and-roles).
 */
export interface HoldSweep {
  /** Properties with a hold that ran out by now: waking their actor ends it. */
  expired(now: number, limit: number): Promise<Address[]>;
  /** Holds whose payment has no known end: LATE ones, and PAYING ones that began before `before`. */
  unsettled(before: number, limit: number): Promise<{ to: Address; holdId: string }[]>;
  /** The whole hold, read within its tenant. */
  hold(to: Address, holdId: string): Promise<Hold | undefined>;
}
