import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { IssuedTo } from '../money/rules/invoice.ts';
import type { Reservation } from '../stay/rules/reservation.ts';

/**
 * The part of forgetting a guest (docs/concepts/guests-and-erasure.md#erasure) that no property does. Each step changes
 * nothing the second time.
 */
export interface GuestErasure {
  /**
   * Empties the profile and destroys its key, after which nobody can book with it. The first step: ciphertext in journals
   * and backups of them can be read by nobody from here on. Noted in the administration journal the first time.
   * @param names of the guest, sealed: kept until the end, so that an erasure that was cut off still knows them
   * @returns when nobody could find the profile any more
   * @throws DomainError GUEST_NOT_FOUND; GUEST_IN_USE while a stay is not over or a booking is being paid
   */
  begin(by: By, guestId: string, names: string, key?: RequestKey): Promise<Done<{ at: Instant }>>;
  /** Names and addresses that profile and reservations have of a guest, and sealed copies of former ones. */
  names(tenantId: string, guestId: string): Promise<{ names: string[]; sealed: string[] }>;
  /** What {@link begin} was given of an erasure that has not ended; nothing of one that an earlier release began. */
  namesToClear(tenantId: string, guestId: string): Promise<string | undefined>;
  /** Some reservations that still say who it was; without payments. */
  remaining(tenantId: string, guestId: string, limit: number): Promise<Reservation[]>;
  /**
   * Takes the person out of status histories and lines of invoices of these reservations, which must still say who it
   * was. To whom an invoice was issued is kept with the invoice alone.
   */
  clearHistory(tenantId: string, reservations: readonly Reservation[], names: readonly string[]): Promise<void>;
  /** Takes the person out of a reservation of a property that was deleted: it has no owner who could. */
  clearOrphan(tenantId: string, reservation: Reservation, names: readonly string[]): Promise<void>;
  /** To whom the invoice of a reservation was issued, where its guest is erased. */
  issuedTo(tenantId: string, reservationId: string): Promise<IssuedTo | undefined>;
  /** Takes the person out of answers kept under idempotency keys. */
  clearAnswers(tenantId: string, guestId: string, names: readonly string[]): Promise<void>;
  /** Notes that nothing is left to do. */
  end(tenantId: string, guestId: string): Promise<void>;
  /** Has PostgreSQL clear the versions of rows that are no longer valid, soon and without waiting for it. */
  vacuumSoon(): void;
  /** Guests of a tenant whose erasure has begun and not ended. */
  unfinished(tenantId: string, limit: number): Promise<string[]>;
}
