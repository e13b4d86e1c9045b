import type { EntityManager } from '@mikro-orm/postgresql';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms, presentSql } from '../../platform/database/load-sql.ts';
import type { ListedDelivery } from '../ports.ts';
import { MAX_DELIVERIES, type WebhookDelivery } from '../rules/webhook.ts';

const LIST = `
  select ${presentSql(`json_build_object('deliveryId', id, 'propertyId', property_id, 'seq', seq,
    'messageId', message_id, 'topic', topic, 'attempt', attempt, 'at', ${ms('at')}, 'durationMs', duration_ms,
    'httpStatus', http_status, 'failure', failure)`)} as one
  from webhook_deliveries
  where tenant_id = ? and webhook_id = ? and (?::bigint is null or id < ?::bigint) order by id desc limit ?`;

/** A webhook that was deleted meanwhile is left out. */
const KEEP = `
  insert into webhook_deliveries (tenant_id, webhook_id, property_id, seq, message_id, topic, attempt, at, duration_ms,
    http_status, failure)
  select ?, (d ->> 'webhookId')::uuid, d ->> 'propertyId', (d ->> 'seq')::bigint, d ->> 'messageId', d ->> 'topic',
    (d ->> 'attempt')::int, to_timestamp((d ->> 'at')::float8 / 1000), (d ->> 'durationMs')::int,
    (d ->> 'httpStatus')::int, d ->> 'failure'
  from json_array_elements(?::json) with ordinality as x (d, n)
  where exists (select from webhooks w where w.tenant_id = ? and w.id = (d ->> 'webhookId')::uuid)
  order by n`;

const FORGET = `
  delete from webhook_deliveries where tenant_id = ? and webhook_id = ? and id <= (
    select id from webhook_deliveries where tenant_id = ? and webhook_id = ?
    order by id desc offset ${MAX_DELIVERIES} limit 1)`;

export async function readDeliveries(
  em: EntityManager,
  tenantId: TenantId,
  webhookId: string,
  limit: number,
  before: number | undefined,
): Promise<ListedDelivery[]> {
  const values = [tenantId, webhookId, before ?? null, before ?? null, limit];
  return (await em.execute<{ one: ListedDelivery }[]>(LIST, values)).map(({ one }) => one);
}

/** Adds what was sent, and removes what nobody reads any more. */
export async function keepDeliveries(
  database: Database,
  tenantId: TenantId,
  all: readonly { webhookId: string; delivery: WebhookDelivery }[],
): Promise<void> {
  const rows = all.map(({ webhookId, delivery }) => ({ webhookId, ...delivery }));
  const webhooks = [...new Set(all.map(({ webhookId }) => webhookId))];
  const forget = webhooks.map((id) => [FORGET, tenantId, id, tenantId, id] as const);
  await database.writeAtOnce(tenantId, [KEEP, tenantId, JSON.stringify(rows), tenantId], ...forget);
}
