import { ApiError } from '../../api.ts';
import { textsOf } from '../../language/texts.ts';
import { errorLine } from './messages.ts';

const say = textsOf('front-desk-folio');

/** Messages of mails that the desk sends about the money of a stay. */
export const mailWords = {
  invoice: say('Mail invoice'),
  to: say('E-mail address'),
  sendTo: (address: string): string => say('Send to {address}', { address }),
  send: say('Send'),
  will: (number: string, address: string): string =>
    say('Mails {number} with its lines and the link to the receipt to {address}.', { number, address }),
  willSharer: (number: string, address: string): string =>
    say('Mails {number} with its lines to {address}.', { number, address }),
  typeOne: say('Type the address that it goes to.'),
  sent: (address: string): string =>
    say('It is on its way to {address}. Messages of the stay show when it has left.', { address }),
};

const ERRORS: Record<string, string> = {
  CARD_FORM_NOT_SET_UP: say('Guests cannot pay by card on the pages of this service. Take the payment here.'),
  NO_MAIL_ADDRESS: say('There is no e-mail address on record. Type the one that it goes to.'),
  MAIL_NOT_SET_UP: say('This service sends no mails, because it has no mail server. Print it instead.'),
};

export const mailError = (error: unknown): string =>
  (error instanceof ApiError ? ERRORS[error.code] : undefined) ?? errorLine(error);

/** Near enough for a line that says what will happen; the service decides. */
export const isAddress = (typed: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.trim());
