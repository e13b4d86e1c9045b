import { type Day, formatDay } from '../../../kernel/rules/dates.ts';
import type { Minor } from '../../../kernel/rules/money.ts';
import { formatInstant, type Instant } from '../../../kernel/rules/property-time.ts';
import { cents, daySql, ms } from '../load-sql.ts';

type Enum =
  | 'availability_status'
  | 'event_effect'
  | 'key_state'
  | 'hold_kind'
  | 'inquiry_status'
  | 'maintenance_kind'
  | 'payment_method'
  | 'payment_status'
  | 'rate_status'
  | 'rate_strategy'
  | 'reservation_status'
  | 'room_status'
  | 'transaction_type'
  | 'waitlist_status';
type Text = 'text' | 'uuid' | 'char(3)' | `varchar(${number})` | Enum;
type Whole = 'smallint' | 'int' | 'bigint';
/** A decimal of two places; the value is in hundredths: minor units for money. */
type Decimal = `numeric(${number}, 2)`;
type SqlType = Text | Whole | Decimal | 'boolean' | 'date' | 'timestamptz(3)' | 'json' | 'jsonb' | 'smallint[]';

/**
 * Type of a column; `?`: nullable; `once`: written by an insert only; `stays`: an update without a value, as by a node of
 * an earlier build, leaves it.
 */
export type Column = `${SqlType}${'' | '?'}${'' | ' once' | ' stays'}`;
export type Columns = Readonly<Record<string, Column>>;

/**
 * Columns of a table that actors write and read. The names in `columns` are those of rows on the wire and of loaded
 * rows. In all rows `t` is the tenant, `p` the property, and `at` the time of the batch.
 */
export type ActorTable = {
  name: string;
  /** The primary key. */
  key: readonly string[];
  columns: Columns;
  /** Database names that are not the snake case of `columns`. */
  names?: Readonly<Record<string, string>>;
  /** Columns that the commit function computes from the row `r`. */
  computed?: Readonly<Record<string, readonly [column: Column, sql: string]>>;
  /** Columns with a default, or written by others. */
  others?: readonly string[];
};

/** Tenant and property of a row. */
export const PLACE = { t: 'text', p: 'varchar(50)' } as const;
/** Storing a removed record restores it. */
export const COMES_BACK = { deleted_at: ['timestamptz(3)?', 'null::timestamptz(3)'] } as const;
export const CREATED = { created_at: ['timestamptz(3) once', 'r.at'] } as const;
const IN_DATABASE: Readonly<Record<string, string>> = { t: 'tenant_id', p: 'property_id' };

/** SQL name of a member: `roomType` is `room_type`. */
export const sqlName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Name of a column in the database. */
export function nameOf({ names }: Pick<ActorTable, 'names'>, field: string): string {
  return names?.[field] ?? IN_DATABASE[field] ?? sqlName(field);
}

/** The type without its flags. */
export const typeOf = (column: Column): SqlType => column.replace(/\??( once| stays)?$/, '') as SqlType;
export const isOnce = (column: Column): boolean => column.endsWith(' once');
export const stays = (column: Column): boolean => column.endsWith(' stays');

type TypeOf<C> = C extends `${infer S} ${'once' | 'stays'}` ? TypeOf<S> : C extends `${infer S}?` ? S : C;
type ValueOf<T> = T extends 'boolean'
  ? boolean
  : T extends 'date'
    ? Day
    : T extends 'timestamptz(3)'
      ? Instant
      : T extends 'json' | 'jsonb'
        ? unknown
        : T extends `${string}[]`
          ? number[]
          : T extends Decimal
            ? Minor
            : T extends Whole
              ? number
              : string;
type Optional<C> = {
  [F in keyof C]: C[F] extends `${string}?${string}` ? F : F extends 't' | 'p' | 'at' ? F : never;
}[keyof C];

/** Values of a row; tenant, property and time may come from the batch. */
export type Values<C> = { [F in Exclude<keyof C, Optional<C>>]: ValueOf<TypeOf<C[F]>> } & {
  [F in Optional<C>]?: ValueOf<TypeOf<C[F]>> | null;
};
/** Columns without a value, not even an absent one; empty where it compiles. */
export type Unsaid<C, V> = { [F in Exclude<keyof C, keyof V | 't' | 'p' | 'at'>]: never };

type Row = Record<string, unknown>;
type Field = readonly [name: string, write: ((value: never) => unknown) | undefined];

const decimal = (hundredths: Minor): number => hundredths / 100;

function writeOf(column: Column): Field[1] {
  const type = typeOf(column);
  if (type === 'date') return formatDay;
  if (type === 'timestamptz(3)') return formatInstant;
  return type.startsWith('numeric') ? decimal : undefined;
}

/**
 * Creates the writer of rows with these columns.
 * @returns a function of a value and of defaults for its missing columns
 */
export function rowWriter(columns: Columns): (value: Row, otherwise: Row) => Row {
  const fields: Field[] = Object.entries(columns).map(([name, column]) => [name, writeOf(column)]);
  return (value, otherwise) => {
    const row: Row = {};
    for (const [name, write] of fields) {
      const own = value[name] ?? undefined;
      row[name] = own === undefined ? otherwise[name] : write ? write(own as never) : own;
    }
    return row;
  };
}

/** A row by its database column names. */
export function byColumn(table: ActorTable, row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [nameOf(table, field), value]));
}

/** Select list of a loader: names of `columns` with their SQL expressions. */
export function readsOf<T extends ActorTable>(
  table: T,
  without: readonly (keyof T['columns'])[] = [],
): [name: string, sql: string][] {
  return Object.entries(table.columns).flatMap(([name, column]) => {
    if (['t', 'p', 'at'].includes(name) || without.includes(name)) return [];
    const type = typeOf(column);
    const sql = nameOf(table, name);
    const read = type === 'date' ? daySql(sql) : type === 'timestamptz(3)' ? ms(sql) : sql;
    return [[name, type.startsWith('numeric') ? cents(sql) : read]];
  });
}

/** The same as text of a SELECT. */
export function selectOf<T extends ActorTable>(table: T, without?: readonly (keyof T['columns'])[]): string {
  return readsOf(table, without)
    .map(([name, sql]) => (name === sql ? name : `${sql} as "${name}"`))
    .join(', ');
}

/** The same as members of a JSON object. */
export const membersOf = (reads: readonly (readonly [string, string])[]): string =>
  reads.map(([name, sql]) => `'${name}', ${sql}`).join(', ');
