import type { Minor } from '../../kernel/rules/money.ts';
import { daySql, ms, presentSql } from '../../platform/database/load-sql.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';
import type { ChannelTarget } from '../ports.ts';
import type { KnownLine, MappedLine } from '../rules/channel-values.ts';
import type { Channel, ChannelLine } from '../rules/channel.ts';
import { FULL_PACE } from '../rules/pace.ts';
import { countStored, nightsOfRuns } from './stored-values.ts';

/** Mapped room types of the channel c, each with its config. */
const MAPPINGS = `coalesce((
  select json_agg(json_build_object('roomType', m.room_type, 'externalRoom', m.external_room_id,
    'config', m.mapping_config) order by m.created_at, m.id)
  from channel_mappings m
  where m.tenant_id = c.tenant_id and m.property_id = c.property_id and m.channel_code = c.channel_code
    and m.deleted_at is null), '[]')`;

/** SQL of channels with their progress. Parameter: tenant. */
export const CHANNEL = `
  select ${presentSql(`json_build_object('channelId', c.id, 'propertyId', c.property_id,
    'channelCode', c.channel_code, 'name', c.name, 'adapter', c.adapter, 'url', c.url,
    'isAuthorized', c.authorization_header is not null,
    'availabilitySync', c.availability_sync, 'rateSyncEnabled', c.rate_sync_enabled,
    'minRate', c.min_rate, 'maxRate', c.max_rate, 'commission', c.commission::float8,
    'stopSellOnFailure', c.stop_sell_on_failure, 'status', s.status, 'pausedBecause', c.paused_because,
    'pausedAt', ${ms('c.paused_at')}, 'createdAt', ${ms('c.created_at')}, 'changedAt', ${ms('c.changed_at')},
    'mapped', ${MAPPINGS},
    'progress', json_build_object('behind', coalesce(p.behind, 0), 'waitingSince', ${ms('p.waiting_since')},
      'failingSince', ${ms('p.failing_since')}, 'nextAttemptAt', ${ms('p.retry_at')},
      'lastTakenAt', ${ms('c.last_taken_at')}, 'lastError', c.last_error, 'lastErrorAt', ${ms('c.last_error_at')},
      'atRisk', c.at_risk, 'drift', c.drift, 'auditedAt', ${ms('c.audited_at')}))`)} as one,
    coalesce((
      select json_agg(l.rejected) from channel_lines l
      where l.tenant_id = c.tenant_id and l.channel_id = c.id), '[]') as rejected
  from channels c
  join subscriptions s using (tenant_id, id)
  left join lateral (
    select greatest(a.seq - u.seq, 0)::float8 as behind, u.failing_since, u.retry_at, (
      select at from journal j
      where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.seq > u.seq
      order by j.seq limit 1) as waiting_since
    from property_actor a
    join subscription_cursors u
      on u.tenant_id = a.tenant_id and u.subscription_id = c.id and u.property_id = a.property_id
    where a.tenant_id = c.tenant_id and a.property_id = c.property_id) as p on true
  where c.tenant_id = ?`;

type Mapped = {
  roomType: string;
  externalRoom: string;
  config: {
    rateMapping?: Record<string, string>;
    availabilitySync?: boolean;
    rateSyncEnabled?: boolean;
    minRate?: Minor;
    maxRate?: Minor;
  };
};

type StoredRuns = Parameters<typeof countStored>[0];
export type ChannelRow = {
  one: Omit<Channel, 'mappings' | 'progress'> & {
    mapped: Mapped[];
    progress: Omit<Channel['progress'], 'rejected'>;
  };
  rejected: StoredRuns[];
};

export function channelOf({ one, rejected }: ChannelRow): Channel {
  const { mapped, progress, ...channel } = one;
  const count = rejected.reduce((sum, runs) => sum + countStored(runs), 0);
  return { ...channel, mappings: mapped.flatMap(linesOf), progress: { ...progress, rejected: count } };
}

/** A mapping without codes of rates is one of the best available rate, under its own code. */
function linesOf({ roomType, externalRoom, config }: Mapped): ChannelLine[] {
  const rates = Object.entries(config.rateMapping ?? { [BAR]: BAR });
  return rates.map(([ratePlan, externalRate]) => ({ roomType, ratePlan, externalRoom, externalRate }));
}

/** What sending needs. Parameters: tenant, channel. */
export const TARGET = `
  select c.adapter, c.url, c.authorization_header as "authorization", c.stop_sell_on_failure as "stopSellOnFailure",
    c.availability_sync as "availabilitySync", c.rate_sync_enabled as "rateSyncEnabled",
    c.pace_free::float8 as "paceFree", (extract(epoch from c.pace_at) * 1000)::float8 as "paceAt",
    ${daySql('c.audited_day')} as "auditedDay", ${MAPPINGS} as mapped
  from channels c where c.tenant_id = ? and c.id = ?`;
export const LINES = `
  select room_type as "roomType", rate_plan as "ratePlan", external_room as "externalRoom",
    external_rate as "externalRate", taken, rejected
  from channel_lines where tenant_id = ? and channel_id = ?`;

export type TargetRow = Pick<ChannelTarget, 'adapter' | 'url' | 'stopSellOnFailure'> & {
  authorization: string | null;
  availabilitySync: boolean;
  rateSyncEnabled: boolean;
  paceFree: number | null;
  paceAt: number | null;
  auditedDay: number | null;
  mapped: Mapped[];
};
export type LineRow = ChannelLine & { taken: StoredRuns; rejected: StoredRuns };

export function targetOf(row: TargetRow, lines: readonly LineRow[]): ChannelTarget {
  const { adapter, url, authorization, stopSellOnFailure, paceFree, paceAt, auditedDay } = row;
  return {
    adapter,
    url,
    ...(authorization !== null && { authorization }),
    stopSellOnFailure,
    mapped: row.mapped.flatMap((mapped) => mappedLines(mapped, row)),
    known: lines.map(knownLine),
    pace: paceFree === null || paceAt === null ? FULL_PACE : { free: paceFree, at: paceAt },
    ...(auditedDay !== null && { auditedDay }),
  };
}

/** A mapping does what it says; where it says nothing its channel does. */
function mappedLines(mapped: Mapped, channel: TargetRow): MappedLine[] {
  const { availabilitySync, rateSyncEnabled, minRate, maxRate } = mapped.config;
  const sent = {
    hasAvailability: availabilitySync ?? channel.availabilitySync,
    hasRates: rateSyncEnabled ?? channel.rateSyncEnabled,
    ...(minRate !== undefined && { minRate }),
    ...(maxRate !== undefined && { maxRate }),
  };
  return linesOf(mapped).map((line) => ({ ...line, ...sent }));
}

export function knownLine({ taken, rejected, ...line }: LineRow): KnownLine {
  const { nights: doubtful, timed } = nightsOfRuns(rejected);
  return { ...line, taken: nightsOfRuns(taken).nights, rejected: timed, doubtful };
}

/** Settings for the audit trail, without its header and progress; of an address only its host: its path may be a secret. */
export function imageOfChannel({
  url,
  progress: _progress,
  createdAt: _c,
  changedAt: _h,
  ...channel
}: Channel): object {
  const { minRate, maxRate, ...settings } = channel;
  const bounds = { minRate: minRate && minRate / 100, maxRate: maxRate && maxRate / 100 };
  return { ...settings, host: URL.parse(url)?.host, ...bounds };
}
