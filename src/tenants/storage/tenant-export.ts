import type { Client } from 'pg';

import type { GuestId, TenantId } from '../../kernel/rules/ids.ts';
import { bookingsOf, type Facts } from '../../kernel/rules/journal.ts';

/**
 * Tables of tenants by name, with the columns of their primary keys, except for encryption keys of guests, idempotency
 * records, and browser sessions.
 */
const TABLES = `
  select n.nspname as schema, c.relname as name,
    (select string_agg(quote_ident(a.attname), ', ' order by k.n)
     from pg_index i, unnest(i.indkey::int2[]) with ordinality as k (attnum, n)
     join pg_attribute a on a.attnum = k.attnum
     where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid) as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'availability')
    and c.relname <> all ('{browser_sessions,guest_keys,idempotency}')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
  order by 2`;

/** Approximate characters of a page, whatever its rows hold. */
const PAGE_CHARACTERS = 4_000_000;
const FIRST_PAGE_ROWS = 16;
const MAX_PAGE_ROWS = 2_000;

/** Never exported: tokens of cards, even encrypted, and all other credentials. */
const SECRET = /^(card|.*token|.*secret|.*password|gateway_response)$/i;

export type ExportTable = { schema: string; name: string; key: string };
type Row = Record<string, unknown>;
/** Decrypts texts, keyed by ciphertext. */
export type OpenSealed = (sealed: { guestId: GuestId; name: string }[]) => Promise<Map<string, string>>;

/**
 * A snapshot of a tenant as the application role sees it, table by table; the client is of `innkeeper_app` and used
 * exclusively until the end.
 * @returns undefined when there is no such tenant
 */
export async function exportSnapshotOf(client: Client, tenantId: TenantId): Promise<ExportTable[] | undefined> {
  await client.query('begin transaction isolation level repeatable read read only');
  await client.query(`select set_config('innkeeper.tenant', $1, true)`, [tenantId]);
  const { rowCount } = await client.query('select from tenants where tenant_id = $1', [tenantId]);
  return rowCount ? (await client.query<ExportTable>(TABLES)).rows : undefined;
}

/** Rows of a table by primary key, in pages of a limited size, read by a cursor. */
export async function* exportedRows(
  client: Client,
  { schema, name, key }: ExportTable,
  open: OpenSealed,
): AsyncGenerator<string[]> {
  const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
  await client.query(
    `declare rows no scroll cursor for
     select row_to_json(x)::text as row from ${table} as x
     where tenant_id = current_setting('innkeeper.tenant') order by ${key}`,
  );
  for (let count = FIRST_PAGE_ROWS; ;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${count} from rows`);
    if (rows.length > 0) yield await openedPage(rows, name, open);
    if (rows.length < count) break;
    const characters = rows.reduce((sum, { row }) => sum + row.length, 1);
    count = Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor((count * PAGE_CHARACTERS) / characters)));
  }
  await client.query('close rows');
}

async function openedPage(page: readonly { row: string }[], table: string, open: OpenSealed): Promise<string[]> {
  const rows = page.map(({ row }) => JSON.parse(row, withoutSecrets) as Row);
  const sealed = rows.flatMap((row) => sealedIn(table, row));
  const opened = sealed.length > 0 ? await open(sealed) : new Map<string, string>();
  return rows.map((row) => JSON.stringify(withOpened(table, row, opened)));
}

const withoutSecrets = (name: string, value: unknown): unknown => (SECRET.test(name) ? undefined : value);

type Sealed = { guestId: GuestId; name: string; as: string };

/** Encrypted personal values of a row, and the names of their exported fields. */
function sealedIn(table: string, row: Row): Sealed[] {
  if (table === 'journal') {
    const facts = row['facts'] as Facts;
    const [booking] = bookingsOf({ facts, entity: row['entity'] as string });
    return facts.personal && booking ? [{ guestId: booking.guestId, name: facts.personal, as: 'guestName' }] : [];
  }
  if (table !== 'administration_journal') return [];
  return ['before', 'after'].flatMap((as) => {
    const name = (row[as] as { personal?: string } | null)?.personal;
    return name === undefined ? [] : [{ guestId: row['entity_id'] as string, name, as }];
  });
}

/** Adds plain texts beside the ciphertext, which the hash covers: the exported chain can be verified. */
function withOpened(table: string, row: Row, opened: ReadonlyMap<string, string>): Row {
  const fields = sealedIn(table, row).map(({ name, as }) => {
    const plain = opened.get(name);
    return [as, plain === undefined ? null : as === 'guestName' ? plain : (JSON.parse(plain) as unknown)] as const;
  });
  return fields.length > 0 ? { ...row, opened: Object.fromEntries(fields) } : row;
}
