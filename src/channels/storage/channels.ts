import type { EntityManager } from '@mikro-orm/postgresql';

import type { By } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId, TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/database/row-values.ts';
import {
  type AdministrationWrite,
  administrationWrites,
  appendAdministration,
  takeTurn,
} from '../../tenants/storage/administration-journal.ts';
import type { Channels } from '../ports.ts';
import { allDoubtful } from '../rules/channel-values.ts';
import { type Channel, type ChannelSettings, MAX_CHANNELS } from '../rules/channel.ts';
import {
  CHANNEL,
  channelOf,
  type ChannelRow,
  imageOfChannel,
  knownLine,
  type LineRow,
  LINES,
  TARGET,
  targetOf,
  type TargetRow,
} from './channel-rows.ts';
import { putMappings } from './mapping-rows.ts';
import { ChannelOutcomes, putLine } from './outcomes.ts';

const COUNT = 'select count(*)::int as n from channels where tenant_id = ? and property_id = ?';
const KNOWN = 'select from properties where tenant_id = ? and property_id = ? and not system.is_sandbox(property_id)';
const SUBSCRIBE = `insert into subscriptions (tenant_id, id, kind, property_ids) values (?, ?, 'CHANNEL', ?::text[])`;
const CREATE = `
  insert into channels (tenant_id, id, property_id, channel_code, name, adapter, url, authorization_header,
    availability_sync, rate_sync_enabled, min_rate, max_rate, commission, stop_sell_on_failure)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Everything is sent first. */
const BEGIN = `
  insert into subscription_cursors (tenant_id, subscription_id, property_id, seq, snapshot)
  select tenant_id, ?, property_id, seq, true from property_actor where tenant_id = ? and property_id = ?`;
const CHANGE = `
  update channels set name = ?, adapter = ?, url = ?, availability_sync = ?, rate_sync_enabled = ?,
    min_rate = ?, max_rate = ?, commission = ?, stop_sell_on_failure = ?, changed_at = app_now(),
    paused_because = ?, paused_at = case when ?::text is null then null else coalesce(paused_at, app_now()) end
  where tenant_id = ? and id = ?`;
const AUTHORIZE = 'update channels set authorization_header = ? where tenant_id = ? and id = ?';
const STATUS = 'update subscriptions set status = ? where tenant_id = ? and id = ?';
/** A new fence, so that what is under way moves nothing, and a channel that has failed at nothing yet. */
const LOOK_AGAIN = `
  update subscription_cursors set snapshot = true, attempts = 0, failing_since = null, retry_at = null, failure = null,
    epoch = epoch + 1
  where tenant_id = ? and subscription_id = ?`;
const FORGET = 'delete from channel_lines where tenant_id = ? and channel_id = ?';
const REMOVE = 'delete from subscriptions where tenant_id = ? and id = ?';
const OF_CODE = 'select id from channels where tenant_id = ? and property_id = ? and channel_code = ?';
const PAUSE = `
  with paused as (
    update subscriptions set status = 'PAUSED' where tenant_id = ? and id = ? and status = 'ACTIVE' returning id)
  update channels c set paused_because = ?, paused_at = app_now() from paused p
  where c.tenant_id = ? and c.id = p.id returning c.id`;

/** Channels in PostgreSQL, within the tenant. */
export function databaseChannels(database: Database): Channels {
  const once = administrationWrites(database);
  const outcomes = new ChannelOutcomes(database);
  return {
    list: (tenantId, propertyId) =>
      database.readTenant(tenantId, async (em) => {
        const only = propertyId === undefined ? '' : ' and c.property_id = ?';
        const values = [tenantId, ...(propertyId === undefined ? [] : [propertyId])];
        const rows = await em.execute<ChannelRow[]>(`${CHANNEL}${only} order by c.created_at, c.id`, values);
        return rows.map(channelOf);
      }),
    get: (tenantId, channelId) => database.readTenant(tenantId, (em) => read(em, tenantId, channelId)),
    ...changesOf(once),
    mappingChanged: (tenantId, propertyId, channelCode) =>
      database.inTenant(tenantId, async (em) => {
        const id = await idOfCode(em, tenantId, propertyId, channelCode);
        if (id !== undefined) await em.execute(LOOK_AGAIN, [tenantId, id]);
        return id;
      }),
    pause: ({ tenantId, subscriptionId }, because, why) =>
      database.inTenant(tenantId, async (em) => {
        await takeTurn(em, tenantId);
        const before = await read(em, tenantId, subscriptionId);
        const paused = await em.execute<unknown[]>(PAUSE, [tenantId, subscriptionId, because, tenantId]);
        if (!before || paused.length === 0) return false;
        const by = { tenantId, subject: 'system', requestId: `channel-${subscriptionId}` };
        const after = { ...imageOfChannel(await mustRead(em, tenantId, subscriptionId)), why };
        const change = { entity: 'channel', entityId: subscriptionId, action: 'PAUSED' };
        await appendAdministration(em, by, { ...change, before: imageOfChannel(before), after });
        return true;
      }),
    async target(tenantId, channelId) {
      const of = [tenantId, channelId];
      const [rows = [], lines = []] = await database.readAtOnce(tenantId, [TARGET, ...of], [LINES, ...of]);
      const [row] = rows as TargetRow[];
      return row && targetOf(row, lines as LineRow[]);
    },
    record: (cursor, outcome) => outcomes.record(cursor, outcome),
  };
}

function changesOf(once: AdministrationWrite): Pick<Channels, 'create' | 'change' | 'remove' | 'sendAll'> {
  return {
    create: (by, { channelId, propertyId, authorization = null, ...settings }, key) =>
      once(by, key, async (em) => {
        const { tenantId } = by;
        await mustFit(em, tenantId, propertyId);
        await mustBeFree(em, tenantId, propertyId, settings.channelCode);
        await em.execute(SUBSCRIBE, [tenantId, channelId, `{"${propertyId}"}`]);
        const { channelCode, name, adapter, url } = settings;
        const values = [tenantId, channelId, propertyId, channelCode, name, adapter, url, authorization];
        await em.execute(CREATE, [...values, ...optionsOf(settings)]);
        await putMappings(em, by, { propertyId, ...settings });
        await em.execute(BEGIN, [channelId, tenantId, propertyId]);
        const channel = await mustRead(em, tenantId, channelId);
        await note(em, by, 'CREATED', undefined, channel);
        return channel;
      }),
    change: (by, channelId, { status, authorization, ...settings }, key) =>
      once(by, key, async (em) => {
        const { tenantId } = by;
        const before = await mustRead(em, tenantId, channelId);
        const { propertyId } = before;
        mustKeepCode(before, settings.channelCode);
        const next = status ?? before.status;
        const because = next === 'ACTIVE' ? null : (before.pausedBecause ?? 'REQUESTED');
        const { name, adapter, url } = settings;
        const values = [name, adapter, url, ...optionsOf(settings), because, because];
        await em.execute(CHANGE, [...values, tenantId, channelId]);
        if (authorization !== undefined) await em.execute(AUTHORIZE, [authorization, tenantId, channelId]);
        await em.execute(STATUS, [next, tenantId, channelId]);
        await putMappings(em, by, { propertyId, ...settings });
        // Another address, or another protocol, knows nothing yet.
        if (url !== before.url || adapter !== before.adapter) await em.execute(FORGET, [tenantId, channelId]);
        await em.execute(LOOK_AGAIN, [tenantId, channelId]);
        const after = await mustRead(em, tenantId, channelId);
        await note(em, by, 'CHANGED', before, after);
        return after;
      }),
    remove: (by, channelId, key) =>
      once(by, key, async (em) => {
        const before = await mustRead(em, by.tenantId, channelId);
        await putMappings(em, by, { ...before, mappings: [] });
        await em.execute(REMOVE, [by.tenantId, channelId]);
        await note(em, by, 'REMOVED', before, undefined);
        return null;
      }),
    sendAll: (by, channelId, key) =>
      once(by, key, async (em) => {
        const channel = await mustRead(em, by.tenantId, channelId);
        // It has what it has until it is sent something else.
        const of = [by.tenantId, channelId];
        for (const row of await em.execute<LineRow[]>(LINES, of)) await putLine(em, of, allDoubtful(knownLine(row)));
        await em.execute(LOOK_AGAIN, of);
        await note(em, by, 'SENT_WHOLE', undefined, channel);
        return mustRead(em, by.tenantId, channelId);
      }),
  };
}

type Options = Omit<ChannelSettings, 'channelCode' | 'name' | 'adapter' | 'url' | 'mappings'>;
const optionsOf = (of: Options): unknown[] => [
  of.availabilitySync,
  of.rateSyncEnabled,
  of.minRate ?? null,
  of.maxRate ?? null,
  of.commission ?? null,
  of.stopSellOnFailure,
];

async function read(em: EntityManager, tenantId: TenantId, channelId: string): Promise<Channel | undefined> {
  if (!isUuid(channelId)) return undefined;
  const [row] = await em.execute<ChannelRow[]>(`${CHANNEL} and c.id = ?`, [tenantId, channelId]);
  return row && channelOf(row);
}

async function mustRead(em: EntityManager, tenantId: TenantId, channelId: string): Promise<Channel> {
  const found = await read(em, tenantId, channelId);
  if (!found) throw new DomainError('CHANNEL_NOT_FOUND', 'The tenant has no such channel.');
  return found;
}

async function mustFit(em: EntityManager, tenantId: TenantId, propertyId: PropertyId): Promise<void> {
  const known = await em.execute<unknown[]>(KNOWN, [tenantId, propertyId]);
  if (known.length === 0) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  const [{ n } = { n: 0 }] = await em.execute<{ n: number }[]>(COUNT, [tenantId, propertyId]);
  if (n >= MAX_CHANNELS)
    throw new DomainError('INVALID_STATE', `A property has at most ${MAX_CHANNELS} channels; delete one first.`);
}

/** Its bookings are known by the code: under another one each change would be a booking of its own. */
function mustKeepCode({ channelCode }: Channel, wanted: string): void {
  if (wanted === channelCode) return;
  throw new DomainError('VALIDATION_FAILED', `The code of the channel is ${channelCode}, and stays so.`, {
    errors: [{ pointer: '/channelCode', code: 'INVALID', detail: 'cannot be changed: bookings are known by it' }],
  });
}

/** The channel of a code. */
async function idOfCode(em: EntityManager, ...of: [TenantId, PropertyId, string]): Promise<string | undefined> {
  const [found] = await em.execute<{ id: string }[]>(OF_CODE, of);
  return found?.id;
}

async function mustBeFree(
  em: EntityManager,
  tenantId: TenantId,
  propertyId: PropertyId,
  channelCode: string,
): Promise<void> {
  if ((await idOfCode(em, tenantId, propertyId, channelCode)) !== undefined)
    throw new DomainError('ALREADY_EXISTS', `The property has a channel with the code ${channelCode} already.`);
}

async function note(
  em: EntityManager,
  by: By,
  action: string,
  before: Channel | undefined,
  after: Channel | undefined,
): Promise<void> {
  await appendAdministration(em, by, {
    entity: 'channel',
    entityId: (after ?? before)!.channelId,
    action,
    before: before && imageOfChannel(before),
    after: after && imageOfChannel(after),
  });
}
