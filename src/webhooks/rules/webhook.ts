import type { PublishedTopic } from '../../events/rules/events.ts';
import { type Topic, TOPICS } from '../../events/rules/topics.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Topics that a webhook can have (docs/reference/webhooks.md#events). */
export const WEBHOOK_TOPICS = (Object.keys(TOPICS) as Topic[]).filter(
  (topic): topic is PublishedTopic => TOPICS[topic].from === 'innkeeper',
);

export const WEBHOOK_STATUSES = ['ACTIVE', 'PAUSED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why a webhook is paused: on request, nothing was taken for three days, or its receiver answered 410. */
export const PAUSE_REASONS = ['REQUESTED', 'UNDELIVERABLE', 'GONE'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Of a tenant. */
export const MAX_WEBHOOKS = 20;
/** Of one webhook; without a list it has all. */
export const MAX_WEBHOOK_PROPERTIES = 1_000;
/** How long the former of two secrets signs too. */
export const FORMER_SECRET_MS = 86_400_000;
/** Requests that are listed of a webhook. */
export const MAX_DELIVERIES = 1_000;

/** What a client says of a webhook. */
export type WebhookSettings = {
  url: string;
  description?: string;
  topics: readonly PublishedTopic[];
  /** Every property of the tenant without it. */
  propertyIds?: readonly PropertyId[];
};

/** How sending stands, over all its properties. */
type WebhookProgress = {
  /** Journal rows that were not handled yet. */
  behind: number;
  failingSince?: Instant;
  nextAttemptAt?: Instant;
  failure?: string;
};

export type Webhook = WebhookSettings & {
  webhookId: string;
  status: WebhookStatus;
  pausedBecause?: PauseReason;
  pausedAt?: Instant;
  formerSecretUntil?: Instant;
  createdAt: Instant;
  changedAt: Instant;
  progress: WebhookProgress;
};

/** One request to a receiver. */
export type WebhookDelivery = {
  propertyId: PropertyId;
  seq: number;
  messageId: string;
  topic: string;
  attempt: number;
  at: Instant;
  durationMs: number;
  httpStatus?: number;
  /** Absent when it was taken. */
  failure?: string;
};

/** Where a replay begins: a row of one property, or a moment in the journals of all. */
export type ReplayFrom = { propertyId: PropertyId; seq: number } | { since: Instant };
