import type { Address } from '../domain/caller.ts';

export type OpenPayment = { to: Address; reservationId: string };

/** Money that is on its way and whose end nobody has heard of yet, over all tenants. */
export interface OpenPayments {
  /** Reservations with a refund that was ordered before `before`, at most `limit` a tenant. */
  refunds(before: number, limit: number): Promise<OpenPayment[]>;
  /** Reservations with an attempt to pay that began before `before`; those of bookings hang on their holds instead. */
  attempts(before: number, limit: number): Promise<OpenPayment[]>;
}
