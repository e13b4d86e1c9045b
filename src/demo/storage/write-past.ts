import type { Client } from 'pg';

import type { Address } from '../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import { formatInstant, type Instant } from '../../kernel/rules/property-time.ts';
import { COMMIT, ROW_LISTS } from '../../property-store/storage/lists.ts';
import { takeProperty, takenOf, type TakenRow } from '../../property-store/storage/property-activation.ts';
import type { DemoState } from '../ports.ts';

/** Arguments of the commit function, as `batchArguments` makes them. */
export type CommitArguments = (string | null)[];

const FENCES = 2 + ROW_LISTS.indexOf('fences');
const COUNTS = 1;

/** A message that was sent, by the journal row that it is about. */
export type SentMail = { reservationId: string; kind: 'CONFIRMATION' | 'CANCELLATION'; seq: number; at: Instant };

const TENANT = `select set_config('innkeeper.tenant', $1, true)`;
export const TAKE = takeProperty(['$1', '$2', '$3']);

export const RELEASE = 'select release_properties_v1($1, $2, $3)';

const STATE = `
  insert into demo_states (tenant_id, property_id, seed, began_at, parts, booked_until, pace)
  values ($1, $2, $3, $4, $5, $4, $6)`;

const PART_DONE = `
  update demo_states set parts_done = $3 where tenant_id = $1 and property_id = $2 and parts_done = $3 - 1 returning 1`;

/** Readers of the journal begin after it: nobody gets a mail of last year. */
export const POSITION = `insert into notification_positions (tenant_id, property_id, seq) values ($1, $2, $3)`;

/** Messages are forgotten after 30 days. */
const MAILS = `
  insert into notifications (tenant_id, property_id, reservation_id, kind, channel, occasion, at, state, attempts,
    due_at, sent_at)
  select $1, $2, x."reservationId", x.kind::notification_kind, 'MAIL', x.seq, at.at, 'SENT', 1,
    at.at + interval '30 days', at.at + interval '2 seconds'
  from json_to_recordset($3) as x ("reservationId" uuid, kind text, seq bigint, at float8),
    lateral (select to_timestamp(x.at / 1000)) as at (at)`;

/**
 * Dates whose night audit is not made by the daily job: those of the past are made once its stays are written, in
 * order, and would be made before otherwise.
 */
const AUDITS = `
  insert into daily_jobs (tenant_id, property_id, job, date)
  select $1, $2, 'NIGHT_AUDIT', d::date from generate_series($3::date - 7, $3::date, interval '1 day') d
  on conflict do nothing`;

/** What a property is written with, before its actor has ever been active. */
type RecentPast = {
  batches: readonly CommitArguments[];
  mails: readonly SentMail[];
  seq: number;
  today: Day;
};

/**
 * Writes a property that has lived, in one transaction (docs/concepts/demo.md#how-the-past-is-written).
 * @param client as innkeeper_app
 * @returns false when the property exists already: it is left as it is
 */
export async function writeRecentPast(
  client: Client,
  state: Omit<DemoState, 'partsDone' | 'bookedUntil'>,
  nodeId: string,
  { batches, mails, seq, today }: RecentPast,
): Promise<boolean> {
  const here = [state.tenantId, state.propertyId];
  return inTransaction(client, state, async () => {
    const { rows } = await client.query<TakenRow>(TAKE, [...here, nodeId]);
    const owned = takenOf(rows[0]!);
    if ('heldBy' in owned || owned.seq > 0) return false;
    for (const values of batches) await client.query(COMMIT, ownedBy(values, owned.epoch));
    const { seed, beganAt, parts, pace } = state;
    await client.query(STATE, [...here, seed, formatInstant(beganAt), parts, pace]);
    await client.query(POSITION, [...here, seq]);
    await client.query(MAILS, [...here, JSON.stringify(mails)]);
    await client.query(AUDITS, [...here, formatDay(today)]);
    // In a cluster another node may be the one to own it.
    const released = [{ t: state.tenantId, p: state.propertyId, epoch: owned.epoch }];
    await client.query(RELEASE, [state.tenantId, nodeId, JSON.stringify(released)]);
    return true;
  });
}

/**
 * Writes stays that were over long ago, in one transaction with the mark that this part is done.
 * @returns false when it was written before
 */
export async function writeOldPart(
  client: Client,
  to: Address,
  part: number,
  values: CommitArguments,
): Promise<boolean> {
  return inTransaction(client, to, async () => {
    const { rows } = await client.query(PART_DONE, [to.tenantId, to.propertyId, part + 1]);
    if (rows.length === 0) return false;
    await client.query(COMMIT, withoutFence(values));
    return true;
  });
}

/** Lets the daily job leave the audits of these dates alone, also after a restart. */
export async function deferAudits(client: Client, to: Address, today: Day): Promise<void> {
  await inTransaction(client, to, async () => {
    await client.query(AUDITS, [to.tenantId, to.propertyId, formatDay(today)]);
    return true;
  });
}

/** One transaction of a tenant, rolled back where the work says that it is not done. */
export async function inTransaction(
  client: Client,
  { tenantId }: Address,
  work: () => Promise<boolean>,
): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(TENANT, [tenantId]);
    const isDone = await work();
    await client.query(isDone ? 'commit' : 'rollback');
    return isDone;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** The batch of this owner: its epoch is known only once the property is taken. */
export function ownedBy(values: CommitArguments, epoch: number): CommitArguments {
  const fences = (JSON.parse(values[FENCES]!) as object[]).map((fence) => ({ ...fence, epoch }));
  return values.with(FENCES, JSON.stringify(fences));
}

/** What belongs to no state of the property moves no fence. */
function withoutFence(values: CommitArguments): CommitArguments {
  const { fences: _, ...counts } = JSON.parse(values[COUNTS]!) as Record<string, number>;
  return values.with(FENCES, null).with(COUNTS, JSON.stringify(counts));
}
