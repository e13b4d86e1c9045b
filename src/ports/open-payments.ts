import type { Address } from '../domain/caller.ts';
import type { Minor } from '../domain/money.ts';
import type { Instant } from '../domain/property-time.ts';
import type { PaymentMethod } from '../domain/payment.ts';
import type { Page } from './page.ts';
import type { PagePosition } from './page.ts';

/** A refund that no provider sends: somebody of the house is yet to pay it out. */
export type RefundByHand = {
  refundId: string;
  reservationId: string;
  propertyId: string;
  confirmationNumber: string;
  guestName: string;
  amount: Minor;
  currency: string;
  /** How the money had come. */
  method: PaymentMethod | null;
  orderedAt: Instant;
};

export type OpenPayment = { to: Address; reservationId: string };

/** Money whose end nobody has heard of yet: on its way, or in the hands of a property. */
export interface OpenPayments {
  /** All tenants: each is asked by itself, so that one that cannot be read is in nobody's way. */
  tenants(): Promise<string[]>;
  /** Reservations with a refund that was ordered before `before`. */
  refunds(tenantId: string, before: number, limit: number): Promise<OpenPayment[]>;
  /** Reservations with an attempt to pay that began before `before`; those of bookings hang on their holds instead. */
  attempts(tenantId: string, before: number, limit: number): Promise<OpenPayment[]>;
  /** Whose payment it is, also where the reservation is yet to come to be; `paymentId` as it is kept. */
  reservationOf(tenantId: string, paymentId: string): Promise<(OpenPayment & { paymentId: string }) | undefined>;
  /** Refunds of a tenant that somebody is yet to pay out, newest first. */
  byHand(
    tenantId: string,
    propertyId: string | undefined,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<RefundByHand>>;
}
