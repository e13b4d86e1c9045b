import type { By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { TenantId, PropertyId } from '../kernel/rules/ids.ts';
import type { CursorAddress } from '../subscriptions/ports.ts';
import type {
  PauseReason,
  ReplayFrom,
  Webhook,
  WebhookDelivery,
  WebhookSettings,
  WebhookStatus,
} from './rules/webhook.ts';

/** What sending needs: address and sealed secrets, the one that is in use first. */
export type WebhookTarget = Pick<WebhookSettings, 'url' | 'topics'> & { secrets: readonly string[] };

/** A delivery with its number, for pages newest first. */
export type ListedDelivery = WebhookDelivery & { deliveryId: number };

/** Position of each property from which a replay sends. */
export type ReplayedProperty = { propertyId: PropertyId; seq: number };

/** Webhooks of tenants, their cursors and deliveries. Secrets are sealed before they come here. */
export interface Webhooks {
  list(tenantId: TenantId): Promise<Webhook[]>;
  get(tenantId: TenantId, webhookId: string): Promise<Webhook | undefined>;
  /** @throws DomainError INVALID_STATE beyond the limit of a tenant, PROPERTY_NOT_FOUND */
  create(
    by: By,
    webhook: WebhookSettings & { webhookId: string; secret: string; snapshot: boolean },
    key?: RequestKey,
  ): Promise<Done<{ webhook: Webhook; secret: string }>>;
  /** @throws DomainError WEBHOOK_NOT_FOUND, PROPERTY_NOT_FOUND */
  change(
    by: By,
    webhookId: string,
    settings: WebhookSettings & { status?: WebhookStatus },
    key?: RequestKey,
  ): Promise<Done<Webhook>>;
  /** @throws DomainError WEBHOOK_NOT_FOUND */
  remove(by: By, webhookId: string, key?: RequestKey): Promise<Done<null>>;
  /** The secret so far signs beside the new one for this time. @throws DomainError WEBHOOK_NOT_FOUND */
  replaceSecret(
    by: By,
    webhookId: string,
    to: { secret: string; formerForMs: number },
    key?: RequestKey,
  ): Promise<Done<{ webhook: Webhook; secret: string }>>;
  /** @throws DomainError WEBHOOK_NOT_FOUND, PROPERTY_NOT_FOUND */
  replay(by: By, webhookId: string, from: ReplayFrom, key?: RequestKey): Promise<Done<ReplayedProperty[]>>;
  /** Ends sending by the service itself; nothing happens to a webhook that is paused. */
  pause(of: CursorAddress, because: PauseReason, why: string): Promise<boolean>;
  /** @throws DomainError WEBHOOK_NOT_FOUND */
  deliveries(tenantId: TenantId, webhookId: string, limit: number, before?: number): Promise<ListedDelivery[]>;
  /** Adds deliveries of webhooks that are still there, and removes old ones. */
  keepDeliveries(tenantId: TenantId, all: readonly { webhookId: string; delivery: WebhookDelivery }[]): Promise<void>;
  target(tenantId: TenantId, webhookId: string): Promise<WebhookTarget | undefined>;
}

/** A request to a receiver; `of` names whose connections it may use. */
export type WebhookRequest = { of: string; url: string; headers: Readonly<Record<string, string>>; body: string };

/** How a receiver answered, in texts of ours. */
export type ReceiverAnswer = {
  isTaken: boolean;
  durationMs: number;
  httpStatus?: number;
  failure?: string;
  retryAfterMs?: number;
};

/** Sends requests to addresses that tenants name (docs/reference/webhooks.md#addresses). */
export interface Receivers extends Disposable {
  send(request: WebhookRequest): Promise<ReceiverAnswer>;
  /** Why nothing is sent to an address; names are looked up only when something is sent. */
  faultOf(url: string): string | undefined;
}
