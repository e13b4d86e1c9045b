import type { EntityManager } from '@mikro-orm/postgresql';

import { formatDay } from '../../kernel/rules/dates.ts';
import type { Database, Statement } from '../../platform/database/database.ts';
import type { LeasedCursor } from '../../subscriptions/ports.ts';
import type { ChannelOutcome } from '../ports.ts';
import type { KnownLine } from '../rules/channel-values.ts';
import { storedRuns } from './stored-values.ts';

const CURSOR = `
  select 1 as mine from subscription_cursors
  where tenant_id = ? and subscription_id = ? and property_id = ? and epoch = ?`;
/** Holds the cursor until the other statements are done, which do nothing without it. */
const MINE = `${CURSOR} for update`;
const LINE = `
  insert into channel_lines (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate, taken, rejected)`;
const REPLACE = `
  on conflict (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate) do update
  set taken = excluded.taken, rejected = excluded.rejected`;
const PUT_LINE = `${LINE} values (?, ?, ?, ?, ?, ?, ?::json, ?::json) ${REPLACE}`;
const PUT_OWN_LINE = `${LINE} select ?, ?::uuid, ?, ?, ?, ?, ?::json, ?::json where exists (${CURSOR}) ${REPLACE}`;
const FORGET_LINE = `
  delete from channel_lines
  where tenant_id = ? and channel_id = ? and room_type = ? and rate_plan = ? and external_room = ?
    and external_rate = ? and exists (${CURSOR})`;
const RECORD = `
  update channels set
    pace_free = coalesce(?, pace_free), pace_at = coalesce(to_timestamp(?::float8 / 1000), pace_at),
    last_taken_at = coalesce(to_timestamp(?::float8 / 1000), last_taken_at),
    last_error = coalesce(?, last_error), last_error_at = coalesce(to_timestamp(?::float8 / 1000), last_error_at),
    at_risk = coalesce(?, at_risk)
  where tenant_id = ? and id = ? and exists (${CURSOR})`;
const AUDITED = `
  update channels set drift = ?, audited_at = to_timestamp(?::float8 / 1000), audited_day = ?::date
  where tenant_id = ? and id = ? and exists (${CURSOR})`;

/**
 * Records what a channel was sent and has answered, if the cursor is still under the epoch in which it was sent: a node
 * that was taken over overwrites nothing. One round trip: each message has two of them.
 */
export async function recordOutcome(
  database: Database,
  { of: { tenantId, subscriptionId, propertyId }, epoch }: LeasedCursor,
  outcome: ChannelOutcome,
): Promise<boolean> {
  const of = [tenantId, subscriptionId];
  const cursor = [...of, propertyId, epoch];
  const { pace, takenAt, error, atRisk, audit } = outcome;
  const changed = [pace?.free, pace?.at, takenAt, error?.why, error?.at, atRisk].map((value) => value ?? null);
  const statements: Statement[] = [
    [MINE, ...cursor],
    ...(outcome.lines ?? []).map((line): Statement => [PUT_OWN_LINE, ...valuesOf(of, line), ...cursor]),
    ...(outcome.forgotten ?? []).map((line): Statement => [FORGET_LINE, ...of, ...keysOf(line), ...cursor]),
    [RECORD, ...changed, ...of, ...cursor],
  ];
  if (audit) statements.push([AUDITED, audit.drift ?? null, audit.at, formatDay(audit.day), ...of, ...cursor]);
  const [mine = []] = await database.writeAtOnce(tenantId, ...statements);
  return mine.length > 0;
}

/** Stores what a channel has of a line. @param of tenant and channel */
export async function putLine(em: EntityManager, of: readonly string[], line: KnownLine): Promise<void> {
  await em.execute(PUT_LINE, [...valuesOf(of, line)]);
}

function valuesOf(of: readonly string[], line: KnownLine): string[] {
  const notTaken = [...storedRuns(line.rejected), ...storedRuns(line.doubtful)];
  return [...of, ...keysOf(line), JSON.stringify(storedRuns(line.taken)), JSON.stringify(notTaken)];
}

const keysOf = ({ roomType, ratePlan, externalRoom, externalRate }: KnownLine): string[] => [
  roomType,
  ratePlan,
  externalRoom,
  externalRate,
];
