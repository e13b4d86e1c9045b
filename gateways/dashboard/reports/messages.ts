import { textsOf } from '../language/texts.ts';
import type { ReportName } from './api.ts';

const say = textsOf('reports');

/** Texts of the reports page. */
export const reports = {
  lists: say('Lists'),
  date: say('Date'),
  earlier: say('Day before'),
  later: say('Day after'),
  today: say('Today'),
  export: say('Export CSV'),
  print: say('Print'),
  loading: say('Loading'),
  none: say('Nobody on this list.'),
  noRooms: say('No room was completed.'),
  scroll: (title: string): string => say('{title}, scrollable', { title }),
  total: (count: number): string => say('Total, {count} {count, plural, one {stay} other {stays}}', { count }),
  totalRevenue: say('Total'),
  inCurrency: (total: string, currency: string): string => say('{total} in {currency}', { total, currency }),
  more: (shown: number, all: number): string =>
    say('The first {shown} of {all}. The file has all of them.', { shown, all }),
  made: (at: string): string => say('As of {at}', { at }),
  counts: say(
    'Counts what was earned on the day: nights of guests who have arrived, extras, fees and penalties. Key figures count guests who are still expected too. Fees are listed under Tax by code, but are no tax and not in the column Tax.',
  ),
  past: say('As these stays stand now.'),
};

export const reportTitles: Record<ReportName, string> = {
  arrivals: say('Arrivals'),
  departures: say('Departures'),
  'in-house': say('In house'),
  'no-shows': say('No-shows'),
  cancellations: say('Cancellations'),
  balances: say('Open balances'),
  deposits: say('Deposits held'),
  revenue: say('Revenue'),
  housekeeping: say('Minutes per room'),
};

export const columnTitles = {
  guestName: say('Guest'),
  roomNumber: say('Room'),
  roomType: say('Type'),
  status: say('Status'),
  checkIn: say('Arrives'),
  checkOut: say('Leaves'),
  persons: say('Persons'),
  confirmationNumber: say('Number'),
  specialRequests: say('Requests'),
  reason: say('Reason'),
  totalAmount: say('Total'),
  paidAmount: say('Paid'),
  balanceDue: say('Balance'),
  penaltyAmount: say('Penalty'),
  walkedTo: say('Sent to'),
  compensation: say('Compensation'),
  group: say('Group'),
  net: say('Net'),
  taxes: say('Tax'),
  gross: say('Gross'),
  taxLines: say('Tax by code'),
  attendant: say('Attendant'),
  taskType: say('Task'),
  rooms: say('Rooms'),
  timedRooms: say('Timed'),
  minutes: say('Minutes'),
  minutesPerRoom: say('Per room'),
};

const WORDS: Record<string, string> = {
  PENDING: say('Held, unpaid'),
  CONFIRMED: say('Confirmed'),
  CHECKED_IN: say('In house'),
  CHECKED_OUT: say('Left'),
  CANCELLED: say('Cancelled'),
  NO_SHOW: say('No-show'),
  GUEST_REQUEST: say('Guest'),
  PROPERTY_REQUEST: say('Property'),
  DUPLICATE: say('Duplicate'),
  NO_PAYMENT: say('Not paid'),
  FORCE_MAJEURE: say('Force majeure'),
  OTHER: say('Other'),
  ERASED: say('Guest erased'),
  WALKED: say('Walked'),
  ROOM: say('Rooms'),
  FEE: say('Fees'),
  EXTRA: say('Extras'),
  PENALTY: say('Penalties'),
  CORRECTION: say('Corrections'),
  DEPARTURE: say('Departure'),
  STAY_OVER: say('Stay-over'),
  CLEANING: say('Cleaning'),
};
export const wordOf = (code: string): string => WORDS[code] ?? code;
