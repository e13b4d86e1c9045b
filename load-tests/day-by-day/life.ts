import type { Day } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { RealBooking } from '../replay/bookings.ts';
import type { Plan, PlannedBooking } from '../replay/plan.ts';
import type { Terms } from '../replay/requests.ts';
import type { Amendment } from '../replay/story.ts';

export const DAY_KINDS = ['create', 'pay', 'amend', 'cancel', 'noShow', 'checkIn', 'checkOut'] as const;
export type DayKind = (typeof DAY_KINDS)[number];

/**
 * Payment of a booking: with a card at once; in parts, the rest on the day of departure; the rest never, so that the
 * check-out is forced; or not at all, so that it expires.
 */
export type Manner = 'CARD' | 'IN_PARTS' | 'OWED' | 'NEVER';

/**
 * Purpose of a payment: half of the price of a booking without a card, again after an amendment; the addition of an
 * amendment; or the rest.
 */
export type Purpose = 'DEPOSIT' | 'ADDITION' | 'REST';

/** One request of a simulated day. */
export type DayEvent = { day: Day; planned: PlannedBooking } & (
  | { kind: 'create' }
  | { kind: 'noShow' | 'checkIn' | 'checkOut' }
  | { kind: 'cancel'; refundRequested: boolean }
  | { kind: 'amend'; amendment: Amendment }
  | { kind: 'pay'; purpose: Purpose }
);

/** Departures come first: their rooms are cleaned for arrivals. */
export type SimulatedDay = { day: Day; departures: DayEvent[]; others: DayEvent[] };

/**
 * The days of the replay from the first one on, including days without events: work that falls due by itself comes with
 * the day. Deterministic.
 * @param days number of days; by default until the last guest has left
 */
export function simulatedDays(plan: Plan, days = Infinity): SimulatedDay[] {
  const { firstNight } = plan;
  const events = plan.bookings.flatMap((planned) => lifeOf(planned, firstNight));
  const last = events.reduce((latest, { day }) => Math.max(latest, day), firstNight);
  const count = Math.min(days, last - firstNight + 1);
  const simulatedDays = Array.from({ length: count }, (_, index): SimulatedDay => {
    return { day: firstNight + index, departures: [], others: [] };
  });
  for (const event of events)
    simulatedDays[event.day - firstNight]?.[isDeparture(event) ? 'departures' : 'others'].push(event);
  return simulatedDays;
}

/** Events of a booking in order. A booking that the service will reject has none. */
function lifeOf(planned: PlannedBooking, first: Day): DayEvent[] {
  const { booking, story, arrival, foreseen } = planned;
  const created = Math.max(first, arrival - booking.leadDays);
  const booked: DayEvent = { day: created, kind: 'create', planned };
  if (foreseen.size > 0) return [booked];
  const manner = mannerOf(booking);
  const ended = booking.outcome === 'Canceled' ? endOf(planned, created) : arrival;
  const gap = (ended - created) / (story.amendments.length + 1);
  return [
    booked,
    ...(isPaidInParts(manner) ? [{ day: created, kind: 'pay', purpose: 'DEPOSIT', planned } as const] : []),
    ...story.amendments.flatMap((amendment, index): DayEvent[] => {
      const day = created + Math.floor(gap * (index + 1));
      const amended: DayEvent = { day, kind: 'amend', planned, amendment };
      // Without a card on file a deposit that an amendment has made too small cancels the booking some days later.
      return isPaidInParts(manner) ? [amended, { day, kind: 'pay', purpose: 'DEPOSIT', planned }] : [amended];
    }),
    ...endingOf(planned, ended, manner),
  ];
}

function endingOf(planned: PlannedBooking, ended: Day, manner: Manner): DayEvent[] {
  const { booking, story, arrival } = planned;
  const { row, outcome } = booking;
  if (outcome === 'Canceled') return [{ day: ended, kind: 'cancel', planned, refundRequested: row % 7 !== 0 }];
  // Most no-shows are left to the roll of the business date.
  if (outcome === 'No-Show') return row % 10 === 0 ? [{ day: arrival, kind: 'noShow', planned }] : [];
  const departure = Math.max(arrival + 1, endOf(planned, arrival));
  const additions = manner === 'CARD' && story.amendments.length > 0 && row % 2 === 0;
  return [
    ...(additions ? [{ day: arrival, kind: 'pay', purpose: 'ADDITION', planned } as const] : []),
    { day: arrival, kind: 'checkIn', planned },
    ...(manner === 'IN_PARTS' ? [{ day: departure, kind: 'pay', purpose: 'REST', planned } as const] : []),
    { day: departure, kind: 'checkOut', planned },
  ];
}

/** The day of the outcome: a cancel comes on the arrival day at the latest, after that it is a no-show. */
function endOf({ booking, arrival }: PlannedBooking, created: Day): Day {
  const day = booking.outcomeDay + (arrival - booking.arrival);
  return booking.outcome === 'Canceled' ? Math.max(created, Math.min(arrival, day)) : day;
}

function isDeparture({ kind, ...event }: DayEvent): boolean {
  return kind === 'checkOut' || ('purpose' in event && event.purpose === 'REST');
}

/** By the deposit in the file; most of those without one have a card. */
export function mannerOf({ row, deposit }: Pick<RealBooking, 'row' | 'deposit'>): Manner {
  if (deposit === 'Non Refund') return 'CARD';
  if (deposit === 'Refundable') return 'IN_PARTS';
  const place = row % 80;
  if (place < 6) return 'IN_PARTS';
  if (place < 8) return 'OWED';
  return place === 8 ? 'NEVER' : 'CARD';
}

function isPaidInParts(manner: Manner): boolean {
  return manner === 'IN_PARTS' || manner === 'OWED';
}

/** A non-refundable rate for a non-refundable deposit. */
export function termsOf(booking: Pick<RealBooking, 'row' | 'deposit'>): Terms {
  return {
    rateCode: booking.deposit === 'Non Refund' ? 'NRF' : 'BAR',
    byCard: mannerOf(booking) === 'CARD',
  };
}

/** Charges at the desk beside the nights: a guest who pays in parts has no card for more. */
export function finalCharges(
  booking: Pick<RealBooking, 'row' | 'deposit'>,
): { description: string; amount: Minor }[] {
  const { row } = booking;
  const manner = mannerOf(booking);
  return [
    ...(row % 3 === 0 && manner !== 'IN_PARTS'
      ? [{ description: 'Minibar', amount: 350 + ((row * 37) % 2900) }]
      : []),
    ...(row % 11 === 0 ? [{ description: 'Complaint', amount: -(100 + (row % 400)) }] : []),
  ];
}
