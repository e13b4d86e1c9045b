import type { DemandBelief } from './demand-belief.ts';
import { MARGIN } from './demand-scenario.ts';
import type { SimulatedProperty, SimulatedStay } from './demand-simulator.ts';
import { demandLevel } from './live-prices/demand-level.ts';

/** How demand compares with its forecast, by week of arrival: as bookings say that have come. */
export class WeekLevels {
  readonly #property: SimulatedProperty;
  readonly #belief: DemandBelief;
  /** Rooms booked and expected by week of arrival. */
  readonly #booked: Float64Array;
  readonly #expected: Float64Array;
  #isOpen = false;

  constructor(property: SimulatedProperty, belief: DemandBelief) {
    this.#property = property;
    this.#belief = belief;
    const weeks = Math.ceil((belief.nights + MARGIN) / 7) + 1;
    this.#booked = new Float64Array(weeks);
    this.#expected = new Float64Array(weeks);
  }

  /** Reads what was expected until a morning. */
  wake(day: number): void {
    if (this.#isOpen) this.#expect(day);
    else this.#startFromBooks(day);
    this.#isOpen = true;
  }

  /** Counts a booking as so many rooms. */
  add({ arrival }: SimulatedStay, rooms: number): void {
    this.#booked[weekOf(arrival)]! += rooms;
  }

  /** Demand of an arrival as a part of its forecast. */
  of(arrival: number): number {
    const week = weekOf(arrival);
    return demandLevel(this.#booked[week]!, this.#expected[week]!);
  }

  /** Rooms that were expected to be booked yesterday, where any were left. */
  #expect(day: number): void {
    const belief = this.#belief;
    for (const type of this.#property.scenario.hotel.roomTypes.keys())
      for (let arrival = Math.max(0, day - 1); arrival < belief.nights; arrival++) {
        const lead = arrival - day + 1;
        const share = belief.bookedWithin[lead + 1]! - belief.bookedWithin[lead]!;
        if (share <= 0) continue;
        const open = belief.fitting(arrival, (nights) =>
          this.#property.hasRoom({ type, arrival, nights, rooms: 1, day }),
        );
        this.#expected[weekOf(arrival)]! += belief.grossAt(type, arrival) * share * open;
      }
  }

  /** Until the first day all nights were sold at the base rates. */
  #startFromBooks(day: number): void {
    for (const { guest } of this.#property.bookings)
      if (guest.arrival >= 0) this.#booked[weekOf(guest.arrival)]! += guest.rooms;
    for (const type of this.#property.scenario.hotel.roomTypes.keys())
      for (let arrival = 0; arrival < this.#belief.nights; arrival++)
        this.#expected[weekOf(arrival)]! += this.#belief.onTheBooks(type, arrival, day);
  }
}

function weekOf(arrival: number): number {
  return Math.floor((arrival + MARGIN) / 7);
}
