import { textsOf } from '../language/texts.ts';

const say = textsOf('palette');

/** Texts of the command palette. */
export const palette = {
  field: say('Page, property, date, guest, confirmation number or command'),
  hint: say('Page, date, guest, command'),
  list: say('Results'),
  groups: {
    commands: say('Commands'),
    dates: say('Dates'),
    pages: say('Pages'),
    properties: say('Properties'),
    stays: say('Stays'),
    guests: say('Guests'),
  },
  count: (found: number): string => say('{found, plural, one {# result} other {# results}}', { found }),
  looking: say('Looking for guests and stays…'),
  nothing: say('Nothing is found. Try a page, a date such as tomorrow, or half a name.'),
  keys: say('Arrows choose, Enter opens, Escape closes.'),
  close: say('Close'),
  deskOn: (day: string): string => say('Front desk on {day}', { day }),
  ratesFrom: (day: string): string => say('Rates from {day}', { day }),
  newReservation: say('New reservation'),
  walkIn: say('Walk-in'),
  chart: (name: string): string => say('Chart: {name}', { name }),
  theme: (name: string): string => say('Appearance: {name}', { name }),
  profile: say('Profile'),
  stay: (status: string, dates: string, year: string, property: string): string =>
    [`${status} · ${dates}, ${year}`, property].filter((part) => part !== '').join(' · '),
};
