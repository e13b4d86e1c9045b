import type { EntityManager } from '@mikro-orm/postgresql';

import { formatDay } from '../../kernel/rules/dates.ts';
import type { LeasedCursor } from '../../subscriptions/ports.ts';
import type { ChannelOutcome } from '../ports.ts';
import type { KnownLine } from '../rules/channel-values.ts';
import { storedRuns } from './stored-values.ts';

const MINE = `
  select from subscription_cursors
  where tenant_id = ? and subscription_id = ? and property_id = ? and epoch = ? for update`;
const PUT_LINE = `
  insert into channel_lines (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate, taken, rejected)
  values (?, ?, ?, ?, ?, ?, ?::json, ?::json)
  on conflict (tenant_id, channel_id, room_type, rate_plan, external_room, external_rate) do update
  set taken = excluded.taken, rejected = excluded.rejected`;
const FORGET_LINE = `
  delete from channel_lines
  where tenant_id = ? and channel_id = ? and room_type = ? and rate_plan = ? and external_room = ?
    and external_rate = ?`;
const RECORD = `
  update channels set
    pace_free = coalesce(?, pace_free), pace_at = coalesce(to_timestamp(?::float8 / 1000), pace_at),
    last_taken_at = coalesce(to_timestamp(?::float8 / 1000), last_taken_at),
    last_error = coalesce(?, last_error), last_error_at = coalesce(to_timestamp(?::float8 / 1000), last_error_at),
    at_risk = coalesce(?, at_risk)
  where tenant_id = ? and id = ?`;
const AUDITED = `
  update channels set drift = ?, audited_at = to_timestamp(?::float8 / 1000), audited_day = ?::date
  where tenant_id = ? and id = ?`;

/**
 * Records what a channel was sent and has answered, if the cursor is still under the epoch in which it was sent: a node
 * that was taken over overwrites nothing.
 */
export async function recordOutcome(
  em: EntityManager,
  { of: { tenantId, subscriptionId, propertyId }, epoch }: LeasedCursor,
  outcome: ChannelOutcome,
): Promise<boolean> {
  const mine = await em.execute<unknown[]>(MINE, [tenantId, subscriptionId, propertyId, epoch]);
  if (mine.length === 0) return false;
  const of = [tenantId, subscriptionId];
  for (const line of outcome.lines ?? []) await putLine(em, of, line);
  for (const line of outcome.forgotten ?? []) await em.execute(FORGET_LINE, [...of, ...keysOf(line)]);
  const { pace, takenAt, error, atRisk, audit } = outcome;
  const changed = [pace?.free, pace?.at, takenAt, error?.why, error?.at, atRisk].map((value) => value ?? null);
  await em.execute(RECORD, [...changed, ...of]);
  if (audit) await em.execute(AUDITED, [audit.drift ?? null, audit.at, formatDay(audit.day), ...of]);
  return true;
}

/** Stores what a channel has of a line. @param of tenant and channel */
export async function putLine(em: EntityManager, of: readonly string[], line: KnownLine): Promise<void> {
  const notTaken = [...storedRuns(line.rejected), ...storedRuns(line.doubtful)];
  const values = [JSON.stringify(storedRuns(line.taken)), JSON.stringify(notTaken)];
  await em.execute(PUT_LINE, [...of, ...keysOf(line), ...values]);
}

const keysOf = ({ roomType, ratePlan, externalRoom, externalRate }: KnownLine): string[] => [
  roomType,
  ratePlan,
  externalRoom,
  externalRate,
];
