import { textsOf } from '../../language/texts.ts';
import { ofBaseRates } from '../sections/plan-texts.ts';
import { writtenDay } from '../sections/texts.ts';

const say = textsOf('first-hotel');

/** Texts of the set-up of a property step by step. */
export const firstHotel = {
  title: say('Set up a property'),
  steps: say('Steps'),
  back: say('Back'),
  next: say('Next'),
  open: say('Open for sale'),
  isOpen: (name: string): string => say('{name} is open for sale.', { name }),
  first: say('To the revenue calendar'),
  desk: say('To the front desk'),
  letGuestsBook: say('Let guests book it'),
  importStays: say('Import reservations of another system'),
  rest: say('To the administration'),
  saving: (done: number, all: number): string => say('Saving {done} of {all}', { done, all }),
  property: say('Property'),
  propertyLead: say(
    'The name as guests read it, and where it is. Everything can be changed later, except the currency of what is booked.',
  ),
  other: say('Another country'),
  countryHint: say('It chooses time zone, currency and a beginning for your taxes.'),
  rooms: say('Rooms'),
  roomsLead: say('Room types as guests book them, with the numbers of their rooms.'),
  there: (name: string, count: number): string =>
    say('{name}: {count, plural, one {# room} other {# rooms}}', { name, count }),
  addType: say('Add room type'),
  type: (index: number): string => say('Room type {index}', { index }),
  typeName: say('Name'),
  typeHint: say('Such as Double room.'),
  numbers: say('Room numbers'),
  numbersHint: say('Such as 101-120, 201-220.'),
  roomsRead: (rooms: readonly string[]): string =>
    say('{rooms, plural, one {# room} other {# rooms}}: {first} to {last}.', {
      rooms: rooms.length,
      first: rooms[0] ?? '',
      last: rooms.at(-1) ?? '',
    }),
  guests: say('Guests at most'),
  plans: say('Rate plans'),
  plansLead: say('What guests choose between. Untick what you do not sell.'),
  priceFrom: (text: string): string => (text === ofBaseRates ? say('Your price.') : say('Price: {text}.', { text })),
  taxes: say('Taxes'),
  taxesLead: say('Please check them with your tax adviser: rates change, and municipalities decide their own.'),
  takeTaxes: (country: string): string => say('Begin with the taxes of {country}', { country }),
  asOf: (day: string): string => say('As of {day}.', { day: writtenDay(day) }),
  localTax: (isPercent: boolean, source: string): string =>
    isPercent
      ? say('In percent of the price; left empty, there is none. {source}.', { source })
      : say('For each person and night; left empty, there is none. {source}.', { source }),
  taxesThere: (names: string): string => say('Set up: {names}.', { names }),
  noTemplate: say(
    'There is no template for your country. Add your taxes in the administration; until then prices are charged without any.',
  ),
  prices: say('Prices'),
  pricesLead: say(
    'First prices for the next 365 nights, per room and night. Seasons and single nights come later. Nothing is sold before you open the property.',
  ),
  weekday: say('Sunday to Thursday'),
  weekend: say('Friday and Saturday'),
  weekendHint: say('Left empty, as on the other nights.'),
  roomsOf: (rooms: number, types: string): string =>
    say('{rooms, plural, one {# room} other {# rooms}}: {types}.', { rooms, types }),
  summary: say('Summary'),
  summaryLead: say('From now on guests can book.'),
  sold: say('Sold as'),
  noTaxes: say('No taxes.'),
};
