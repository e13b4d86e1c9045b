import type { Address } from '../src/kernel/rules/caller.ts';
import { MoneyFault, moneyFault } from '../src/money/rules/money-fault.ts';
import type { PropertyStore } from '../src/property-store/ports.ts';
import type { Reservation } from '../src/stay/rules/reservation.ts';
import { READS_AT_ONCE } from './limits.ts';
import type { Table } from './property/overlay.ts';

type Options = {
  to: Address;
  store: Pick<PropertyStore, 'reservation'>;
  /** Reservations in memory; the same table as long as the actor lives. */
  reservations: () => Table<Reservation>;
  /** Refuses what was written under another epoch than ours. */
  checkEpoch: (epoch: number) => void;
  /** Called when the money of a reservation does not add up. */
  violated?: () => void;
};

/** Reads reservations that a command needs and that are not in memory. */
export class ReservationReads {
  readonly #options: Options;
  /** Those that are being read; a commit that changes one makes what is read old. */
  readonly #underWay = new Set<{ id: string; old: boolean }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Those of `ids` that are not in memory. */
  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.#options.reservations().get(id));
  }

  /**
   * Brings reservations into memory; those that the property does not have stay away. @throws MoneyFault, DomainError
   */
  async fetch(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += READS_AT_ONCE)
      await Promise.all(ids.slice(from, from + READS_AT_ONCE).map((id) => this.#read(id)));
  }

  /** A commit has changed this reservation. */
  outdate(id: string): void {
    for (const read of this.#underWay) if (read.id === id) read.old = true;
  }

  async #read(id: string): Promise<void> {
    const { to, store, reservations, checkEpoch } = this.#options;
    // What was read before a commit that changes the reservation is old when it comes.
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

  /** Nothing is decided on money that does not add up. @throws MoneyFault */
  #checkMoney(reservation: Reservation): void {
    const wrong = moneyFault(reservation);
    if (wrong === undefined) return;
    this.#options.violated?.();
    throw new MoneyFault(wrong);
  }
}
