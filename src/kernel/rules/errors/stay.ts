import { code } from './code.ts';

export const stayErrors = {
  RESERVATION_NOT_FOUND: code(
    'missing',
    'No such reservation',
    'The tenant has no reservation with this id.',
    'Check the id, or search by confirmation number.',
  ),
  LINK_EXPIRED: code(
    'missing',
    'The link has expired',
    'Links to receipts and surveys are valid for a limited time.',
    'Ask the property for a new link.',
  ),
  LINK_NOT_VALID: code(
    'missing',
    'The link cannot be used',
    'The link has expired, was revoked, or is not complete.',
    'Ask the property for a new link.',
  ),
  PAYMENT_LINK_NOT_FOUND: code(
    'missing',
    'No such payment link',
    'The reservation has no payment link with this id.',
    'List the payment links of the reservation.',
  ),
  CARD_FORM_NOT_SET_UP: code(
    'rule',
    'No card form for guests',
    'The payment provider of this service has no card form that guests can use.',
    'Take the payment at the desk.',
  ),
  HOLD_NOT_FOUND: code('missing', 'No such hold', 'The hold does not exist or has ended.', 'Place a new hold.'),
  WAITLIST_NOT_FOUND: code(
    'missing',
    'No such request on the waitlist',
    'The waitlist has no request with this id, or it is over.',
    'List the waitlist of the property.',
  ),
  INQUIRY_NOT_FOUND: code(
    'missing',
    'No such inquiry',
    'The property has no inquiry with this id, or it is over.',
    'List the inquiries of the property, or quote the stay again.',
  ),
  MESSAGE_NOT_FOUND: code(
    'missing',
    'No such message',
    'The stay has no message with this id that can be sent again.',
    'List the messages of the stay again.',
  ),
  NO_MAIL_ADDRESS: code(
    'rule',
    'No e-mail address',
    'The recipient of the mail has left no e-mail address.',
    'Send an address in `to`.',
  ),
  MAIL_NOT_SET_UP: code(
    'rule',
    'No mail server',
    'This service sends no mails: it has no mail server.',
    'Set `SMTP_URL`, or print the document.',
  ),
  NOTE_NOT_FOUND: code(
    'missing',
    'No such note',
    'There is no note with this id, or somebody has deleted it.',
    'List the notes again.',
  ),
  ROOM_NOT_AVAILABLE: code(
    'conflict',
    'No room is left',
    'At least one night has no room of the type left.',
    'Take one of `alternatives`, other dates or another room type.',
  ),
  HOLD_EXPIRED: code(
    'conflict',
    'The hold has expired',
    'Its time ran out before it was confirmed; nothing is kept.',
    'Book again.',
  ),
  OCCUPANCY_EXCEEDED: code(
    'rule',
    'Too many guests for the room type',
    'The room type does not sleep so many.',
    'Take a larger type or more rooms.',
  ),
  MODIFICATION_DEADLINE: code(
    'rule',
    'Too late to change',
    'The deadline for changes by the guest has passed.',
    'Ask the property.',
  ),
  TERMS_FORBID_CHANGE: code(
    'rule',
    'The terms allow no other dates',
    'The terms of the booking do not let its nights be given up for others.',
    'Add nights, or cancel under the terms.',
  ),
  TOO_EARLY: code(
    'rule',
    'Too early',
    'The arrival day has not come, or the desk still waits for the guest.',
    'Come back on the arrival day, for a no-show after check-in time and `noShowGraceMinutes`.',
  ),
  IDENTIFICATION_REQUIRED: code(
    'rule',
    'The guest is not identified',
    'Check-in needs a verified identification.',
    'Verify the guest first.',
  ),
};
