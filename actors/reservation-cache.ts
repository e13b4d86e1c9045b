import { LRUCache } from 'lru-cache';

import type { Reservation } from '../src/stay/rules/reservation.ts';
import { CACHED_RESERVATIONS } from './limits.ts';
import type { Table } from './property/overlay.ts';

/** Reservations of one property: the PENDING ones always (their hold may run out any moment), others while used. */
export class ReservationCache implements Table<Reservation> {
  readonly #pending = new Map<string, Reservation>();
  /**
   * Made when needed: an empty one takes more than the nights of a small property, and most properties only answer
   * quotes.
   */
  #others: LRUCache<string, Reservation> | undefined;

  get(id: string): Reservation | undefined {
    return this.#pending.get(id) ?? this.#others?.get(id);
  }

  set(id: string, reservation: Reservation): void {
    this.delete(id);
    if (reservation.status === 'PENDING') this.#pending.set(id, reservation);
    else (this.#others ??= new LRUCache({ max: CACHED_RESERVATIONS })).set(id, reservation);
  }

  delete(id: string): void {
    this.#pending.delete(id);
    this.#others?.delete(id);
  }
}
