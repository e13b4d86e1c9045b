import { mediumDay } from '../grid/days.ts';
import { moneyText } from '../messages.ts';
import type { ReportLine, ReportName, TaxRow } from './api.ts';
import { type columnTitles, wordOf } from './messages.ts';

type Column = keyof typeof columnTitles;

const WHO: Column[] = ['roomNumber', 'roomType', 'guestName'];
const AMOUNTS: ReadonlySet<string> = new Set<Column>([
  'totalAmount',
  'paidAmount',
  'balanceDue',
  'penaltyAmount',
  'compensation',
  'net',
  'taxes',
  'gross',
]);

const COUNTS: ReadonlySet<string> = new Set<Column>(['rooms', 'timedRooms', 'minutes', 'minutesPerRoom']);

/** Columns of each list; the file has all members. */
export const REPORT_COLUMNS: Record<ReportName, readonly Column[]> = {
  arrivals: [...WHO, 'persons', 'checkOut', 'status', 'specialRequests', 'confirmationNumber', 'balanceDue'],
  departures: [...WHO, 'persons', 'status', 'confirmationNumber', 'balanceDue'],
  'in-house': [...WHO, 'persons', 'checkIn', 'checkOut', 'specialRequests', 'balanceDue'],
  'no-shows': ['guestName', 'roomType', 'confirmationNumber', 'paidAmount', 'penaltyAmount', 'balanceDue'],
  cancellations: [
    'guestName',
    'roomType',
    'checkIn',
    'checkOut',
    'reason',
    'walkedTo',
    'confirmationNumber',
    'penaltyAmount',
    'compensation',
  ],
  balances: [...WHO, 'status', 'checkIn', 'checkOut', 'totalAmount', 'paidAmount', 'balanceDue'],
  deposits: ['guestName', 'roomType', 'checkIn', 'confirmationNumber', 'totalAmount', 'paidAmount'],
  revenue: ['group', 'roomType', 'net', 'taxes', 'gross', 'taxLines'],
  housekeeping: ['attendant', 'taskType', 'rooms', 'timedRooms', 'minutes', 'minutesPerRoom'],
};

export const isAmount = (column: Column): boolean => AMOUNTS.has(column);
/** Whether a column has numbers, which a total adds up. */
export const isFigure = (column: Column): boolean => isAmount(column) || COUNTS.has(column);

const WORDED: ReadonlySet<string> = new Set<Column>(['status', 'reason', 'group', 'taskType']);

/** Text of a table cell. */
export function lineText(column: Column, line: ReportLine, currency: string): string {
  if (column === 'persons') return String(Number(line['adults']) + Number(line['children']));
  const value = line[column];
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((part) => partText(part, currency)).join('; ');
  if (typeof value === 'number') return isAmount(column) ? moneyText(value, currency) : String(value);
  if (column === 'checkIn' || column === 'checkOut') return mediumDay(value);
  return WORDED.has(column) ? wordOf(value) : value;
}

/** A wish as it was typed, or a tax with its amount. */
const partText = (part: string | TaxRow, currency: string): string =>
  typeof part === 'string' ? part : `${part.code} ${moneyText(part.tax, currency)}`;
