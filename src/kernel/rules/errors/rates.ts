import { code } from './code.ts';

export const rateErrors = {
  PROMOTION_NOT_FOUND: code(
    'missing',
    'No such promotion',
    'The property has no promotion with this id.',
    'List the promotions of the property.',
  ),
  CALENDAR_EVENT_NOT_FOUND: code(
    'missing',
    'No such calendar event',
    'The property has no calendar event with this id, or it was removed.',
    'List the calendar events of the property.',
  ),
  RATE_PLAN_NOT_FOUND: code(
    'missing',
    'No such rate plan',
    'The property has no rate plan with this id.',
    'List the rate plans of the property.',
  ),
  RATE_CHANGE_NOT_FOUND: code(
    'missing',
    'No such rate change',
    'No rate change or optimization has this id.',
    'Check the id.',
  ),
  PROMO_CODE_TAKEN: code(
    'conflict',
    'The promo code is taken',
    'Another promotion of the tenant has this code.',
    'Choose another code.',
  ),
  RATES_MOVED: code(
    'conflict',
    'The rates have moved',
    'Rates changed since the recommendation was computed, or since somebody read them.',
    'Run the optimization again, or look at what the nights cost now.',
  ),
  PRICE_CHANGED: code(
    'conflict',
    'The price has changed',
    'The stay costs more now than `maxTotal`.',
    'Quote again and ask the buyer.',
  ),
  UNKNOWN_RATE_CODE: code(
    'rule',
    'The property has no such rate code',
    'No active rate plan has this code.',
    'List the rate plans of the property.',
  ),
  MIN_STAY: code(
    'rule',
    'The stay is too short',
    'A minimum length of stay applies.',
    'Stay longer or arrive on another day.',
  ),
  MAX_STAY: code('rule', 'The stay is too long', 'A maximum length of stay applies.', 'Split the stay.'),
  CLOSED_TO_ARRIVAL: code(
    'rule',
    'No arrivals on this day',
    'The day is closed to arrival.',
    'Arrive on another day.',
  ),
  CLOSED_TO_DEPARTURE: code(
    'rule',
    'No departures on this day',
    'The day is closed to departure.',
    'Depart on another day.',
  ),
  STOP_SELL: code('rule', 'Sales are stopped', 'A night of the stay is not on sale.', 'Choose other dates.'),
  MIN_ADVANCE: code('rule', 'Booked too late', 'The rate must be booked earlier.', 'Take another rate.'),
  MAX_ADVANCE: code(
    'rule',
    'Booked too early',
    'The rate is not yet on sale for these dates.',
    'Book later or take another rate.',
  ),
  NO_RATE: code(
    'rule',
    'No rate is set',
    'A night of the stay has no rate, or its plan leaves 0.00 of it.',
    'Set a base rate for the night, or another adjustment of the plan.',
  ),
  PROMO_NOT_APPLICABLE: code(
    'rule',
    'The promotion does not apply',
    'The stay does not meet its conditions.',
    'Book without it or change the stay.',
  ),
  PROMO_EXHAUSTED: code('rule', 'The promotion is used up', 'All its units are taken.', 'Book without it.'),
  QUOTE_EXPIRED: code(
    'rule',
    'The quote is no longer valid',
    'The quote has expired, was used, or is for another stay.',
    'Quote again.',
  ),
  INSUFFICIENT_DATA: code(
    'rule',
    'Not enough data',
    'There is too little history for an answer.',
    'Try again when more is booked.',
  ),
};
