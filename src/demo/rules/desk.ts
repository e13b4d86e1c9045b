import { type Day, dayOf } from '../../kernel/rules/dates.ts';
import { type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { isDemoGuest } from './guests.ts';

/** What the desk sees of a stay in a list of the service. */
export type DeskStay = {
  reservationId: string;
  guestInfo: { email: string };
  stayDetails: { checkIn: string; checkOut: string; rateCode?: string };
  source?: { channel?: string };
};

/** A room that waits for housekeeping. */
export type WaitingTask = { taskId: string; createdAt: string };

/** One thing that the desk does next. */
export type DeskAct = { kind: 'CHECK_OUT' | 'CHECK_IN' | 'NO_SHOW' | 'CLEAN'; id: string };

export type DeskView = { inHouse: readonly DeskStay[]; arriving: readonly DeskStay[]; tasks: readonly WaitingTask[] };

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Time after which a room is cleaned. */
const CLEANED_MS = 40 * MINUTE_MS;
/** Hours in which guests leave and arrive; who pays at the hotel has the room until 18:00. */
const LEAVING = [6, 11] as const;
const ARRIVING = [13, 23] as const;
const ARRIVING_UNPAID = [13, 17.8] as const;
/** One of so many paid guests does not come, and is given up late in the evening. */
const NO_SHOW_OF = 60;
const GIVEN_UP_HOUR = 23.5;

/**
 * What the desk has to do by a time: who leaves, who arrives, who does not come, and which rooms are cleaned. Only
 * guests of the demo: those of a visitor are his own. Times follow from the ids, so that a restart changes nothing.
 */
export function dueActs(
  { inHouse, arriving, tasks }: DeskView,
  { at, today, timezone }: { at: Instant; today: Day; timezone: string },
): DeskAct[] {
  const midnight = instantAt(today, '00:00', timezone);
  const hours = (at - midnight) / HOUR_MS;
  const own = (stays: readonly DeskStay[]): DeskStay[] =>
    stays.filter(({ guestInfo: { email } }) => isDemoGuest(email));
  const leaves = own(inHouse).filter(({ reservationId, stayDetails: { checkOut } }) => {
    const day = dayOf(checkOut);
    return day < today || (day === today && hours >= within(LEAVING, reservationId));
  });
  const awaited = own(arriving).filter(({ stayDetails: { checkIn } }) => dayOf(checkIn) === today);
  const arrives = awaited.filter(
    (stay) => !isNoShow(stay) && hours >= within(isUnpaid(stay) ? ARRIVING_UNPAID : ARRIVING, stay.reservationId),
  );
  const missing = hours >= GIVEN_UP_HOUR ? awaited.filter(isNoShow) : [];
  const dirty = tasks.filter(({ createdAt }) => Date.parse(createdAt) + CLEANED_MS <= at);
  return [
    ...leaves.map(({ reservationId: id }) => ({ kind: 'CHECK_OUT' as const, id })),
    ...dirty.map(({ taskId: id }) => ({ kind: 'CLEAN' as const, id })),
    ...arrives.map(({ reservationId: id }) => ({ kind: 'CHECK_IN' as const, id })),
    ...missing.map(({ reservationId: id }) => ({ kind: 'NO_SHOW' as const, id })),
  ];
}

const isUnpaid = ({ stayDetails: { rateCode } }: DeskStay): boolean => rateCode === 'HOTEL';

/** Nobody owes a penalty who has paid, or whose channel pays. */
function isNoShow({ reservationId, stayDetails: { rateCode }, source }: DeskStay): boolean {
  const isPaid = rateCode === 'NRF' || source?.channel === 'OTA';
  return isPaid && Math.floor(chance(reservationId, 7) * NO_SHOW_OF) === 0;
}

const within = ([from, to]: readonly [number, number], id: string): number => from + (to - from) * chance(id, 3);

/** A number from 0 to 1 that belongs to an id. */
function chance(id: string, salt: number): number {
  let mixed = salt;
  for (const character of id) mixed = (Math.imul(mixed, 31) + character.charCodeAt(0)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) >>> 0;
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 0x1_0000_0000;
}
