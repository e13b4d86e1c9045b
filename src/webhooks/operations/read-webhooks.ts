import { pageByNumber } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { DeliveriesQuery } from '../contracts/webhooks.ts';
import type { ListedDelivery } from '../ports.ts';
import type { Webhook } from '../rules/webhook.ts';

export const listWebhooks = ({ webhooks }: Pick<Services, 'webhooks'>, { tenantId }: Caller): Promise<Webhook[]> =>
  webhooks.list(tenantId);

/** @throws DomainError WEBHOOK_NOT_FOUND */
export async function getWebhook(
  { webhooks }: Pick<Services, 'webhooks'>,
  { tenantId }: Caller,
  webhookId: string,
): Promise<Webhook> {
  const found = await webhooks.get(tenantId, webhookId);
  if (!found) throw new DomainError('WEBHOOK_NOT_FOUND', 'The tenant has no such webhook.');
  return found;
}

/** The last requests to a webhook, newest first. @throws DomainError WEBHOOK_NOT_FOUND */
export async function listDeliveries(
  { webhooks, signed }: Pick<Services, 'webhooks' | 'signed'>,
  { tenantId }: Caller,
  webhookId: string,
  page: DeliveriesQuery,
): Promise<{ items: ListedDelivery[]; nextCursor?: string }> {
  const read = (limit: number, before: number | undefined): Promise<ListedDelivery[]> =>
    webhooks.deliveries(tenantId, webhookId, limit, before);
  return pageByNumber(signed, `deliveries ${webhookId}`, page, ({ deliveryId }) => deliveryId, read);
}
