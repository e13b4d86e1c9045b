import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { ReservationStatus } from '../../src/domain/reservation.ts';
import { statusKey } from '../../src/storage/row-values.ts';
import type { Reservation } from '../../test/blackbox/shapes.ts';

export const HOUSES = 50;
const TENANT = 'demo';
const DAY_MS = 86_400_000;
/** Books of two years, the last stays of which are still to come. */
const BOOKED_DAYS = 730;
const MOST_LEAD_DAYS = 120;
const CHUNK_ROWS = 20_000;
/** One in so many belongs to a group, of so many rooms. */
const GROUPED = 50;
const ROOMS_OF_A_GROUP = 100;

type Row = Record<string, string | null>;

/** What the n-th of all reservations has for itself, as the tables have it. */
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

/**
 * A million reservations, copied from one that the service has written, so that every column is as the application
 * writes it; each with its payment. Without their journal, status history, guests and cells: a list reads none of them.
 */
export class ManyReservations {
  readonly #rows: number;
  readonly #houses: readonly string[];
  readonly #now = Date.now();

  constructor(rows: number, houses: readonly string[]) {
    this.#rows = rows;
    this.#houses = houses;
  }

  /** The n-th, counted from the oldest. */
  booked(n: number): Booked & { createdAt: number; updatedAt: number; nights: number } {
    const createdAt = this.#now - BOOKED_DAYS * DAY_MS + Math.floor((n / this.#rows) * BOOKED_DAYS * DAY_MS);
    const nights = 1 + (n % 5);
    const from = Math.floor(createdAt / DAY_MS) + ((n * 7_919) % MOST_LEAD_DAYS);
    const dates = { checkIn: date(from), checkOut: date(from + nights) };
    const changed = createdAt + ((n * 31) % 40) * DAY_MS;
    return {
      ...dates,
      ...{ nights, createdAt, updatedAt: Math.min(changed, this.#now - (this.#rows - n)) },
      propertyId: this.#houses[(n * 31 + Math.floor(n / HOUSES)) % HOUSES] ?? '',
      guestId: uuid(2, Math.floor(n / 3)),
      email: `guest${Math.floor(n / 3)}@example.com`,
      confirmationNumber: `L${n.toString(36).toUpperCase().padStart(9, '0')}`,
      groupId: n % GROUPED === 0 ? uuid(3, Math.floor(n / GROUPED / ROOMS_OF_A_GROUP)) : null,
      channel: channelOf(n),
      status: statusOf(n, from, nights, Math.floor(this.#now / DAY_MS)),
    };
  }

  /** Loads them by COPY, past row security, and gathers statistics. @returns rows and milliseconds of COPY alone */
  async load(admin: Client, model: Reservation): Promise<number> {
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-copy-'));
    chmodSync(folder, 0o755);
    const [reservation, payment] = [
      await oneRow(admin, 'reservations', 'id', model.reservationId),
      await oneRow(admin, 'payments', 'reservation_id', model.reservationId),
    ];
    let ms = 0;
    try {
      for (let from = 0; from < this.#rows; from += CHUNK_ROWS) {
        const numbers = Array.from({ length: Math.min(CHUNK_ROWS, this.#rows - from) }, (_, n) => from + n);
        ms += await copy(
          admin,
          folder,
          'reservations',
          numbers.map((n) => this.#reservation(reservation, n)),
        );
        ms += await copy(
          admin,
          folder,
          'payments',
          numbers.map((n) => this.#payment(payment, n)),
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    await admin.query('vacuum (analyze) reservations, payments');
    return ms;
  }

  #reservation(model: Row, n: number): Row {
    const { createdAt, updatedAt, nights, ...one } = this.booked(n);
    return {
      ...model,
      id: uuid(1, n),
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

  #payment(model: Row, n: number): Row {
    const { propertyId, createdAt } = this.booked(n);
    const created_at = new Date(createdAt).toISOString();
    const ids = { id: uuid(4, n), reservation_id: uuid(1, n), transaction_id: `copied-${n}` };
    return { ...model, ...ids, property_id: propertyId, processed_at: created_at, created_at };
  }
}

/** Ids grow with time, as those of the service do. */
function uuid(kind: number, n: number): string {
  const hex = n.toString(16).padStart(12, '0');
  return `01900000-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${kind}00-${hex.slice(-12)}`;
}

function date(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Most by three ways, few by others, none by WALKIN. */
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

/** A row as texts, `null` where it has none. */
async function oneRow(admin: Client, table: string, key: string, id: string): Promise<Row> {
  const columns = await columnsOf(admin, table);
  const texts = columns.map((column) => `${column}::text`).join(', ');
  const { rows } = await admin.query<Row>(`select ${texts} from ${table} where ${key} = $1 and tenant_id = $2`, [
    id,
    TENANT,
  ]);
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

async function copy(admin: Client, folder: string, table: string, rows: readonly Row[]): Promise<number> {
  const columns = Object.keys(rows[0] ?? {});
  const file = join(folder, `${table}.csv`);
  const lines = rows.map((row) => columns.map((column) => csv(row[column] ?? null)).join(','));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const began = performance.now();
  await admin.query(`copy ${table} (${columns.join(', ')}) from '${file}' (format csv)`);
  return performance.now() - began;
}

/** An empty field is null, a quoted one is text. */
function csv(value: string | null): string {
  return value === null ? '' : `"${value.replaceAll('"', '""')}"`;
}
