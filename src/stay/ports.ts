import type { Page, PagePosition } from '../kernel/ports.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { Property } from '../properties/rules/property.ts';
import type { Hold } from './rules/hold.ts';
import type { Reservation, ReservationStatus } from './rules/reservation.ts';

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

/** Filters of `GET /reservations` (docs/reference/reservations.md#search); all must hold. */
export type ReservationFilter = {
  propertyId?: string;
  status?: ReservationStatus;
  arrivalFrom?: Day;
  arrivalTo?: Day;
  departureFrom?: Day;
  departureTo?: Day;
  inHouseOn?: Day;
  guestId?: string;
  email?: string;
  confirmationNumber?: string;
  channel?: string;
  groupId?: string;
  updatedSince?: Instant;
};

/** Reservations as the database holds them, within one tenant. */
export interface ReservationReader {
  get(
    tenantId: string,
    id: string,
  ): Promise<{ reservation: Reservation; property: Property; seq: number; epoch: number } | undefined>;
  list(tenantId: string, filter: ReservationFilter, limit: number, after?: PagePosition): Promise<Page<Reservation>>;
  /** How its status moved, the oldest first. */
  statusHistory(tenantId: string, id: string): Promise<StatusChange[]>;
  /** Which property a reservation belongs to; immutable, so callers may remember it. */
  propertyOf(tenantId: string, id: string): Promise<string | undefined>;
}
export type StatusChange = {
  reservationId: string;
  from: ReservationStatus | null;
  to: ReservationStatus;
  at: number;
  by: string;
  reason?: string;
};
