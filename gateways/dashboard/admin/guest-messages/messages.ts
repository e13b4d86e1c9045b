import { textsOf } from '../../language/texts.ts';
import type { PropertyMessage } from './message-list.ts';

const say = textsOf('admin');

/** Texts of the list of messages. */
export const guestMessages = {
  name: say('Messages'),
  lead: say(
    'Mails and text messages to guests of the last 30 days, newest first. Their text is written when they are sent.',
  ),
  kind: say('Kind'),
  allKinds: say('All kinds'),
  state: say('State'),
  allStates: say('All states'),
  reservation: say('Reservation'),
  reservationHint: say('A confirmation number, or its beginning'),
  find: say('Search'),
  list: say('List of messages'),
  none: say('There is no such message.'),
  more: say('Older messages'),
  when: say('About'),
  sent: say('Sent'),
  channel: say('By'),
  attempts: say('Attempts'),
  sendAgain: say('Send again'),
  sendAgainTo: (number: string): string => say('Send again: {number}', { number }),
  willBeSent: (number: string): string => say('The message about {number} is sent again soon.', { number }),
};

/** What each state is called. */
export const STATE_NAMES: Record<PropertyMessage['status'], string> = {
  WAITING: say('Waiting'),
  SENDING: say('Being sent'),
  SENT: say('Sent'),
  FAILED: say('Failed'),
  UNKNOWN: say('May have arrived'),
  DROPPED: say('No longer needed'),
};

/** What each kind is called. */
export const KIND_NAMES: Record<PropertyMessage['kind'], string> = {
  CONFIRMATION: say('Confirmation'),
  MODIFICATION: say('Change'),
  CANCELLATION: say('Cancellation'),
  REMINDER: say('Reminder before arrival'),
  PAYMENT_FAILED: say('Payment failed'),
  WAITLIST_OFFER: say('Offer from the waitlist'),
  INVOICE: say('Invoice'),
  PAYMENT_LINK: say('Link to pay'),
  STAY_LINK: say('Link of the stay'),
};

export const CHANNEL_NAMES: Record<PropertyMessage['channel'], string> = {
  MAIL: say('Mail'),
  SMS: say('Text message'),
};
