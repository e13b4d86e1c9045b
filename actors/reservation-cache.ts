import { LRUCache } from 'lru-cache';

import type { ReservationId } from '../src/kernel/rules/ids.ts';
import type { Reservation } from '../src/stay/rules/reservation.ts';
import { CACHED_RESERVATIONS } from './limits.ts';
import type { Table } from './property/overlay.ts';

/** Reservations of one property: PENDING ones always (their hold may expire any moment), others while in use. */
export class ReservationCache implements Table<Reservation> {
  readonly #pending = new Map<string, Reservation>();
  /**
   * Created when needed: an empty cache takes more memory than the nights of a small property, and most properties
   * only answer quotes.
   */
  #others: LRUCache<string, Reservation> | undefined;

  get(id: ReservationId): Reservation | undefined {
    return this.#pending.get(id) ?? this.#others?.get(id);
  }

  set(id: ReservationId, reservation: Reservation): void {
    this.delete(id);
    if (reservation.status === 'PENDING') this.#pending.set(id, reservation);
    else (this.#others ??= new LRUCache({ max: CACHED_RESERVATIONS })).set(id, reservation);
  }

  delete(id: ReservationId): void {
    this.#pending.delete(id);
    this.#others?.delete(id);
  }
}
