import { parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { type Day, dayOf } from '../../src/kernel/rules/dates.ts';
import { type Minor, toMinor } from '../../src/kernel/rules/money.ts';

/**
 * One booking of the data set "Hotel booking demand datasets" (N. Antonio, A. de Almeida, L. Nunes, Data in Brief 22
 * (2019) 41-49, CC BY 4.0), with the columns that a replay can use.
 */
export type RealBooking = {
  /** Line of the file, 1 for the first booking. */
  row: number;
  roomType: string;
  arrival: Day;
  nights: number;
  leadDays: number;
  adults: number;
  /** Children and babies: everyone who is not an adult. */
  children: number;
  /** Average daily rate; the file has outliers below zero. */
  adr: Minor;
  marketSegment: string;
  distributionChannel: string;
  changes: number;
  specialRequests: number;
  deposit: Deposit;
  outcome: Outcome;
  /** Day on which `outcome` was reached. */
  outcomeDay: Day;
};

export type Outcome = 'Check-Out' | 'Canceled' | 'No-Show';

/** Deposit before arrival, as in the file. */
export type Deposit = 'No Deposit' | 'Non Refund' | 'Refundable';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/**
 * Reads the bookings of a file in the format of shared/data, packed with gzip or not.
 * @throws Error that names the line and column that cannot be read
 */
export async function readBookings(file: string): Promise<RealBooking[]> {
  const bookings: RealBooking[] = [];
  const parser = parse({ columns: true, skip_empty_lines: true });
  parser.on('data', (record: Record<string, string>) => bookings.push(toBooking(record, bookings.length + 1)));
  const source = createReadStream(file);
  await (file.endsWith('.gz') ? pipeline(source, createGunzip(), parser) : pipeline(source, parser));
  return bookings;
}

function toBooking(record: Record<string, string>, row: number): RealBooking {
  const text = (column: string): string => {
    const value = record[column];
    if (value === undefined) throw new Error(`booking ${row}: no column ${column}`);
    return value;
  };
  const count = (column: string): number => {
    const value = Number(text(column));
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`booking ${row}: ${column} is ${text(column)}`);
    return value;
  };
  const adr = toMinor(Number(text('adr')));
  if (adr === undefined) throw new Error(`booking ${row}: adr is ${text('adr')}`);
  const month = MONTHS.indexOf(text('arrival_date_month')) + 1;
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    row,
    roomType: text('reserved_room_type').trim(),
    arrival: dayOf(`${text('arrival_date_year')}-${two(month)}-${two(count('arrival_date_day_of_month'))}`),
    nights: count('stays_in_weekend_nights') + count('stays_in_week_nights'),
    leadDays: count('lead_time'),
    adults: count('adults'),
    // For a few guests of the city hotel the number of children was not recorded.
    children: (text('children') === 'NA' ? 0 : count('children')) + count('babies'),
    adr,
    marketSegment: text('market_segment'),
    distributionChannel: text('distribution_channel'),
    changes: count('booking_changes'),
    specialRequests: count('total_of_special_requests'),
    deposit: toDeposit(text('deposit_type').trim(), row),
    outcome: toOutcome(text('reservation_status'), row),
    outcomeDay: dayOf(text('reservation_status_date')),
  };
}

function toOutcome(value: string, row: number): Outcome {
  if (value === 'Check-Out' || value === 'Canceled' || value === 'No-Show') return value;
  throw new Error(`booking ${row}: reservation_status is ${value}`);
}

function toDeposit(value: string, row: number): Deposit {
  if (value === 'No Deposit' || value === 'Non Refund' || value === 'Refundable') return value;
  throw new Error(`booking ${row}: deposit_type is ${value}`);
}
