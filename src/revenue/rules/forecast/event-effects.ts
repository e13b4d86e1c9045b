import type { Day } from '../../../kernel/rules/dates.ts';
import { mean } from '../../../kernel/rules/figures.ts';
import type { CalendarEvent, EventEffect } from '../../../rates/rules/calendar-event.ts';
import { bookedBetween } from '../../../rates/rules/demand-model.ts';

/** What a forecast knows of an event of the calendar. */
export type ForecastEvent = Pick<CalendarEvent, 'name' | 'firstNight' | 'lastNight' | 'effect'>;

/** How much an event adds to a night: learnt from earlier nights of the event, or stated by the user. */
export const EVENT_BASES = ['learnt', 'stated'] as const;

/** `rooms` are those that are not on the books yet, negative where earlier nights ended with fewer than usual. */
export type EventOfNight = { name: string; rooms: number; basis: (typeof EVENT_BASES)[number] };

/** By how much the rooms of a night differed from what had been expected of it so many days before. */
type NightOff = { night: Day; off: number };

/** An event of a night, and the standard deviation of its rooms. */
type Added = { event: EventOfNight; deviation: number };

/** Rooms that a stated effect brings, relative to a usual night, while none of them is booked. */
const STATED: Readonly<Record<EventEffect, number>> = { LOW: 0.05, MEDIUM: 0.1, HIGH: 0.2 };
/** Relative uncertainty of a stated effect. */
const STATED_DOUBT = 0.5;
/** Minimum of earlier nights to learn from. */
const LEAST_NIGHTS = 2;

/**
 * The events of a property that a forecast reads. Of several on one night, the one with the largest effect counts.
 * @param today earlier events end before it
 */
export class EventEffects {
  readonly #events: readonly ForecastEvent[];
  readonly #today: Day;

  constructor(events: readonly ForecastEvent[], today: Day) {
    this.#events = events;
    this.#today = today;
  }

  /**
   * @param usual rooms of a usual night
   * @param lead days before the night
   * @param learned nights that have passed, forecast from the same lead; read only where an event covers the night
   */
  at(night: Day, usual: number, lead: number, learned: () => readonly NightOff[]): Added | undefined {
    const covering = this.#events.filter((event) => covers(event, night));
    if (covering.length === 0) return undefined;
    const nights = learned();
    return covering
      .map((event) => this.#learnt(event, nights) ?? stated(event, usual, lead))
      .reduce((one, other) => (Math.abs(other.event.rooms) > Math.abs(one.event.rooms) ? other : one));
  }

  /**
   * The mean of its earlier nights, the closer to 0 the less certain it is: its share is mean^2 / (mean^2 + variance).
   */
  #learnt(event: ForecastEvent, nights: readonly NightOff[]): Added | undefined {
    const earlier = this.#events.filter((one) => one.lastNight < this.#today && isSame(one, event));
    const offs = nights.filter(({ night }) => earlier.some((one) => covers(one, night))).map(({ off }) => off);
    if (offs.length < LEAST_NIGHTS) return undefined;
    const middle = mean(offs);
    const own = (offs.length / (offs.length - 1)) * mean(offs.map((off) => (off - middle) ** 2));
    // Few nights alike by chance are no more certain than nights in general.
    const variance = Math.max(own, mean(nights.map(({ off }) => off ** 2))) / offs.length;
    const square = middle * middle;
    const rooms = square === 0 ? 0 : (middle * square) / (square + variance);
    return { event: { name: event.name, rooms, basis: 'learnt' }, deviation: Math.sqrt(variance) };
  }
}

function stated({ name, effect }: ForecastEvent, usual: number, lead: number): Added {
  const rooms = STATED[effect] * usual * bookedBetween(0, lead);
  return { event: { name, rooms, basis: 'stated' }, deviation: STATED_DOUBT * rooms };
}

function covers({ firstNight, lastNight }: ForecastEvent, night: Day): boolean {
  return firstNight <= night && night <= lastNight;
}

/** The same event of another year: names may differ in the year, in case and in space. */
function isSame(one: ForecastEvent, other: ForecastEvent): boolean {
  return plain(one.name) === plain(other.name);
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/\b(?:19|20)\d\d\b/gu, '')
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim();
