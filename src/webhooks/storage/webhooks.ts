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
import type { ReplayedProperty, Webhooks } from '../ports.ts';
import { MAX_WEBHOOKS, type ReplayFrom, type Webhook, type WebhookSettings } from '../rules/webhook.ts';
import { keepDeliveries, readDeliveries } from './webhook-deliveries.ts';
import { imageOfWebhook, WEBHOOK, webhookOf, type WebhookRow } from './webhook-rows.ts';

const COUNT = 'select count(*)::int as n from webhooks where tenant_id = ?';
const KNOWN = `
  select property_id as "propertyId" from properties
  where tenant_id = ? and property_id = any (?::text[]) and not system.is_sandbox(property_id)`;
const SUBSCRIBE = `insert into subscriptions (tenant_id, id, kind, property_ids) values (?, ?, 'WEBHOOK', ?::text[])`;
const CREATE =
  'insert into webhooks (tenant_id, id, url, description, topics, secret) values (?, ?, ?, ?, ?::text[], ?)';
/** Cursors of properties that it did not have so far: they begin with what comes next. */
const BEGIN = `
  insert into subscription_cursors (tenant_id, subscription_id, property_id, seq, snapshot)
  select a.tenant_id, ?, a.property_id, a.seq, ? from property_actor a
  where a.tenant_id = ? and (?::text[] is null or a.property_id = any (?::text[]))
    and not system.is_sandbox(a.property_id)
  on conflict do nothing`;
const END = `
  delete from subscription_cursors
  where tenant_id = ? and subscription_id = ? and ?::text[] is not null and not property_id = any (?::text[])`;
const SUBSCRIPTION = `
  update subscriptions set property_ids = ?::text[], status = ? where tenant_id = ? and id = ?`;
const CHANGE = `
  update webhooks set url = ?, description = ?, topics = ?::text[], changed_at = app_now(),
    paused_because = ?, paused_at = case when ?::text is null then null else coalesce(paused_at, app_now()) end
  where tenant_id = ? and id = ?`;
/** A receiver that is tried anew has failed at nothing yet. */
const AFRESH = `
  update subscription_cursors set attempts = 0, failing_since = null, retry_at = null, failure = null,
    epoch = epoch + 1
  where tenant_id = ? and subscription_id = ?`;
const REMOVE = 'delete from subscriptions where tenant_id = ? and id = ?';
const REPLACE_SECRET = `
  update webhooks set former_secret = secret, former_until = app_now() + ? * interval '1 millisecond', secret = ?,
    changed_at = app_now()
  where tenant_id = ? and id = ?`;
/**
 * One row before the first that is sent again. A cursor only goes back, under a new fence: a page that is under way then
 * moves nothing. One that still waits for an earlier row, or to send the state, stays where it is.
 */
const REWIND = `
  with asked as (
    select a.tenant_id, a.property_id,
      case when ?::float8 is null then ?::bigint - 1 else coalesce(
        (select min(j.seq) - 1 from journal j
         where j.tenant_id = a.tenant_id and j.property_id = a.property_id and j.at >= to_timestamp(?::float8 / 1000)),
        a.seq) end as seq
    from property_actor a
    where a.tenant_id = ? and (?::text[] is null or a.property_id = any (?::text[]))
      and not system.is_sandbox(a.property_id)),
  rewound as (
    update subscription_cursors c
    set seq = a.seq, part = 0, epoch = c.epoch + 1, attempts = 0, failing_since = null, retry_at = null, failure = null
    from asked a
    where c.tenant_id = a.tenant_id and c.property_id = a.property_id and c.subscription_id = ?
      and a.seq <= c.seq and not c.snapshot
    returning c.property_id, c.seq)
  select a.property_id as "propertyId", coalesce(r.seq, c.seq, 0) + 1 as seq
  from asked a
  left join rewound r on r.property_id = a.property_id
  left join subscription_cursors c
    on c.tenant_id = a.tenant_id and c.property_id = a.property_id and c.subscription_id = ?
  order by a.property_id`;
const PAUSE = `
  with paused as (
    update subscriptions set status = 'PAUSED' where tenant_id = ? and id = ? and status = 'ACTIVE' returning id)
  update webhooks w set paused_because = ?, paused_at = app_now() from paused p
  where w.tenant_id = ? and w.id = p.id returning w.id`;
const TARGET = `
  select url, topics, secret, case when former_until > app_now() then former_secret end as former
  from webhooks where tenant_id = ? and id = ?`;

type TargetRow = { url: string; topics: WebhookSettings['topics']; secret: string; former: string | null };

/** Webhooks in PostgreSQL, within the tenant. */
export function databaseWebhooks(database: Database): Webhooks {
  const once = administrationWrites(database);
  return {
    list: (tenantId) =>
      database.readTenant(tenantId, async (em) =>
        (await em.execute<WebhookRow[]>(`${WEBHOOK} order by w.created_at, w.id`, [tenantId])).map(webhookOf),
      ),
    get: (tenantId, webhookId) => database.readTenant(tenantId, (em) => read(em, tenantId, webhookId)),
    ...settingsOf(once),
    ...changesOf(once),
    pause: ({ tenantId, subscriptionId }, because, why) =>
      database.inTenant(tenantId, async (em) => {
        await takeTurn(em, tenantId);
        const before = await read(em, tenantId, subscriptionId);
        const paused = await em.execute<unknown[]>(PAUSE, [tenantId, subscriptionId, because, tenantId]);
        if (!before || paused.length === 0) return false;
        const by = { tenantId, subject: 'system', requestId: `webhook-${subscriptionId}` };
        const after = { ...imageOfWebhook(await mustRead(em, tenantId, subscriptionId)), why };
        const change = { entity: 'webhook', entityId: subscriptionId, action: 'PAUSED' };
        await appendAdministration(em, by, { ...change, before: imageOfWebhook(before), after });
        return true;
      }),
    deliveries: (tenantId, webhookId, limit, before) =>
      database.readTenant(tenantId, async (em) => {
        await mustRead(em, tenantId, webhookId);
        return readDeliveries(em, tenantId, webhookId, limit, before);
      }),
    keepDeliveries: (tenantId, all) => keepDeliveries(database, tenantId, all),
    async target(tenantId, webhookId) {
      const [rows = []] = await database.readAtOnce(tenantId, [TARGET, tenantId, webhookId]);
      const [row] = rows as TargetRow[];
      if (!row) return undefined;
      const { url, topics, secret, former } = row;
      return { url, topics, secrets: former === null ? [secret] : [secret, former] };
    },
  };
}

function settingsOf(once: AdministrationWrite): Pick<Webhooks, 'create' | 'change'> {
  return {
    create: (by, { webhookId, secret, snapshot, ...settings }, key) =>
      once(by, key, async (em) => {
        await mustFit(em, by.tenantId, settings);
        const { url, description = null, topics, propertyIds: ids = null } = settings;
        await em.execute(SUBSCRIBE, [by.tenantId, webhookId, listOf(ids)]);
        await em.execute(CREATE, [by.tenantId, webhookId, url, description, listOf(topics), secret]);
        await em.execute(BEGIN, [webhookId, snapshot, by.tenantId, listOf(ids), listOf(ids)]);
        const webhook = await mustRead(em, by.tenantId, webhookId);
        await note(em, by, 'CREATED', undefined, webhook);
        return { webhook, secret };
      }),
    change: (by, webhookId, { status, ...settings }, key) =>
      once(by, key, async (em) => {
        const before = await mustRead(em, by.tenantId, webhookId);
        await mustKnow(em, by.tenantId, settings.propertyIds);
        const { url, description = null, topics, propertyIds: ids = null } = settings;
        const { tenantId } = by;
        const next = status ?? before.status;
        const because = next === 'ACTIVE' ? null : (before.pausedBecause ?? 'REQUESTED');
        await em.execute(SUBSCRIPTION, [listOf(ids), next, tenantId, webhookId]);
        await em.execute(CHANGE, [url, description, listOf(topics), because, because, tenantId, webhookId]);
        await em.execute(END, [tenantId, webhookId, listOf(ids), listOf(ids)]);
        if (ids) await em.execute(BEGIN, [webhookId, false, tenantId, listOf(ids), listOf(ids)]);
        else if (before.propertyIds) await em.execute(BEGIN, [webhookId, false, tenantId, null, null]);
        if (url !== before.url || next !== before.status) await em.execute(AFRESH, [tenantId, webhookId]);
        const after = await mustRead(em, tenantId, webhookId);
        await note(em, by, 'CHANGED', before, after);
        return after;
      }),
  };
}

function changesOf(once: AdministrationWrite): Pick<Webhooks, 'remove' | 'replaceSecret' | 'replay'> {
  return {
    remove: (by, webhookId, key) =>
      once(by, key, async (em) => {
        const before = await mustRead(em, by.tenantId, webhookId);
        await em.execute(REMOVE, [by.tenantId, webhookId]);
        await note(em, by, 'REMOVED', before, undefined);
        return null;
      }),
    replaceSecret: (by, webhookId, { secret, formerForMs }, key) =>
      once(by, key, async (em) => {
        await mustRead(em, by.tenantId, webhookId);
        await em.execute(REPLACE_SECRET, [formerForMs, secret, by.tenantId, webhookId]);
        const webhook = await mustRead(em, by.tenantId, webhookId);
        await note(em, by, 'SECRET_REPLACED', webhook, webhook);
        return { webhook, secret };
      }),
    replay: (by, webhookId, from, key) =>
      once(by, key, async (em) => {
        const webhook = await mustRead(em, by.tenantId, webhookId);
        const rewound = await rewind(em, by.tenantId, webhook, from);
        await note(em, by, 'REPLAYED', undefined, webhook);
        return rewound;
      }),
  };
}

/** As PostgreSQL reads a list: parameters of the ORM are single values. Names of ours need no quotes in it. */
const listOf = (texts: readonly string[] | null): string | null => (texts === null ? null : `{${texts.join()}}`);

async function read(em: EntityManager, tenantId: TenantId, webhookId: string): Promise<Webhook | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const [row] = await em.execute<WebhookRow[]>(`${WEBHOOK} and w.id = ?`, [tenantId, webhookId]);
  return row && webhookOf(row);
}

async function mustRead(em: EntityManager, tenantId: TenantId, webhookId: string): Promise<Webhook> {
  const found = await read(em, tenantId, webhookId);
  if (!found) throw new DomainError('WEBHOOK_NOT_FOUND', 'The tenant has no such webhook.');
  return found;
}

async function mustFit(em: EntityManager, tenantId: TenantId, { propertyIds }: WebhookSettings): Promise<void> {
  const [{ n } = { n: 0 }] = await em.execute<{ n: number }[]>(COUNT, [tenantId]);
  if (n >= MAX_WEBHOOKS)
    throw new DomainError('INVALID_STATE', `A tenant has at most ${MAX_WEBHOOKS} webhooks; delete one first.`);
  await mustKnow(em, tenantId, propertyIds);
}

async function mustKnow(
  em: EntityManager,
  tenantId: TenantId,
  propertyIds: readonly PropertyId[] | undefined,
): Promise<void> {
  if (!propertyIds) return;
  const rows = await em.execute<{ propertyId: string }[]>(KNOWN, [tenantId, listOf(propertyIds)]);
  const known = new Set(rows.map(({ propertyId }) => propertyId));
  const missing = propertyIds.find((one) => !known.has(one));
  if (missing !== undefined)
    throw new DomainError('PROPERTY_NOT_FOUND', `The tenant has no property ${JSON.stringify(missing)}.`);
}

async function rewind(
  em: EntityManager,
  tenantId: TenantId,
  { webhookId, propertyIds: all }: Webhook,
  from: ReplayFrom,
): Promise<ReplayedProperty[]> {
  const one = 'propertyId' in from ? from : undefined;
  const since = 'since' in from ? from.since : null;
  const ids = listOf(one ? [one.propertyId] : (all ?? null));
  if (one && all && !all.includes(one.propertyId))
    throw new DomainError('PROPERTY_NOT_FOUND', 'The webhook does not have this property.');
  const values = [since, one?.seq ?? 1, since, tenantId, ids, ids, webhookId, webhookId];
  const rewound = await em.execute<ReplayedProperty[]>(REWIND, values);
  if (one && rewound.length === 0) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  return rewound;
}

async function note(
  em: EntityManager,
  by: By,
  action: string,
  before: Webhook | undefined,
  after: Webhook | undefined,
): Promise<void> {
  await appendAdministration(em, by, {
    entity: 'webhook',
    entityId: (after ?? before)!.webhookId,
    action,
    before: before && imageOfWebhook(before),
    after: after && imageOfWebhook(after),
  });
}
