import { textsOf } from '../language/texts.ts';
import { inTenths } from '../messages.ts';

const say = textsOf('properties');

/** Texts of the page over all properties. */
export const fleet = {
  title: say('All properties'),
  caption: say('Each property tonight and in the nights to come, as it is this second'),
  columns: {
    name: say('Property'),
    occupancy: say('Occupancy'),
    adr: 'ADR',
    revPar: say('RevPAR'),
    pickup: say('Pickup'),
    alerts: say('Alerts'),
  },
  spark: say('Next 30 nights'),
  units: (count: number, nights: string): string =>
    say('Occupancy, ADR and RevPAR of tonight; pickup in room nights and alerts for {count} nights, {nights}.', {
      count,
      nights,
    }),
  filter: say('Filter by name'),
  found: (shown: number, all: number): string =>
    shown === all ? say('{all} properties', { all }) : say('{shown} of {all} properties', { shown, all }),
  noneFound: say('No property has this in its name.'),
  none: say('There are no properties yet.'),
  exportCsv: say('Export CSV'),
  loading: say('Loading'),
  percent: (share: number): string => `${inTenths(share)}\u00a0%`,
  over: (nights: number): string =>
    say('{nights, plural, one {# night overbooked} other {# nights overbooked}}', { nights }),
  full: (nights: number): string => say('{nights, plural, one {# night full} other {# nights full}}', { nights }),
  noAlerts: say('None'),
  sparkOf: (low: string, high: string): string => say('From {low} to {high} sold', { low, high }),
  pageOf: (page: number, pages: number): string => say('{page} of {pages}, sorted within', { page, pages }),
  before: say('Earlier properties'),
  after: say('Further properties'),
  file: {
    sold: say('Rooms sold'),
    rooms: say('Rooms'),
    currency: say('Currency'),
    over: say('Nights overbooked'),
    full: say('Nights full'),
  },
};

export const companyMessages = { company: say('Company'), choose: say('Choose a company') };
