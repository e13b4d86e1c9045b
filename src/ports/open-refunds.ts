import type { Address } from '../domain/caller.ts';

/** Refunds that were ordered with a commit and that the gateway has not confirmed yet, over all tenants. */
export interface OpenRefunds {
  /** Reservations with a refund ordered before `before`, at most `limit` a tenant. */
  find(before: number, limit: number): Promise<{ to: Address; reservationId: string }[]>;
}
