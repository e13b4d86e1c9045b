import { mediumDay } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import type { BoardStay } from '../shapes.ts';

const say = textsOf('front-desk-search');

const STATUSES: Record<string, string> = {
  PENDING: say('Not confirmed'),
  CONFIRMED: say('Booked'),
  CHECKED_IN: say('In house'),
  CHECKED_OUT: say('Has left'),
  CANCELLED: say('Cancelled'),
  NO_SHOW: say('No-show'),
};

/** Texts of the search for stays. */
export const search = {
  label: say('Name, room or confirmation number'),
  hint: say('Find a guest, room or number'),
  results: (count: number): string => say('{count, plural, one {# stay found} other {# stays found}}', { count }),
  looking: say('Looking at other days…'),
  nothing: say(
    'Nobody is found. Half a name or a whole confirmation number is enough; rooms are found on the shown days.',
  ),
  /** With the year: stays of all years are found. */
  line: ({ status, checkIn, checkOut }: BoardStay): string =>
    `${STATUSES[status] ?? status} · ${mediumDay(checkIn)} – ${mediumDay(checkOut)}, ${checkOut.slice(0, 4)}`,
};
