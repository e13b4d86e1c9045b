import { type NightRange, type PlanRoom, type PlanStay, shareNights } from './room-plan.ts';
import { wishes } from './room-wishes.ts';

/** Whether a door connects two rooms. */
export const connects = (one: PlanRoom, other: PlanRoom): boolean =>
  one.connectsTo?.includes(other.roomNumber) === true;

/** Stays of one booking or group that wish connecting rooms, by each of them. */
export class Parties {
  readonly #byParty = new Map<string, PlanStay[]>();

  constructor(stays: Iterable<PlanStay>) {
    for (const stay of stays) {
      if (!wishes(stay, 'CONNECTING')) continue;
      for (const party of stay.parties ?? []) {
        const known = this.#byParty.get(party);
        if (known) known.push(stay);
        else this.#byParty.set(party, [stay]);
      }
    }
    for (const stays of this.#byParty.values()) stays.sort((a, b) => (a.reservationId < b.reservationId ? -1 : 1));
  }

  /** Others that wish rooms connecting with that of the stay, and share a night with it. */
  partnersOf(stay: PlanStay, nightsOf: (stay: PlanStay) => NightRange): PlanStay[] {
    if (!wishes(stay, 'CONNECTING')) return [];
    const nights = nightsOf(stay);
    const all = new Set((stay.parties ?? []).flatMap((party) => this.#byParty.get(party) ?? []));
    return [...all].filter((one) => one.reservationId !== stay.reservationId && shareNights(nightsOf(one), nights));
  }
}
