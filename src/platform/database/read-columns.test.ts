import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import ts from 'typescript';

import { sqlName } from './tables/table.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const textsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));

/** Columns of all tables, as migrations create them. */
const TYPES = 'text|uuid|char|varchar|int|bigint|smallint|numeric|boolean|date|timestamptz|jsonb?|[a-z_]+_[a-z]+';
const COLUMNS = new Set(
  textsOf('migrations/**/*.sql').flatMap((text) =>
    [...text.matchAll(new RegExp(`^ {2,}([a-z_]+) (?:${TYPES})\\b`, 'gm'))].map(([, name = '']) => name),
  ),
);

/** `r.check_in`, or `${cents('r.paid_amount')}::float8`. */
const READ = String.raw`(?:\$\{\w+\('(?:\w+\.)?([a-z_]+)'\)\}|(?<![\w':])(?:\w+\.)?([a-z_]+))(?:::\w+)?`;
const NAMED_AFTER = new RegExp(String.raw`${READ}\s+as\s+"?([a-z]\w*)"?`, 'g');
const NAMED_BEFORE = new RegExp(String.raw`'([a-z]\w*)',\s+${READ}`, 'g');

/** Templates of a file, each with those inside it. */
function templatesOf(text: string): string[] {
  const file = ts.createSourceFile('sql.ts', text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node)) found.push(node.getText(file));
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Columns that statements read under other names than their own. */
const RENAMED: Readonly<Record<string, string>> = {
  assigned_to: 'attendant',
  authorization_header: 'authorization isAuthorized',
  balance_due: 'balance',
  blocked_rooms: 'blocked',
  booked: 'materialized stored',
  booked_rooms: 'booked',
  business_date: 'today',
  changed: 'materialized',
  changed_at: 'at',
  changed_by: 'by',
  code: 'what',
  committed_at: 'at',
  confirmation_number: 'what',
  created_at: 'at orderedAt',
  date: 'day',
  details: 'guest',
  discount_type: 'type',
  doc: 'subject',
  end_date: 'end',
  entity: 'entityId kind',
  external_room_id: 'externalRoom',
  facts: 'rates',
  generation: 'current',
  group_id: 'of_group',
  guest_id: 'id',
  head_hash: 'hash head',
  held_rooms: 'held',
  id: 'channelId companyId deliveryId entryId guestId guest_id importId mailId noteId refundId reservationId reservation_id subscriptionId userId webhookId',
  inventory_limit: 'totalRooms',
  mapping_config: 'config',
  metric_type: 'type',
  n: 'date day',
  name: 'tenant',
  new_status: 'to',
  old_status: 'from',
  paid_amount: 'paid storedPaid',
  paid_out_reference: 'reference',
  parameters: 'covers',
  plan: 'ratePlan',
  property_id: 'source',
  push_attempts: 'attempts',
  rate_code: 'plan',
  rate_date: 'date',
  rate_version: 'journaledRateVersion',
  report_type: 'type',
  reservation_id: 'id',
  retry_at: 'nextAttemptAt',
  room_type: 'code',
  rooms: 'roomNights',
  sent_by: 'by',
  seq: 'cursor newest seen',
  source: 'channel',
  start_date: 'start',
  state: 'status',
  status: 'tenantStatus',
  stay_end_date: 'end',
  stay_start_date: 'start',
  stays: 'materialized',
  text: 'sealed',
  told_at: 'at',
  told_seq: 'seq',
  total_amount: 'storedCharges total',
  total_rooms: 'total',
  transaction_type: 'kind',
  type: 'action command',
  written_at: 'at',
  written_by: 'by',
};

t.test('a column is read under its own name, or under one that is listed here', async (t) => {
  const read = textsOf('src/**/storage/*.ts')
    .flatMap(templatesOf)
    .flatMap((sql) => [
      ...[...sql.matchAll(NAMED_AFTER)].map(([, inside, plain, name = '']) => [inside ?? plain ?? '', name]),
      ...[...sql.matchAll(NAMED_BEFORE)].map(([, name = '', inside, plain]) => [inside ?? plain ?? '', name]),
    ]);
  const columns = read.filter(([column = '']) => COLUMNS.has(column));
  t.ok(columns.length > 100, 'they are found');
  const renamed: Record<string, Set<string>> = {};
  for (const [column = '', name = ''] of columns)
    if (column !== sqlName(name)) (renamed[column] ??= new Set()).add(name);
  const names = Object.entries(renamed).map(([column, of]) => [column, [...of].sort().join(' ')]);
  t.strictSame(Object.fromEntries(names), RENAMED);
});
