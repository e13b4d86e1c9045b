import { code } from './code.ts';

export const moneyErrors = {
  RAW_CARD_NUMBER: code(
    'invalid',
    'A raw card number was sent',
    '`cardToken` held 13 to 19 digits, or `terminal.reference` a card number.',
    'Send the token of your payment provider or the number of the slip, never a card number.',
  ),
  TERMINAL_REFERENCE_TAKEN: code(
    'conflict',
    'The slip is recorded already',
    'Another payment of the property has this reference of a card terminal.',
    'Look whether the payment is on record; otherwise read the number of the slip again.',
  ),
  PAYMENT_NOT_FOUND: code(
    'missing',
    'Payment not found',
    'The reservation has no such payment.',
    'List the payments of the reservation.',
  ),
  REFUND_NOT_FOUND: code(
    'missing',
    'No such refund',
    'The reservation has no refund with this id.',
    'List the refunds that are open.',
  ),
  INVOICE_NOT_FOUND: code(
    'missing',
    'No such invoice',
    'The property has issued no document with this number.',
    'List the documents of the property.',
  ),
  CURRENCY_MISMATCH: code(
    'rule',
    'Another currency',
    'The property sells in another currency, or has no exchange rate of today for this one.',
    'Use the currency of the property; for cash and transfers set its exchange rates.',
  ),
  PAYMENT_DECLINED: code(
    'rule',
    'The payment was declined',
    'The payment provider refused the charge; nothing is booked.',
    'Use another card.',
  ),
  PAYMENT_METHOD_REQUIRED: code(
    'rule',
    'A payment method is needed',
    'There is a balance and no card on file.',
    'Give a payment method.',
  ),
  SHARER_OWES: code(
    'rule',
    'The sharer has not paid',
    'What the second guest of the room is to pay is open, and that guest has no card on file.',
    'Take a payment with window SHARER, or route the folio to another window.',
  ),
  COMPANY_NOT_FOUND: code(
    'missing',
    'No such company',
    'The tenant has no company with this id.',
    'List the companies of the tenant.',
  ),
  POSTING_NOT_FOUND: code(
    'missing',
    'No such posting',
    'The folio has no posting with this id.',
    'Read the folio of the reservation.',
  ),
  FOLIO_FULL: code('rule', 'The folio is full', 'A folio has 500 postings at most.', 'Post several things as one.'),
  EXTRA_NOT_AVAILABLE: code(
    'conflict',
    'Not enough of the extra is left',
    'On at least one night fewer pieces of the extra are left than are needed.',
    'Take fewer, or void the posting of the extra before the stay is changed.',
  ),
  REFUND_EXCEEDS_PAID: code('rule', 'More than was paid', 'A refund cannot exceed what was paid.', 'Refund less.'),
};
