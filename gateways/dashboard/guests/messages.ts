import { LANGUAGE_NAMES, languageOf } from '../../../src/kernel/rules/languages.ts';
import { locale, textsOf } from '../language/texts.ts';

const say = textsOf('guests');

/** Texts of the guests' pages. */
export const guests = {
  title: say('Guests'),
  search: say('Search guests'),
  hint: say('Part of a name, e-mail address or phone number'),
  newest: say('Newest guests'),
  found: (count: number): string => say('{count, plural, one {# guest} other {# guests}}', { count }),
  more: (count: number): string => say('The first {count}. Type more of the name to find others.', { count }),
  none: say('No guest has this in the name or e-mail address. Try another part.'),
  noneYet: say('There are no guests yet.'),
  loading: say('Loading'),
  name: say('Name'),
  firstName: say('First name'),
  lastName: say('Last name'),
  email: say('E-mail'),
  phone: say('Phone'),
  noPhone: say('No phone number'),
  language: say('Language of messages'),
  ofProperty: say('That of the property'),
  loyalty: say('Loyalty'),
  back: say('All guests'),
  profile: say('Profile'),
  wishes: say('Wishes'),
  noWishes: say('No wishes'),
  nights: (nights: number, days: number): string =>
    say('{nights} {nights, plural, one {night} other {nights}} within {days} days', { nights, days }),
  history: (stays: number, cancelled: number, noShows: number): string =>
    say('{stays} past, {cancelled} cancelled, {noShows} no-shows', { stays, cancelled, noShows }),
  upcoming: say('Stays to come'),
  past: say('Past stays'),
  noUpcoming: say('No stay is booked.'),
  noPast: say('No past stays.'),
  property: say('Property'),
  dates: say('Dates'),
  room: say('Room'),
  noRoomYet: (roomType: string): string => say('No room yet, {roomType}', { roomType }),
  status: say('Status'),
  total: say('Total'),
  balance: say('Balance'),
  moreStays: (count: number): string => say('The newest {count} stays. The export has all of them.', { count }),
  consent: say('Marketing by mail'),
  notAsked: say('Not asked'),
  yes: say('Yes'),
  no: say('No'),
  consentSaid: (isYes: boolean, at: string, by: string): string =>
    isYes
      ? say('Yes, recorded {at} by {by}', { at: timeOf(at), by })
      : say('No, recorded {at} by {by}', { at: timeOf(at), by }),
  mergedLabel: say('Merged profiles'),
  mergedOne: (name: string, email: string): string => (email === '' ? name : `${name}, ${email}`),
  mergedHere: say('The profile of this address was merged into this one.'),
  notes: say('Notes'),
  noNotes: say('No notes about this guest.'),
  noteLabel: say('Note about the guest'),
  addNote: say('Add note'),
  noteSaved: say('The note is saved.'),
  noteDeleted: say('The note is deleted.'),
  remove: say('Delete'),
  deleteNote: (by: string): string => say('Delete the note of {by}', { by }),
  merge: say('Merge'),
  mergeLine: say('Find the other profile of the same person. It ends, and this one has the stays and notes of both.'),
  searchOther: say('Search the other profile'),
  mergeTable: say('What comes from which profile'),
  member: say('Field'),
  thisProfile: say('This profile'),
  otherProfile: say('The other one'),
  stands: say('stays'),
  members: {
    firstName: say('First name'),
    lastName: say('Last name'),
    email: say('E-mail'),
    phone: say('Phone'),
    language: say('Language'),
    roomType: say('Room type'),
    floorPreference: say('Floor'),
    bedType: say('Bed'),
    smokingPreference: say('Smoking'),
    marketingByMail: say('Marketing by mail'),
  },
  mergeResult: (name: string, plan: { reservations: number; nights: number; tier: string; notes: number }): string =>
    say(
      '{name} has {reservations} {reservations, plural, one {reservation} other {reservations}} then, {nights} {nights, plural, one {night} other {nights}} for loyalty ({tier}), and {notes} more {notes, plural, one {note} other {notes}}.',
      {
        name,
        reservations: plan.reservations,
        nights: plan.nights,
        tier: tierWord(plan.tier),
        notes: plan.notes,
      },
    ),
  mergeFinal: say('The other profile ends. Bookings with its address find this one. Nobody can undo this.'),
  mergeNow: say('Merge profiles'),
  anotherProfile: say('Another profile'),
  mergedDone: say('The profiles are merged.'),
  edit: say('Edit'),
  export: say('Export'),
  erase: say('Erase'),
  cancel: say('Cancel'),
  editLine: say('Changes the profile. What is booked keeps the name and address that it was booked with.'),
  save: say('Save'),
  saved: say('The profile is saved.'),
  changedMeanwhile: (now: string): string =>
    say(
      'Somebody else has just changed this profile. It is now: {now}. Nothing of yours is saved yet: look once more, then save.',
      { now },
    ),
  exportLine: (name: string, stays: number): string =>
    say(
      'Saves all that is stored about {name}, with {stays} {stays, plural, one {reservation} other {reservations}}, as a file for the guest.',
      { name, stays },
    ),
  saveFile: say('Save file'),
  exported: say('The file is saved.'),
  eraseLine: (name: string, stays: number): string =>
    say(
      'Removes name, contact data and wishes of {name} from the profile and from {stays} {stays, plural, one {reservation} other {reservations}}, at every property. Invoices keep what tax law asks for. Nobody can undo this.',
      { name, stays },
    ),
  typeName: (name: string): string => say('Type {name} to confirm', { name }),
  eraseNow: say('Erase guest'),
  erased: say('The guest is erased.'),
  gone: say('Search for another guest.'),
};

const TIERS: Record<string, string> = {
  NONE: say('none'),
  SILVER: say('silver'),
  GOLD: say('gold'),
  PLATINUM: say('platinum'),
};
export const tierWord = (tier: string): string => TIERS[tier] ?? tier.toLowerCase();

export const stayStates: Record<string, string> = {
  PENDING: say('Held'),
  CONFIRMED: say('Confirmed'),
  CHECKED_IN: say('In house'),
  CHECKED_OUT: say('Left'),
  CANCELLED: say('Cancelled'),
  NO_SHOW: say('No-show'),
};

/** `bedType` is shown as `Bed type`, `NON_SMOKING` as `non smoking`. */
export function wishText(name: string, value: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${value.replaceAll('_', ' ').toLowerCase()}`;
}

/** What a language is called by those who speak it. */
export function languageName(language: string | undefined): string {
  const known = languageOf(language);
  return known === undefined ? guests.ofProperty : LANGUAGE_NAMES[known];
}

/** A value in a line of a merge. */
export function mergedValue(field: string, value: string | null): string {
  if (value === null) return '–';
  if (field === 'language') return languageName(value);
  return ['firstName', 'lastName', 'email', 'phone', 'roomType'].includes(field)
    ? value
    : value.charAt(0) + value.slice(1).replaceAll('_', ' ').toLowerCase();
}

/** Date and time in the language of the user. */
export function timeOf(at: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
}
