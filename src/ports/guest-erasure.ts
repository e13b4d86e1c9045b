import type { By, Done, RequestKey } from '../domain/administration.ts';
import type { Instant } from '../domain/property-time.ts';
import type { Reservation } from '../domain/reservation.ts';

/** The part of forgetting a guest (contracts.md 7) that no property does. Each step changes nothing the second time. */
export interface GuestErasure {
  /**
   * Empties the profile and destroys its key, after which nobody can book with it. The first step: ciphertext in journals
   * and backups of them can be read by nobody from here on. Noted in the administration journal the first time.
   * @returns when nobody could find the profile any more
   * @throws Refusal GUEST_NOT_FOUND; GUEST_IN_USE while a stay is not over or a booking is being paid
   */
  begin(by: By, guestId: string, key?: RequestKey): Promise<Done<{ at: Instant }>>;
  /** Some reservations that still say who it was; without payments. */
  remaining(tenantId: string, guestId: string, limit: number): Promise<Reservation[]>;
  /** Takes the person out of status histories and invoices of these reservations; they must still say who it was. */
  clearHistory(tenantId: string, reservations: readonly Reservation[]): Promise<void>;
  /** Takes the person out of a reservation of a property that was deleted: it has no owner who could. */
  clearOrphan(tenantId: string, reservation: Reservation): Promise<void>;
  /** Takes the person out of answers kept under idempotency keys. */
  clearAnswers(tenantId: string, guestId: string): Promise<void>;
  /** Notes that nothing is left to do. */
  end(tenantId: string, guestId: string): Promise<void>;
  /** Guests of a tenant whose erasure has begun and not ended. */
  unfinished(tenantId: string, limit: number): Promise<string[]>;
}
