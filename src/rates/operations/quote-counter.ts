import type { PropertyView } from '../../kernel/property-actors.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { isSandbox } from '../../kernel/rules/sandbox-id.ts';
import type { StayDays } from '../../kernel/rules/stay-days.ts';
import type { QuotedRate } from '../rules/queries.ts';
import { type Party, stayKey } from '../rules/stay.ts';

/** Different searches of a minute; further ones are not counted. */
const MAX_SEARCHES = 20_000;

/** Different stays and prices of a minute; further ones are not counted. */
const MAX_STAYS = 50_000;

/** A stay at a price, as often as it was shown and booked since the counts were taken. */
export type CountedStay = {
  roomType: string;
  arrival: Day;
  nights: number;
  /** Business date of the quote. */
  on: Day;
  /** Mean BAR price of its nights. */
  price: Minor;
  shown: number;
  booked: number;
};

/** Counts of a property, with its newest view, by which its usual prices are found. */
export type CountedProperty = { to: Address; view: PropertyView; stays: Map<string, CountedStay> };

/**
 * Counts quotes and bookings of this node in memory (docs/concepts/forecast.md#counted-quotes). A search that a
 * subject repeats before the counts are taken counts once, however often and under however many plans it is quoted.
 * Nothing of a guest remains: subjects are only in the keys of this minute.
 */
export class QuoteCounter {
  #searches = new Map<string, Set<string>>();
  #properties = new Map<string, CountedProperty>();
  #stays = 0;
  /** Quotes that were not counted because the minute had too many. */
  uncounted = 0;

  /** Counts what an answer has shown: each room type that can be booked. */
  shown(
    subject: string,
    to: Address,
    view: PropertyView,
    stay: Party & StayDays,
    rates: readonly Pick<QuotedRate, 'roomType' | 'bookable'>[],
  ): void {
    if (stay.dayUse || isSandbox(to.propertyId)) return;
    const key = `${subject} ${to.tenantId} ${to.propertyId} ${stayKey(stay)}`;
    let types = this.#searches.get(key);
    if (!types) {
      if (this.#searches.size >= MAX_SEARCHES) {
        this.uncounted += 1;
        return;
      }
      this.#searches.set(key, (types = new Set()));
    }
    for (const { roomType, bookable } of rates) {
      if (!bookable || types.has(roomType)) continue;
      types.add(roomType);
      const counted = this.#counted(to, view, stay, roomType);
      if (counted) counted.shown += 1;
    }
  }

  /** Counts a booking. @param view as it was before the booking, so that the price is that of the quote */
  booked(to: Address, view: PropertyView, stay: StayDays & { roomType: string }): void {
    if (stay.dayUse || isSandbox(to.propertyId)) return;
    const counted = this.#counted(to, view, stay, stay.roomType);
    if (counted) counted.booked += 1;
  }

  /** The counts since the last call, which begin anew. */
  take(): CountedProperty[] {
    const taken = [...this.#properties.values()];
    this.#searches = new Map();
    this.#properties = new Map();
    this.#stays = 0;
    return taken;
  }

  #counted(
    to: Address,
    view: PropertyView,
    { checkIn, checkOut }: StayDays,
    roomType: string,
  ): CountedStay | undefined {
    const price = meanPrice(view, roomType, checkIn, checkOut);
    if (price === undefined) return undefined;
    const ofProperty = addressKey(to);
    let property = this.#properties.get(ofProperty);
    if (!property) this.#properties.set(ofProperty, (property = { to, view, stays: new Map() }));
    property.view = view;
    const key = `${checkIn} ${checkOut} ${price} ${view.businessDate} ${roomType}`;
    let stay = property.stays.get(key);
    if (stay) return stay;
    if (this.#stays >= MAX_STAYS) {
      this.uncounted += 1;
      return undefined;
    }
    this.#stays += 1;
    const nights = checkOut - checkIn;
    stay = { roomType, arrival: checkIn, nights, on: view.businessDate, price, shown: 0, booked: 0 };
    property.stays.set(key, stay);
    return stay;
  }
}

/** Mean BAR price of the nights: plans follow it. None where a night has no price. */
function meanPrice(view: PropertyView, roomType: string, checkIn: Day, checkOut: Day): Minor | undefined {
  const cells = view.grid(checkIn, checkOut - 1, roomType);
  let total = 0;
  for (const { rate } of cells) {
    if (!rate) return undefined;
    total += rate;
  }
  return cells.length < checkOut - checkIn ? undefined : Math.round(total / cells.length);
}
