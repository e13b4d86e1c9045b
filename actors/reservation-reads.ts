import type { Address } from '../src/kernel/rules/caller.ts';
import type { ReservationId } from '../src/kernel/rules/ids.ts';
import { MoneyFault, moneyFault } from '../src/money/rules/money-fault.ts';
import type { PropertyStore } from '../src/property-store/ports.ts';
import type { Reservation } from '../src/stay/rules/reservation.ts';
import { READS_AT_ONCE } from './limits.ts';
import type { Table } from './property/overlay.ts';

type Options = {
  to: Address;
  store: Pick<PropertyStore, 'reservation'>;
  /** Reservations in memory; the same table throughout the life of the actor. */
  reservations: () => Table<Reservation>;
  /** Rejects rows that were written under another epoch. */
  checkEpoch: (epoch: number) => void;
  /** Called when the amounts of a reservation are inconsistent. */
  violated?: () => void;
};

/** Reads reservations that commands need and that are not in memory. */
export class ReservationReads {
  readonly #options: Options;
  /** Those that are being read; a commit that changes one makes what is read old. */
  readonly #underWay = new Set<{ id: ReservationId; old: boolean }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Ids of reservations that are not in memory. */
  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.#options.reservations().get(id));
  }

  /**
   * Reads reservations into memory; ids that the property does not have are skipped.
   * @throws MoneyFault, DomainError
   */
  async fetch(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += READS_AT_ONCE)
      await Promise.all(ids.slice(from, from + READS_AT_ONCE).map((id) => this.#read(id)));
  }

  /** A commit has changed this reservation. */
  outdate(id: ReservationId): void {
    for (const read of this.#underWay) if (read.id === id) read.old = true;
  }

  async #read(id: ReservationId): Promise<void> {
    const { to, store, reservations, checkEpoch } = this.#options;
    // Repeats a read that a commit has made outdated.
    for (let done = false; !done && !reservations().get(id);) {
      const read = { id, old: false };
      this.#underWay.add(read);
      const found = await store.reservation(to, id).finally(() => this.#underWay.delete(read));
      done = !read.old;
      if (!found || read.old) continue;
      checkEpoch(found.epoch);
      this.#checkMoney(found.reservation);
      reservations().set(id, found.reservation);
    }
  }

  /** Rejects a reservation with inconsistent amounts: nothing may be decided on it. @throws MoneyFault */
  #checkMoney(reservation: Reservation): void {
    const wrong = moneyFault(reservation);
    if (wrong === undefined) return;
    this.#options.violated?.();
    throw new MoneyFault(wrong);
  }
}
