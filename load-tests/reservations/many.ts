import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';

import { statusKey } from '../../src/platform/database/row-values.ts';
import type { ReservationStatus } from '../../src/stay/rules/reservation.ts';
import type { Reservation } from '../../test/blackbox/shapes.ts';

const DAY_MS = 86_400_000;
/** Bookings of two years; the last stays are still to come. */
const BOOKED_DAYS = 730;
const MAX_LEAD_DAYS = 120;
const CHUNK_ROWS = 50_000;
/** One in so many belongs to a group of so many rooms. */
const GROUPED = 50;
const ROOMS_OF_A_GROUP = 100;

type Row = Record<string, string | null>;

/** Individual values of the n-th reservation, as in the tables. */
export type Booked = {
  propertyId: string;
  guestId: string;
  email: string;
  confirmationNumber: string;
  groupId: string | null;
  channel: string;
  status: ReservationStatus;
  checkIn: string;
  checkOut: string;
};

/** Columns that differ from row to row, and the text of all others. */
type Model = { constant: Row; names: readonly string[]; tail: string };

export type Share = {
  tenant: string;
  rows: number;
  /** How many earlier shares have loaded: ids and names count on from there. */
  first?: number;
  properties: readonly string[];
  /** Prefix of confirmation numbers, which are unique over all tenants. */
  mark: string;
};

/**
 * Reservations of one tenant, copied from one written by the service, so that every column is realistic; each with its
 * payment. Without journal, status history, guests and cells, which lists do not read.
 */
export class ManyReservations {
  readonly #share: Share;
  readonly #now = Date.now();

  constructor(share: Share) {
    this.#share = share;
  }

  /** The n-th, counted from the oldest. */
  booked(n: number): Booked & { createdAt: number; updatedAt: number; nights: number } {
    const { rows, properties, mark } = this.#share;
    const id = this.#id(n);
    const createdAt = this.#now - BOOKED_DAYS * DAY_MS + Math.floor((n / rows) * BOOKED_DAYS * DAY_MS);
    const nights = 1 + (n % 5);
    const from = Math.floor(createdAt / DAY_MS) + ((n * 7_919) % MAX_LEAD_DAYS);
    const dates = { checkIn: date(from), checkOut: date(from + nights) };
    const changed = createdAt + ((n * 31) % 40) * DAY_MS;
    return {
      ...dates,
      nights,
      createdAt,
      updatedAt: Math.min(changed, this.#now - (rows - n)),
      propertyId: properties[(n * 31 + Math.floor(n / properties.length)) % properties.length] ?? '',
      guestId: uuid(2, Math.floor(id / 3)),
      email: `guest${Math.floor(id / 3)}@example.com`,
      confirmationNumber: `${mark}${String(id).padStart(9, '0')}`,
      groupId: id % GROUPED === 0 ? uuid(3, Math.floor(id / GROUPED / ROOMS_OF_A_GROUP)) : null,
      channel: channelOf(n),
      status: statusOf(n, from, nights, Math.floor(this.#now / DAY_MS)),
    };
  }

  /** Loads them by COPY, past row security. @param onProgress called with the number of loaded rows */
  async load(admin: Client, model: Reservation, onProgress: (rows: number) => void): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-copy-'));
    chmodSync(folder, 0o755);
    const reservation = await oneRow(admin, 'reservations', 'id', model.reservationId);
    const payment = await oneRow(admin, 'payments', 'reservation_id', model.reservationId);
    const reservations = modelOf(reservation, this.#reservation(reservation, 0));
    const payments = modelOf(payment, this.#payment(0));
    let under = Promise.resolve();
    try {
      for (let from = 0; from < this.#share.rows; from += CHUNK_ROWS) {
        const numbers = Array.from({ length: Math.min(CHUNK_ROWS, this.#share.rows - from) }, (_, n) => from + n);
        const rows = numbers.map((n) => this.#reservation(reservation, n));
        const paid = numbers.map((n) => this.#payment(n));
        // The next rows are made while the database takes these.
        await under;
        under = copy(admin, join(folder, 'reservations.csv'), 'reservations', reservations, rows).then(() =>
          copy(admin, join(folder, 'payments.csv'), 'payments', payments, paid),
        );
        under.catch(() => {});
        onProgress(from);
      }
      await under;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #id(n: number): number {
    return (this.#share.first ?? 0) + n;
  }

  /** Individual values of the n-th row. */
  #reservation(model: Row, n: number): Row {
    const { createdAt, updatedAt, nights, ...one } = this.booked(n);
    return {
      tenant_id: this.#share.tenant,
      id: uuid(1, this.#id(n)),
      property_id: one.propertyId,
      confirmation_number: one.confirmationNumber,
      guest_id: one.guestId,
      status: one.status,
      status_key: String(statusKey(one.status)),
      check_in: one.checkIn,
      check_out: one.checkOut,
      nights: String(nights),
      source: one.channel,
      group_id: one.groupId,
      room_number: one.status.startsWith('CHECKED') ? `DLX-${n % 400}` : null,
      details: (model.details ?? '').replaceAll(model.email_key ?? '', one.email),
      email_key: one.email,
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
    };
  }

  #payment(n: number): Row {
    const { propertyId, createdAt } = this.booked(n);
    const { tenant, mark } = this.#share;
    const created_at = new Date(createdAt).toISOString();
    const id = this.#id(n);
    const ids = { id: uuid(4, id), reservation_id: uuid(1, id), transaction_id: `copied-${mark}-${id}` };
    return { tenant_id: tenant, ...ids, property_id: propertyId, processed_at: created_at, created_at };
  }
}

/**
 * Drops the indexes of both tables, loads, and builds them again, which is several times faster; then gathers
 * statistics. @param onProgress called with the current step
 */
export async function withoutIndexes(
  admin: Client,
  load: () => Promise<void>,
  onProgress: (what: string) => void,
): Promise<void> {
  const { rows } = await admin.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid in ('reservations'::regclass, 'payments'::regclass)
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await admin.query(`drop index ${name}`);
  await load();
  await admin.query(`set maintenance_work_mem = '256MB'`);
  for (const { name, definition } of rows) {
    onProgress(name);
    await admin.query(definition);
  }
  onProgress('vacuum and statistics');
  await admin.query('vacuum (analyze) reservations, payments');
}

/** Ids grow with time, as those of the service do. */
function uuid(kind: number, n: number): string {
  const hex = n.toString(16).padStart(12, '0');
  return `01900000-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${kind}00-${hex.slice(-12)}`;
}

function date(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Most by three channels, few by others, none by WALKIN. */
function channelOf(n: number): string {
  const share = (n * 17) % 1_000;
  if (share < 300) return 'DIRECT';
  if (share < 600) return 'WEBSITE';
  if (share < 900) return 'OTA';
  if (share < 970) return 'PHONE';
  return share < 999 ? 'CORPORATE' : 'GROUP';
}

function statusOf(n: number, from: number, nights: number, today: number): ReservationStatus {
  const share = (n * 13) % 100;
  if (share < 12) return 'CANCELLED';
  if (from > today) return share === 12 && n % 3 === 0 ? 'PENDING' : 'CONFIRMED';
  if (share < 14) return 'NO_SHOW';
  if (from + nights > today) return 'CHECKED_IN';
  return 'CHECKED_OUT';
}

/** A row as texts, `null` for nulls. */
async function oneRow(admin: Client, table: string, key: string, id: string): Promise<Row> {
  const columns = await columnsOf(admin, table);
  const texts = columns.map((column) => `${column}::text`).join(', ');
  const { rows } = await admin.query<Row>(`select ${texts} from ${table} where ${key} = $1`, [id]);
  if (!rows[0]) throw new Error(`${table} has no row of reservation ${id}`);
  return rows[0];
}

async function columnsOf(admin: Client, table: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The constant part of all rows is serialized once. */
function modelOf(model: Row, own: Row): Model {
  const constant = Object.fromEntries(Object.entries(model).filter(([column]) => !(column in own)));
  return { constant, names: Object.keys(own), tail: Object.values(constant).map(csv).join(',') };
}

async function copy(admin: Client, file: string, table: string, model: Model, rows: readonly Row[]): Promise<void> {
  const lines = rows.map((row) => `${model.names.map((name) => csv(row[name] ?? null)).join(',')},${model.tail}\n`);
  writeFileSync(file, lines.join(''));
  const columns = [...model.names, ...Object.keys(model.constant)].join(', ');
  await admin.query(`copy ${table} (${columns}) from '${file}' (format csv)`);
}

/** An empty field is null, a quoted one is text. */
function csv(value: string | null): string {
  return value === null ? '' : `"${value.replaceAll('"', '""')}"`;
}
