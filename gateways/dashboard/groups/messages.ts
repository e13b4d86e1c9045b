import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import { ApiError } from '../api.ts';
import { dayRange, mediumDay, shortDay, shortTime } from '../grid/days.ts';
import { textsOf } from '../language/texts.ts';
import { moneyText, UNREACHABLE } from '../messages.ts';
import type { GroupView, RoomingReport } from './api.ts';

const say = textsOf('groups');

export const groups = {
  title: say('Groups'),
  all: say('All groups'),
  list: say('Groups with nights to come'),
  loading: say('Loading groups…'),
  none: say('No group has nights to come.'),
  name: say('Group'),
  nights: say('Nights'),
  cutoff: say('Cut-off'),
  status: say('Status'),
  pickup: say('Picked up'),
  remaining: say('Still blocked'),
  newGroup: say('New group'),
  roomingList: say('Rooming list'),
  release: say('Release'),
  close: say('Close'),
  pickupTable: say('Pickup by night'),
  night: say('Night'),
  total: say('All types'),
  rate: say('Rate'),
  shoulder: (rooms: number): string => say('+ {rooms} outside of the blocks', { rooms }),
  of: (pickedUp: number, rooms: number): string => say('{pickedUp} of {rooms}', { pickedUp, rooms }),
  percent: (pickedUp: number, rooms: number): string =>
    rooms === 0 ? '' : `${Math.round((100 * pickedUp) / rooms)} %`,
  contact: say('Contact'),
  guarantee: say('Guarantee'),
  shoulderNights: say('Shoulder nights'),
  shoulderOf: (before: number, after: number): string => say('{before} before, {after} after', { before, after }),
  lookOnly: say('You may look at groups, and not change them.'),
  forManagers: say('A manager creates groups and releases their rooms.'),
  roomsOf: (rooms: number): string => say('{rooms, plural, one {# room night} other {# room nights}}', { rooms }),
};

export const statusMessages: Record<GroupView['status'], string> = { ACTIVE: say('Open'), RELEASED: say('Released') };

export const guaranteeMessages = {
  '': say('As the property has it'),
  PREPAY: say('Each guest pays ahead'),
  CARD: say('A card for each guest'),
  NONE: say('Paid at the hotel'),
  COMPANY: say('Invoiced to a company'),
} as const;
export type GuaranteeChoice = keyof typeof guaranteeMessages;

export const cancelMessages = {
  '': say('As the property has it'),
  WEEK: say('Free until a week before, then the first night'),
  DAYS: say('Free until 48 hours before, then the first night'),
  NEVER: say('Never free: the whole stay'),
} as const;
export type CancelChoice = keyof typeof cancelMessages;

export const newGroup = {
  name: say('Name of the group'),
  arrival: say('Arrival'),
  departure: say('Departure'),
  cutoff: say('Cut-off date'),
  cutoffHint: say('At the end of this day rooms that are not picked up return to sale.'),
  block: say('Block'),
  roomType: say('Room type'),
  rooms: say('Rooms a night'),
  roomsOf: (type: string): string => say('Rooms a night, {type}', { type }),
  rateOf: (type: string): string => say('Rate, {type}', { type }),
  rate: say('Rate'),
  free: say('Free'),
  byNight: say('Other numbers on single nights'),
  roomsOn: (type: string, date: string): string => say('{type} on {date}', { type, date: mediumDay(date) }),
  terms: say('Terms and contact'),
  guarantee: say('Guarantee'),
  cancellation: say('Cancellation'),
  before: say('Shoulder nights before'),
  after: say('Shoulder nights after'),
  contactFirst: say('Contact, first name'),
  contactLast: say('Contact, last name'),
  contactEmail: say('Contact, e-mail'),
  contactHint: say('Guests without an address are written to here.'),
  create: say('Create group'),
  startOver: say('Start over'),
  empty: say('Say how many rooms of at least one type.'),
  plan: (nights: number, cutoff: string, amount: string): string =>
    say('{nights} leave general sale until {cutoff}, worth {amount} without taxes.', {
      nights: groups.roomsOf(nights),
      cutoff: shortDay(cutoff),
      amount,
    }),
  made: (name: string): string => say('{name} is created, and its rooms are blocked.', { name }),
};

export const editGroup = {
  edit: say('Edit'),
  title: say('Edit group'),
  save: say('Save group'),
  night: mediumDay,
  rateOn: (type: string, date: string): string => say('Rate, {type} on {date}', { type, date: mediumDay(date) }),
  plan: ({ rooms, change, amount }: { rooms: number; change: number; amount: string }): string =>
    say(
      '{rooms} in the block, {change, plural, =0 {as many as now} other {{signed} against now}}, worth {amount} without taxes. Booked nights keep their rates.',
      { rooms: groups.roomsOf(rooms), change, signed: change > 0 ? `+${change}` : `−${-change}`, amount },
    ),
  done: (name: string): string => say('{name} is changed.', { name }),
  moved: say('The group has changed meanwhile. What you typed stays: compare it, then save.'),
};

export const rooming = {
  paste: say('Paste from a spreadsheet'),
  hint: say(
    'One guest a line. Names are enough where the group has one room type and a contact; a header is not needed.',
  ),
  file: say('Or choose a file (CSV)'),
  checking: say('Checking each line…'),
  lines: say('Lines of the list'),
  line: say('Line'),
  guest: say('Guest'),
  stay: say('Stay'),
  fits: say('Fits'),
  doesNot: say('Does not fit'),
  tooMany: (most: number): string => say('A list has at most {most} lines. Divide it.', { most }),
  noFile: say('The file cannot be read.'),
  plan: (rooms: number, amount: string): string =>
    say('{rooms, plural, one {# room is} other {# rooms are}} booked, all or none, for {amount} with taxes.', {
      rooms,
      amount,
    }),
  bad: (bad: number, all: number): string =>
    say(
      '{bad} of {all} {all, plural, one {line does} other {lines do}} not fit. Nothing is booked: correct the list.',
      { bad, all },
    ),
  book: (rooms: number): string => say('{rooms, plural, one {Book # room} other {Book # rooms}}', { rooms }),
  booking: say('Booking…'),
  booked: (rooms: number): string =>
    say('{rooms, plural, one {# room is booked.} other {# rooms are booked.}}', { rooms }),
  held: (rooms: number, until: string): string =>
    say(
      '{rooms, plural, one {# room is held} other {# rooms are held}} until {until}, and not booked yet: each returns to the block unless it is paid.',
      { rooms, until },
    ),
  numbers: say('Booked rooms'),
  number: say('Confirmation'),
};

export const release = {
  plan: (nights: number): string =>
    say('{nights} return to sale. What is picked up stays.', { nights: groups.roomsOf(nights) }),
  planAll: (nights: number): string =>
    say('Nothing is picked up: {nights} return to sale, and the group is deleted.', {
      nights: groups.roomsOf(nights),
    }),
  nothing: say('Nothing is left to release.'),
  now: say('Release now'),
  giveUp: say('Not now'),
  done: (nights: number): string => say('{nights} are on sale again.', { nights: groups.roomsOf(nights) }),
  moved: say('The group has changed meanwhile. It is shown as it is now: look once more, then release.'),
};

/** Dates of a group or a row. */
export const stayText = (checkIn: string, checkOut: string): string => dayRange(checkIn, checkOut);

export const amountText = (amount: WireAmount, currency: string): string => moneyText(amount, currency);

/** When unpaid rooms return, if any of them does. */
export function heldUntil({ reservations }: RoomingReport): string | undefined {
  const first = reservations.flatMap(({ holdExpiresAt }) => holdExpiresAt ?? []).sort()[0];
  return first === undefined ? undefined : shortTime(Date.parse(first));
}

const ERROR_TEXTS: Record<string, string> = {
  ROLE_TOO_LOW: say('Your role may not do this. A manager creates groups and releases their rooms.'),
  UNAUTHENTICATED: say('Your sign-in has expired. Sign in again: what you typed stays.'),
  GROUP_NOT_FOUND: say('This group is not there any more.'),
  OUTCOME_UNKNOWN: say('It is not known whether it was done. Press the button again: nothing is done twice.'),
};

/** The message of an error; without one here, the service's own. */
export function groupError(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : UNREACHABLE;
  const { roomType, date } = error.problem ?? {};
  if (error.code === 'ROOM_NOT_AVAILABLE' && roomType !== undefined && date !== undefined)
    return say('On {date} fewer {roomType} rooms are free than that. Block fewer, or choose another type.', {
      date: mediumDay(date),
      roomType,
    });
  return ERROR_TEXTS[error.code === '' ? 'OUTCOME_UNKNOWN' : error.code] ?? error.message;
}
