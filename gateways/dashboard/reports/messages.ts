import type { ReportName } from './api.ts';

/** Texts of the reports page. */
export const reports = {
  lists: 'Lists',
  date: 'Date',
  earlier: 'Day before',
  later: 'Day after',
  today: 'Today',
  export: 'Export CSV',
  print: 'Print',
  loading: 'Loading',
  none: 'Nobody on this list.',
  scroll: (title: string): string => `${title}, scrollable`,
  total: (count: number): string => `Total, ${count} ${count === 1 ? 'stay' : 'stays'}`,
  totalRevenue: 'Total',
  inCurrency: (total: string, currency: string): string => `${total} in ${currency}`,
  more: (shown: number, all: number): string => `The first ${shown} of ${all}. The file has all of them.`,
  made: (at: string): string => `As of ${at}`,
  past: 'As these stays stand now.',
};

export const reportTitles: Record<ReportName, string> = {
  arrivals: 'Arrivals',
  departures: 'Departures',
  'in-house': 'In house',
  'no-shows': 'No-shows',
  cancellations: 'Cancellations',
  balances: 'Open balances',
  deposits: 'Deposits held',
  revenue: 'Revenue',
};

export const columnTitles = {
  guestName: 'Guest',
  roomNumber: 'Room',
  roomType: 'Type',
  status: 'Status',
  checkIn: 'Arrives',
  checkOut: 'Leaves',
  persons: 'Persons',
  confirmationNumber: 'Number',
  specialRequests: 'Requests',
  reason: 'Reason',
  totalAmount: 'Total',
  paidAmount: 'Paid',
  balanceDue: 'Balance',
  penaltyAmount: 'Penalty',
  walkedTo: 'Sent to',
  compensation: 'Compensation',
  group: 'Group',
  net: 'Net',
  taxes: 'Tax',
  gross: 'Gross',
  taxLines: 'Tax by code',
};

const WORDS: Record<string, string> = {
  PENDING: 'Held, unpaid',
  CONFIRMED: 'Confirmed',
  CHECKED_IN: 'In house',
  CHECKED_OUT: 'Left',
  CANCELLED: 'Cancelled',
  NO_SHOW: 'No-show',
  GUEST_REQUEST: 'Guest',
  PROPERTY_REQUEST: 'Property',
  DUPLICATE: 'Duplicate',
  NO_PAYMENT: 'Not paid',
  FORCE_MAJEURE: 'Force majeure',
  OTHER: 'Other',
  ERASED: 'Guest erased',
  WALKED: 'Walked',
  ROOM: 'Rooms',
  FEE: 'Fees',
  EXTRA: 'Extras',
  PENALTY: 'Penalties',
  CORRECTION: 'Corrections',
};
export const wordOf = (code: string): string => WORDS[code] ?? code;
