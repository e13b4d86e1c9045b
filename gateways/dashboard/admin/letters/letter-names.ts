import type { LetterKind } from '../../../../src/notifications/rules/letter-kinds.ts';
import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin');

/** What each kind of letter is called. */
export const LETTER_NAMES: Record<LetterKind, string> = {
  CONFIRMATION: say('Confirmation'),
  CONFIRMED_AGAIN: say('Confirmed again'),
  MODIFICATION: say('Change'),
  OPEN_AGAIN: say('Open again until it is paid'),
  CANCELLATION: say('Cancellation'),
  EXPIRY: say('Not paid in time'),
  NO_SHOW: say('No-show'),
  WALK: say('Moved to another hotel'),
  REMINDER: say('Reminder before arrival'),
  PAYMENT_FAILED: say('Payment failed'),
  LAST_PAYMENT_FAILED: say('Last payment failed'),
  WAITLIST_OFFER: say('Offer from the waitlist'),
  INVOICE: say('Invoice'),
  PRO_FORMA_INVOICE: say('Pro forma invoice'),
  PAYMENT_LINK: say('Payment link'),
  STAY_LINK: say('Link of the stay'),
};
