import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin-import');

/** Fields of an import, as people call them. */
const NAMES: Readonly<Record<string, string>> = {
  externalId: say('Number in the other system'),
  status: say('State'),
  checkIn: say('Arrival'),
  checkOut: say('Departure'),
  nights: say('Nights'),
  roomType: say('Room type'),
  rateCode: say('Rate plan'),
  adults: say('Adults'),
  children: say('Children'),
  guest: say('Number of the guest in the file of guests'),
  firstName: say('First name'),
  lastName: say('Last name'),
  email: say('E-mail'),
  phone: say('Phone'),
  totalAmount: say('Price of the stay'),
  nightlyRate: say('Price of each night'),
  nightlyRates: say('Prices of the nights, in one column'),
  taxAmount: say('Taxes in the price'),
  feeAmount: say('Fees in the price'),
  retainedAmount: say('Cost of a cancellation'),
  paidAmount: say('Paid'),
  paymentMethod: say('Paid by'),
  paymentDate: say('Paid on'),
  paymentReference: say('Reference of the payment'),
  bookedAt: say('Booked on'),
  leadDays: say('Booked days before arrival'),
  cancelledAt: say('Cancelled on'),
  arrivedAt: say('Came at'),
  departedAt: say('Left at'),
  roomNumber: say('Room number'),
  channel: say('Channel'),
  collectedBy: say('Who collects the money'),
  specialRequests: say('Requests of the guest'),
  floor: say('Floor'),
  typeName: say('Name of the room type'),
  maxAdults: say('Adults at most'),
  maxChildren: say('Children at most'),
  code: say('Code'),
  name: say('Name'),
  cancellationPolicy: say('Cancellation policy'),
  baseRate: say('Base rate'),
  adjustmentPercent: say('Percent more or less'),
  reservation: say('Number of the reservation'),
  amount: say('Amount'),
  method: say('Paid by'),
  date: say('Paid on'),
  reference: say('Reference of the payment'),
};

export const fieldName = (field: string): string => NAMES[field] ?? field;

/** Kinds of files. */
export const FILE_KIND_NAMES = {
  rooms: say('Rooms'),
  plans: say('Rate plans'),
  guests: say('Guests'),
  payments: say('Payments'),
  reservations: say('Reservations'),
};

/** States of reservations. */
export const IMPORT_STATE_NAMES: Readonly<Record<string, string>> = {
  PENDING: say('Not confirmed'),
  CONFIRMED: say('Confirmed'),
  CHECKED_IN: say('In house'),
  CHECKED_OUT: say('Checked out'),
  CANCELLED: say('Cancelled'),
  NO_SHOW: say('No-show'),
};

/** Ways to pay. */
export const METHOD_NAMES: Readonly<Record<string, string>> = {
  CREDIT_CARD: say('Credit card'),
  DEBIT_CARD: say('Debit card'),
  CASH: say('Cash'),
  BANK_TRANSFER: say('Bank transfer'),
  INVOICE: say('On account'),
  TERMINAL: say('Card at the desk'),
};

/** Outcomes of lines. */
export const OUTCOME_NAMES = {
  CREATED: say('Stored'),
  UNCHANGED: say('Unchanged'),
  CHANGED: say('Changed'),
  REFUSED: say('Refused'),
};
