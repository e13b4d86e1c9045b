import { z } from 'zod';

import { at, count, idField, listOf } from '../../kernel/contracts/answers.ts';
import { instant, optionalText, page, propertyId, text } from '../../kernel/contracts/fields.ts';
import { MAX_WEBHOOK_PROPERTIES, PAUSE_REASONS, WEBHOOK_STATUSES, WEBHOOK_TOPICS } from '../rules/webhook.ts';

/** Bodies and answers of webhooks (docs/reference/webhooks.md#webhooks). */

const distinct = (list: readonly string[]): boolean => new Set(list).size === list.length;

const settings = {
  url: text(2_000).describe('Where events are sent: https, at a public address.'),
  description: optionalText(200),
  events: z
    .array(z.enum(WEBHOOK_TOPICS))
    .min(1)
    .max(WEBHOOK_TOPICS.length)
    .refine(distinct, 'expected each topic once')
    .describe('Names of topics.'),
  propertyIds: z
    .array(propertyId)
    .min(1)
    .max(MAX_WEBHOOK_PROPERTIES)
    .refine(distinct, 'expected each property once')
    .optional()
    .describe('Every property of the tenant when absent, also those that are created later.'),
};

export const createWebhookBody = z.strictObject({
  ...settings,
  snapshot: z.boolean().default(false).describe('Whether the state of each property is sent before its events.'),
});
export type CreateWebhookBody = z.infer<typeof createWebhookBody>;

/** `PUT` replaces the settings. */
export const changeWebhookBody = z.strictObject({
  ...settings,
  status: z.enum(WEBHOOK_STATUSES).optional().describe('As it is when absent. `ACTIVE` resumes where it stopped.'),
});
export type ChangeWebhookBody = z.infer<typeof changeWebhookBody>;

const from = z.union([
  z.strictObject({ propertyId, seq: z.int().min(1).describe('The first row that is sent again.') }),
  z.strictObject({ since: instant }),
]);
export const replayBody = z.strictObject({ from });
export type ReplayBody = z.infer<typeof replayBody>;

export const deliveriesQuery = z.object({ ...page });
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>;

export const webhookAnswer = z.object({
  webhookId: idField,
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(WEBHOOK_TOPICS)),
  propertyIds: z.array(z.string()).nullable().describe('Null for every property of the tenant.'),
  status: z.enum(WEBHOOK_STATUSES),
  pausedBecause: z
    .enum(PAUSE_REASONS)
    .nullable()
    .describe('Somebody asked, nothing was taken for three days, or the receiver answered 410.'),
  pausedAt: at.nullable(),
  formerSecretUntil: at.nullable().describe('Until when the secret before the last one signs too.'),
  behind: count.describe('Rows of journals that are not handled yet.'),
  failingSince: at.nullable().describe('Since when the receiver takes nothing, at the property that waits longest.'),
  nextAttemptAt: at.nullable(),
  lastFailure: z.string().nullable(),
  createdAt: at,
  changedAt: at,
});

export const webhookListAnswer = listOf(webhookAnswer);

const secret = z.string().describe('`whsec_` and 32 bytes in base64. It is shown once.');

export const createdWebhookAnswer = webhookAnswer.extend({ secret });
export const webhookSecretAnswer = z.object({ webhookId: idField, secret, formerSecretUntil: at.nullable() });

export const replayAnswer = z.object({
  properties: z.array(z.object({ propertyId: z.string(), seq: count.describe('The row from which it goes on.') })),
});

const delivery = z.object({
  deliveryId: count,
  propertyId: z.string(),
  seq: count,
  messageId: z.string().describe('`webhook-id` of the request.'),
  event: z.string(),
  attempt: count,
  at,
  durationMs: count,
  httpStatus: count.nullable().describe('Null without an answer.'),
  failure: z.string().nullable().describe('Null when it was taken.'),
});
export const deliveriesAnswer = listOf(delivery);

export const webhookTestAnswer = z.object({
  messageId: z.string(),
  delivered: z.boolean(),
  httpStatus: count.nullable(),
  durationMs: count,
  failure: z.string().nullable(),
});
