import { v7 as uuidv7 } from 'uuid';

import type { Services } from '../../kernel/operations/services.ts';
import type { By, Done, RequestKey } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { ChangeWebhookBody, CreateWebhookBody, ReplayBody } from '../contracts/webhooks.ts';
import type { ReplayedProperty } from '../ports.ts';
import { FORMER_SECRET_MS, type Webhook, type WebhookSettings } from '../rules/webhook.ts';
import { secretOwner } from './send-message.ts';
import { newSecret } from './sign-message.ts';

type SettingUp = Pick<Services, 'webhooks' | 'receivers' | 'sealed' | 'subscriptionChanges'>;

/** A webhook with a secret that is shown once. */
type WithSecret = { webhook: Webhook; secret: string };

/** Creates a webhook. A repeat under the same key gets the same secret. @throws DomainError VALIDATION_FAILED for its address */
export async function createWebhook(
  services: SettingUp,
  by: By,
  { events, snapshot, ...settings }: CreateWebhookBody,
  key?: RequestKey,
): Promise<Done<WithSecret>> {
  mustBeSendable(services, settings.url);
  const webhookId = uuidv7();
  const secret = services.sealed.seal(newSecret(), secretOwner(by.tenantId, webhookId));
  const webhook = { ...settings, topics: events, webhookId, secret, snapshot };
  return opened(services, by.tenantId, await services.webhooks.create(by, webhook, key));
}

/** Replaces the settings of a webhook, pauses or resumes it. @throws DomainError VALIDATION_FAILED for its address */
export async function changeWebhook(
  services: SettingUp,
  by: By,
  webhookId: string,
  { events, status, ...settings }: ChangeWebhookBody,
  key?: RequestKey,
): Promise<Done<Webhook>> {
  mustBeSendable(services, settings.url);
  const changed: WebhookSettings = { ...settings, topics: events };
  const done = await services.webhooks.change(by, webhookId, { ...changed, status }, key);
  services.subscriptionChanges.emit('changed', webhookId);
  return done;
}

/** Deletes a webhook with its positions and deliveries. */
export async function removeWebhook(
  { webhooks, subscriptionChanges }: SettingUp,
  by: By,
  webhookId: string,
  key?: RequestKey,
): Promise<Done<null>> {
  const done = await webhooks.remove(by, webhookId, key);
  subscriptionChanges.emit('changed', webhookId);
  return done;
}

/** Gives a webhook another secret; both sign for a day, so that no message is lost while the receiver changes over. */
export async function replaceSecret(
  services: SettingUp,
  by: By,
  webhookId: string,
  key?: RequestKey,
): Promise<Done<WithSecret>> {
  const secret = services.sealed.seal(newSecret(), secretOwner(by.tenantId, webhookId));
  const to = { secret, formerForMs: FORMER_SECRET_MS };
  return opened(services, by.tenantId, await services.webhooks.replaceSecret(by, webhookId, to, key));
}

/** Sends again from a row of one property, or from a moment on. */
export async function replayWebhook(
  { webhooks, subscriptionChanges }: SettingUp,
  by: By,
  webhookId: string,
  { from }: ReplayBody,
  key?: RequestKey,
): Promise<Done<ReplayedProperty[]>> {
  const done = await webhooks.replay(by, webhookId, from, key);
  subscriptionChanges.emit('changed', webhookId);
  return done;
}

/** What is stored, also for a repeat, is sealed. */
function opened({ sealed }: SettingUp, tenantId: TenantId, { result, replayed }: Done<WithSecret>): Done<WithSecret> {
  const { webhook, secret } = result;
  return { result: { webhook, secret: sealed.open(secret, secretOwner(tenantId, webhook.webhookId)) }, replayed };
}

function mustBeSendable({ receivers }: SettingUp, url: string): void {
  const fault = receivers.faultOf(url);
  if (fault === undefined) return;
  const errors = [{ pointer: '/url', code: 'ADDRESS_REFUSED', detail: fault }];
  throw new DomainError('VALIDATION_FAILED', `The address ${fault}.`, { errors });
}
