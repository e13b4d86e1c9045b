import { momentText } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import { whoText } from '../../who.ts';
import type { HistoryItem, StayMessage } from './shapes.ts';

const say = textsOf('front-desk-stay');

/** Texts of the verbs and the sections of a stay, and of the notes of the day. */
export const verbWords = {
  noShow: say('Mark no-show'),
  undoCheckIn: say('Undo check-in'),
  reinstate: say('Reinstate'),
  waive: say('Waive penalty'),
  upgrade: say('Upgrade'),
  upgradeAndCheckIn: say('Upgrade and check in'),
  comp: say('Complimentary nights'),
  undoComp: say('Charge nights again'),
  notNow: say('Not now'),
  trying: say('Checking…'),
  nothing: say('There is nothing left to do with this stay.'),
  reason: say('Reason'),
  reasonIfFree: say('Reason, if it is free'),
  amount: say('Amount'),
  amountPerNight: say('Surcharge per night'),
  roomType: say('Room type'),
  chooseType: say('Choose a room type'),
  noBetterType: say('No room type is better than this one.'),
  nights: say('Nights'),
  allNights: say('All nights'),
  roomUsed: say('The guest was in the room: clean it again'),
  refund: say('Refund what is overpaid'),
  identified: say('ID checked: check in now'),
  freeUpgrade: say('Offered at the front desk'),
};

/** Labels of what a verb would do. */
export const lineWords = {
  retained: say('Kept'),
  owed: say('Owed'),
  back: say('Back to the guest'),
  fromCard: say('Charged to the card on file'),
  rooms: say('Rooms'),
  soldAgain: (nights: string): string => say('{nights} on sale again', { nights }),
  stay: say('Stay'),
  confirmedAgain: say('Confirmed, in the arrivals again'),
  heldUntil: (time: string): string => say('Held until {time}, then paid or gone', { time }),
  room: say('Room'),
  roomBecomes: (room: string, state: string): string => say('{room} is empty, {state}', { room, state }),
  noRoom: say('None'),
  total: say('Total'),
  due: say('Still to pay'),
  waived: say('Waived'),
  stillRetained: say('Still kept'),
  surcharge: say('Surcharge'),
  free: say('None: a free upgrade'),
  credit: say('Stays as a credit'),
  nights: say('Complimentary'),
};

export const doneWords = {
  noShow: (name: string, amount: string): string =>
    say('{name} is marked a no-show, {amount} kept.', { name, amount }),
  noShowOwed: (name: string, amount: string): string =>
    say('{name} is marked a no-show, {amount} owed.', { name, amount }),
  noShowPartly: (name: string, retained: string, owed: string): string =>
    say('{name} is marked a no-show, {retained} kept and {owed} owed.', { name, owed, retained }),
  undoCheckIn: (name: string): string => say('The check-in of {name} is undone.', { name }),
  reinstate: (name: string): string => say('The reservation of {name} is reinstated.', { name }),
  waive: (name: string, amount: string): string => say('{amount} of the penalty of {name} waived.', { amount, name }),
  upgrade: (name: string, type: string): string => say('{name} has {type}.', { name, type }),
  upgradedIn: (name: string, room: string): string =>
    say('{name} is upgraded and checked in, room {room}.', { name, room }),
  notCheckedIn: (type: string, why: string): string =>
    say('Upgraded to {type}, but not checked in: {why}', { type, why }),
  comp: (name: string, nights: string): string => say('{nights} of {name} complimentary.', { nights, name }),
  undoComp: (name: string): string => say('The nights of {name} are charged again.', { name }),
};

export const sectionWords = {
  guest: say('Guest profile'),
  pastStays: (stays: number): string =>
    stays === 0 ? say('first stay') : say('{stays, plural, one {# past stay} other {# past stays}}', { stays }),
  notes: say('Notes'),
  noteLabel: say('Note for staff'),
  addNote: say('Add note'),
  deleteNote: (by: string): string => say('Delete the note of {by}', { by }),
  deletesNote: say('The note goes for everybody, and does not come back.'),
  deleteNow: say('Delete note'),
  keepNote: say('Not now'),
  noNotes: say('No notes. Guests never see them.'),
  noteSaved: say('Note saved.'),
  noteDeleted: say('Note deleted.'),
  messages: say('Messages'),
  noMessages: say('Nothing was sent.'),
  sendAgain: say('Send again'),
  sendAgainLong: (what: string): string => say('Send again: {what}', { what }),
  sendLink: say('Send link'),
  linkSent: (to: string): string => say('The link of the stay goes to {to}.', { to }),
  history: say('History'),
  loading: say('Loading…'),
  retry: say('Retry'),
};

/** Messages of the page "My stay", as the desk sees it. */
export const pageWords = {
  title: say('Online check-in'),
  notYet: say('The guest has not checked in online.'),
  arrival: say('Expected arrival'),
  signature: say('Registration form'),
  signed: (name: string, at: string): string => say('Signed by {name}, {at}', { name, at }),
  revoke: say('Revoke the links of the guest'),
  revoked: say('The links to the page of this stay open nothing any more. The next letter has a new one.'),
};

export const dayWords = {
  overbooked: say('Overbooked by a channel'),
  overbookedLine: (checkIn: string, roomType: string): string =>
    say('arrives {checkIn} · no {roomType} is free: another room, or another hotel', { checkIn, roomType }),
  notTaken: say('Bookings of channels, not taken'),
  notTakenLine: (checkIn: string, checkOut: string, channel: string): string =>
    say('{checkIn} to {checkOut} · enter it under this number, or have {channel} cancel it', {
      checkIn,
      checkOut,
      channel,
    }),
  notCancelledLine: (channel: string): string =>
    say('cancelled at {channel}, and the stay has begun or is over', { channel }),
  notMarked: say('Arrivals nobody marked'),
  notMarkedLine: (checkIn: string, mayArrive: boolean): string =>
    mayArrive
      ? say('Due {checkIn}. Check in, or mark the no-show', { checkIn })
      : say('Due {checkIn}. Mark the no-show', { checkIn }),
  shiftNotes: say('Hand-over notes'),
  label: say('Note to the next shift'),
  write: say('Leave a note'),
  none: say('Nothing to hand over.'),
  done: (text: string): string => say('Done: {text}', { text }),
  doneBy: (by: string): string => say('done by {by}', { by }),
  saved: say('Note left for the next shift.'),
};

const EVENTS: Record<string, string> = {
  CREATED: say('Booked'),
  CONFIRMED: say('Confirmed'),
  MODIFIED: say('Changed'),
  ROOM_ASSIGNED: say('Room assigned'),
  PAYMENT_RECEIVED: say('Payment received'),
  PAYMENT_FAILED: say('Payment failed'),
  REFUNDED: say('Refunded'),
  CHECKED_IN: say('Checked in'),
  CHECK_IN_UNDONE: say('Check-in undone'),
  OVERSTAY: say('Stayed on'),
  CHECKED_OUT: say('Checked out'),
  CANCELLED: say('Cancelled'),
  NO_SHOW: say('No-show'),
  WALKED: say('Sent to another hotel'),
  REINSTATED: say('Reinstated'),
  IMPORTED: say('Imported'),
};

const eventWord = (event: string): string => EVENTS[event] ?? event;

/** `Checked in by Eve, 10 Mar 18:20`: what happened, who did it, and when. */
export function historyText({ event, by, byName, timestamp }: HistoryItem): string {
  return say('{event} by {by}, {timestamp}', {
    event: eventWord(event),
    by: whoText(by, byName),
    timestamp: momentText(timestamp),
  });
}

/** What the service has noted of a room in the language of the page; what people have noted stays as it is. */
export function noteText(notes: string): string {
  const [, room, roomType, booked, more] =
    /^Room (\S+), ([\w-]+)(?: instead of ([\w-]+))?(?:\. (.*))?$/s.exec(notes) ?? [];
  if (room === undefined || roomType === undefined) {
    const given = /^Room (\S+) went to another stay$/.exec(notes)?.[1];
    return given === undefined ? notes : say('Room {room} went to another stay', { room: given });
  }
  const what =
    booked === undefined
      ? say('Room {room}, {roomType}', { room, roomType })
      : say('Room {room}, {roomType} instead of {booked}', { room, roomType, booked });
  return more === undefined ? what : `${what}. ${more}`;
}

const MESSAGE_KINDS: Record<StayMessage['kind'], string> = {
  CONFIRMATION: say('Confirmation'),
  MODIFICATION: say('Change'),
  CANCELLATION: say('Cancellation'),
  REMINDER: say('Reminder'),
  PAYMENT_FAILED: say('Payment failed'),
  WAITLIST_OFFER: say('Room offered'),
  INVOICE: say('Invoice'),
  PAYMENT_LINK: say('Payment link'),
  STAY_LINK: say('Link of the stay'),
};
const CHANNELS: Record<StayMessage['channel'], string> = { MAIL: say('mail'), SMS: say('text message') };
const STATES: Record<StayMessage['status'], string> = {
  WAITING: say('to be sent'),
  SENDING: say('being sent'),
  SENT: say('sent'),
  FAILED: say('failed'),
  UNKNOWN: say('may have arrived'),
  DROPPED: say('not needed any more'),
};

/** `Confirmation, mail`. */
export const messageName = ({ kind, channel }: StayMessage): string => `${MESSAGE_KINDS[kind]}, ${CHANNELS[channel]}`;

/** `sent 10 Mar 18:20`. */
export function messageState({ status, sentAt, at, error }: StayMessage): string {
  return `${STATES[status]} ${momentText(sentAt ?? at)}${status === 'FAILED' && error ? `: ${error}` : ''}`;
}
