import type { Reservation } from '../domain/reservation.ts';

/** Reads one reservation as it was last committed. */
export interface StoredReservations {
  get(tenantId: string, id: string): Promise<Reservation | undefined>;
}
