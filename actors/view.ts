import type { Day } from '../src/domain/dates.ts';
import type { GridCell, PropertySetup, Quote, QuoteQuery } from '../src/domain/queries.ts';
import type { PropertyView } from '../src/ports/properties.ts';
import { BAR } from './property/draft.ts';
import { nightUnder, quote } from './property/quote.ts';
import { type State, windowNights } from './property/state.ts';

/** One committed state of a property, read without queueing (architecture.md 3, "Reads never queue"). */
export class CommittedView implements PropertyView {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get seq(): number {
    return this.#state.seq;
  }

  get generation(): number {
    return this.#state.generation;
  }

  get at(): number {
    return this.#state.at;
  }

  get businessDate(): Day {
    return this.#state.today;
  }

  get currency(): string {
    return this.#state.property!.metadata.currency;
  }

  get lastNight(): Day {
    return this.#state.today + windowNights(this.#state.property!) - 1;
  }

  get setup(): PropertySetup {
    const { property, roomTypes, rooms, plans } = this.#state;
    return {
      property: property!,
      roomTypes: [...roomTypes.values()],
      rooms: [...rooms.values()],
      plans: [...plans.values()],
    };
  }

  quote(query: QuoteQuery): Quote {
    return quote(this.#state, query);
  }

  grid(start: Day, end: Day, roomType?: string): GridCell[] {
    const cells: GridCell[] = [];
    const { slabs, plans, property } = this.#state;
    const { policies } = property!.metadata;
    const plan = plans.get(BAR);
    for (const [type, slab] of slabs) {
      if (roomType !== undefined && roomType !== type) continue;
      for (let day = Math.max(start, slab.first); day <= end && slab.has(day); day++) {
        const free = slab.free(day, policies.overbookingLimit);
        cells.push({
          roomType: type,
          day,
          total: slab.total(day),
          booked: slab.count(day, 'booked'),
          held: slab.count(day, 'held'),
          blocked: slab.blocked(day),
          available: Math.max(0, free),
          rate: plan && slab.base(day) >= 0 ? nightUnder(slab, day, plan, policies).rate : null,
        });
      }
    }
    return cells;
  }
}
