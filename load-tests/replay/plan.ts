import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Code } from '../../src/kernel/rules/domain-error.ts';
import type { RealBooking } from './bookings.ts';
import { foreseenRejections } from './expectation.ts';
import { type InferredType, inferTypes, roomNumbers } from './hotel.ts';
import { type PricePeriod, pricePeriods } from './prices.ts';
import { type Amendment, asRecorded, type Story, storyOf } from './story.ts';

/** Nights that the replayed property sells ahead: the file needs 806 and a day. */
export const HORIZON_NIGHTS = 900;

/** Longest period of one `PUT /rates/base` (docs/reference/rates.md#base-rates). */
const LONGEST_PERIOD = 731;

/** A booking with its outcome, in the calendar of the replay. */
export type PlannedBooking = {
  booking: RealBooking;
  story: Story;
  arrival: Day;
  /** Empty when only a lack of rooms may refuse it. */
  foreseen: ReadonlySet<Code>;
};

/** One request of the replay; `day` is in the calendar of the replay and only orders. */
export type PlannedEvent = { day: Day; planned: PlannedBooking } & (
  | { kind: 'create' | 'cancel' }
  | { kind: 'amend'; amendment: Amendment }
);

export type Plan = {
  types: InferredType[];
  rooms: { roomNumber: string; roomType: string; floor: number }[];
  prices: PricePeriod[];
  bookings: PlannedBooking[];
  events: PlannedEvent[];
  /** Nights that the replay prices and audits, both ends inclusive. */
  firstNight: Day;
  lastNight: Day;
};

/**
 * Turns the file into a hotel and an ordered list of requests. Deterministic.
 * @param today business date of the property; the first arrival of the file becomes the day after
 * @param limit number of played rows; the hotel is always inferred from all of them
 */
export function planReplay(bookings: readonly RealBooking[], today: Day, limit = bookings.length): Plan {
  const firstArrival = bookings.reduce((first, booking) => Math.min(first, booking.arrival), Infinity);
  if (firstArrival === Infinity) throw new Error('the file has no bookings');
  const shift = today + 1 - firstArrival;
  const types = inferTypes(bookings);
  const byCode = new Map(types.map((type) => [type.roomType, type]));
  const planned = bookings.slice(0, limit).map((booking) => planBooking(booking, shift, byCode));
  const lastNight = today + HORIZON_NIGHTS - 1;
  const fileNights = { first: today - shift, last: lastNight - shift, longest: LONGEST_PERIOD };
  return {
    types,
    rooms: roomNumbers(types),
    prices: types.flatMap(({ roomType }) =>
      pricePeriods(bookings, roomType, fileNights).map((period) => ({
        ...period,
        start: period.start + shift,
        end: period.end + shift,
      })),
    ),
    bookings: planned,
    events: planned.flatMap((booking) => eventsOf(booking, shift)).toSorted(byDayThenKind),
    firstNight: today,
    lastNight,
  };
}

function planBooking(booking: RealBooking, shift: number, types: ReadonlyMap<string, InferredType>): PlannedBooking {
  const foreseen = foreseenRejections(booking, types);
  const story = foreseen.size > 0 ? asRecorded(booking) : storyOf(booking);
  return { booking, story, arrival: booking.arrival + shift, foreseen };
}

/**
 * Created `leadDays` before arrival, cancelled on the recorded day, amendments spread evenly between creation and the
 * day on which the booking ended or its guest arrived.
 */
function eventsOf(planned: PlannedBooking, shift: number): PlannedEvent[] {
  const { booking, story, arrival } = planned;
  const created = arrival - booking.leadDays;
  const cancelled = booking.outcome === 'Canceled' ? Math.max(created, booking.outcomeDay + shift) : undefined;
  const ended = Math.max(created, Math.min(arrival, cancelled ?? arrival));
  const gap = (ended - created) / (story.amendments.length + 1);
  return [
    { day: created, kind: 'create', planned },
    ...story.amendments.map((amendment, index): PlannedEvent => {
      return { day: created + Math.floor(gap * (index + 1)), kind: 'amend', planned, amendment };
    }),
    ...(cancelled === undefined ? [] : [{ day: cancelled, kind: 'cancel', planned } as const]),
  ];
}

const ORDER = { create: 0, amend: 1, cancel: 2 } as const;

/** The file has days, no hours: within a day first creations, then changes, then ends. */
function byDayThenKind(one: PlannedEvent, other: PlannedEvent): number {
  return (
    one.day - other.day || ORDER[one.kind] - ORDER[other.kind] || one.planned.booking.row - other.planned.booking.row
  );
}
