import { connect } from '../platform/database/connection.ts';
import { runOnDatabase } from './database-tool.ts';

/** Target size of a booking in bytes (docs/measurements/bookings.md#size). */
const GOAL_BYTES = 3_500;
/** Retention of the journal. Idempotency keys live for a day, so they count for the disk, not per booking. */
const JOURNAL_DAYS = 400;

const TABLES = `
  select regexp_replace(c.relname, '^journal_.*', 'journal') as name,
    sum(pg_relation_size(c.oid))::float8 as rows, sum(pg_indexes_size(c.oid))::float8 as indexes,
    sum(pg_total_relation_size(c.oid) - pg_relation_size(c.oid) - pg_indexes_size(c.oid))::float8 as rest
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'availability') group by 1`;

/** Estimated row counts: exact ones would read all rows. */
const BOOKINGS = `
  select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as bookings from pg_class where oid = 'public.reservations'::regclass`;

/** Tables that a booking adds to for good, and those for a day. */
const LASTING = [
  'reservations',
  'reservation_status_history',
  'payments',
  'guests',
  'guest_keys',
  'journal',
] as const;
const PASSING = ['idempotency', 'holds'] as const;

type Table = { name: string; rows: number; indexes: number; rest: number };

function print(tables: readonly Table[], bookings: number): void {
  if (bookings === 0) {
    console.log('there are no bookings yet, or the database has not counted them: book some and ask again');
    return;
  }
  const line = (what: string, bytes: number): void =>
    console.log(
      `${what.padEnd(34)} ${Math.round(bytes / bookings)
        .toString()
        .padStart(7)} bytes a booking`,
    );
  const sizeOf = (name: string): Table =>
    tables.find((table) => table.name === name) ?? { name, rows: 0, indexes: 0, rest: 0 };
  const total = ({ rows, indexes, rest }: Table): number => rows + indexes + rest;
  console.log(`about ${bookings} bookings`);
  for (const name of LASTING) line(name, total(sizeOf(name)));
  const sum = LASTING.reduce((bytes, name) => bytes + total(sizeOf(name)), 0);
  line('in all', sum);
  line(
    '  of these rows, without indexes',
    LASTING.reduce((bytes, name) => bytes + sizeOf(name).rows, 0),
  );
  for (const name of PASSING) line(`for a day: ${name}`, total(sizeOf(name)));
  const each = sum / bookings;
  const journal = total(sizeOf('journal')) / bookings;
  console.log(`goal: under ${GOAL_BYTES} bytes; ${each < GOAL_BYTES ? 'met' : 'missed'}`);
  const perDay = 1_000;
  const storedGb = ((each - journal) * perDay * 365 + journal * perDay * JOURNAL_DAYS) / 1e9;
  console.log(`growth at ${perDay} bookings a day: ${((each * perDay) / 1e6).toFixed(1)} MB a day,`);
  console.log(`  ${storedGb.toFixed(1)} GB after a year, with ${JOURNAL_DAYS} days of journal`);
}

/** `npm run size`: bytes per booking by table, and the growth of the database. */
await runOnDatabase('measure', async (databaseUrl) => {
  const client = await connect(databaseUrl, 'innkeeper_system', {
    settings: { idle_session_timeout: '0' },
    answerWithinMs: 0,
  });
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: counted } = await client.query<{ bookings: number }>(BOOKINGS);
  await client.end();
  print(tables, counted[0]!.bookings);
  return 0;
});
