import type { Day } from '../domain/dates.ts';
import type { Instant } from '../domain/property-time.ts';
import type { Property } from '../domain/property.ts';
import type { Reservation, ReservationStatus } from '../domain/reservation.ts';
import type { Page, PagePosition } from './page.ts';

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
