import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { GuestId, TenantId, ReservationId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { IssuedTo } from '../money/rules/invoice.ts';
import type { Reservation } from '../stay/rules/reservation.ts';

/**
 * The part of forgetting a guest (docs/concepts/guests-and-erasure.md#erasure) that no property does. Each step changes
 * nothing the second time.
 */
export interface GuestErasure {
  /**
   * Empties the profile and destroys its key, after which nobody can book with it. The first step: ciphertext in
   * journals and backups of them can be read by nobody from here on. Noted in the administration journal the first
   * time.
   * @param names of the guest, encrypted: stored until the end, so that an erasure that was cut off still knows them
   * @returns when nobody could find the profile any more
   * @throws DomainError GUEST_NOT_FOUND; GUEST_IN_USE while a stay is not over or a booking is being paid
   */
  begin(by: By, guestId: GuestId, names: string, key?: RequestKey): Promise<Done<{ at: Instant }>>;
  /** Names and addresses that profile and reservations have of a guest, and sealed copies of former ones. */
  names(tenantId: TenantId, guestId: GuestId): Promise<{ names: string[]; sealed: string[] }>;
  /** What {@link begin} was given of an erasure that has not ended; nothing of one that an earlier release began. */
  namesToClear(tenantId: TenantId, guestId: GuestId): Promise<string | undefined>;
  /** Some reservations that still say who it was; without payments. */
  remaining(tenantId: TenantId, guestId: GuestId, limit: number): Promise<Reservation[]>;
  /**
   * Takes the person out of status histories and lines of invoices of these reservations, which must still say who it
   * was. The recipient of an invoice is stored only with the invoice.
   */
  clearHistory(tenantId: TenantId, reservations: readonly Reservation[], names: readonly string[]): Promise<void>;
  /** Takes the person out of a reservation of a property that was deleted: it has no owner who could. */
  clearOrphan(tenantId: TenantId, reservation: Reservation, names: readonly string[]): Promise<void>;
  /** Recipient of the invoice of a reservation whose guest is erased. */
  issuedTo(tenantId: TenantId, reservationId: ReservationId): Promise<IssuedTo | undefined>;
  /** Takes the person out of idempotency records. */
  clearAnswers(tenantId: TenantId, guestId: GuestId, names: readonly string[]): Promise<void>;
  /** Notes that nothing is left to do. */
  end(tenantId: TenantId, guestId: GuestId): Promise<void>;
  /** Has PostgreSQL clear the versions of rows that are no longer valid, soon and without waiting for it. */
  vacuumSoon(): void;
  /** Guests of a tenant whose erasure has begun and not ended. */
  unfinished(tenantId: TenantId, limit: number): Promise<string[]>;
}
