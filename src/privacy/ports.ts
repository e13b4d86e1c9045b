import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { GuestId, TenantId, ReservationId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { IssuedTo } from '../money/rules/invoice.ts';
import type { Reservation } from '../stay/rules/reservation.ts';

/**
 * The part of an erasure (docs/concepts/guests-and-erasure.md#erasure) outside of properties. Each step is idempotent.
 */
export interface GuestErasure {
  /**
   * Empties the profiles of a guest and destroys their keys, all or none, so that no new booking uses them. The first
   * step: from here on, ciphertext in journals and their backups is unreadable. Recorded in the administration journal
   * the first time.
   * @param profiles all of the guest ({@link idsOf}), with the names of the guest, encrypted: stored until the end, so
   * that an interrupted erasure still has them
   * @returns time of the removal; MERGED when these are not all profiles of the guest, and nothing was done
   * @throws DomainError GUEST_NOT_FOUND; GUEST_IN_USE while a stay is not over or a booking is being paid
   */
  begin(
    by: By,
    profiles: readonly { id: GuestId; names: string }[],
    key?: RequestKey,
  ): Promise<Done<{ at: Instant }> | 'MERGED'>;
  /** The surviving profile of a guest, and those that were merged into it. @throws DomainError GUEST_NOT_FOUND */
  idsOf(tenantId: TenantId, guestId: GuestId): Promise<GuestId[]>;
  /** Names and addresses of a guest in profile and reservations, and encrypted former ones. */
  names(tenantId: TenantId, guestId: GuestId): Promise<{ names: string[]; sealed: string[] }>;
  /** The `names` of {@link begin} for an unfinished erasure; undefined for one begun by an earlier release. */
  namesToClear(tenantId: TenantId, guestId: GuestId): Promise<string | undefined>;
  /** Some reservations that still have personal data; without payments. */
  remaining(tenantId: TenantId, guestId: GuestId, limit: number): Promise<Reservation[]>;
  /**
   * Removes personal data from status histories and invoice lines of these reservations, which must still have it. The
   * recipient of an invoice is stored only with the invoice.
   */
  clearHistory(
    tenantId: TenantId,
    guestId: GuestId,
    reservations: readonly Reservation[],
    names: readonly string[],
  ): Promise<void>;
  /** Removes personal data from a reservation of a deleted property, which has no owner to do it. */
  clearOrphan(
    tenantId: TenantId,
    guestId: GuestId,
    reservation: Reservation,
    names: readonly string[],
  ): Promise<void>;
  /** Recipient of the invoice of a reservation whose guest is erased. */
  issuedTo(tenantId: TenantId, reservationId: ReservationId): Promise<IssuedTo | undefined>;
  /** Removes personal data from idempotency records. */
  clearAnswers(tenantId: TenantId, guestId: GuestId, names: readonly string[]): Promise<void>;
  /** Records that the erasure is complete. */
  end(tenantId: TenantId, guestId: GuestId): Promise<void>;
  /** Requests PostgreSQL to remove dead row versions soon, without waiting for it. */
  vacuumSoon(): void;
  /** Guests of a tenant with an unfinished erasure. */
  unfinished(tenantId: TenantId, limit: number): Promise<string[]>;
}
