import type { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ReceiverAnswer, Receivers, WebhookTarget } from '../ports.ts';
import type { WebhookMessage } from '../rules/messages.ts';
import { signedHeaders } from './sign-message.ts';

/** Binds a sealed secret to its webhook. */
export const secretOwner = (tenantId: string, webhookId: string): string => `webhook ${tenantId} ${webhookId}`;

/** Where a webhook is sent, with its secrets opened. */
export type OpenTarget = WebhookTarget & { readonly isOpen: true };

export const openTarget = (sealed: SealedText, owner: string, target: WebhookTarget): OpenTarget => ({
  ...target,
  secrets: target.secrets.map((one) => sealed.open(one, owner)),
  isOpen: true,
});

/** Signs a message and sends it once. @param at the time of the signature */
export async function sendMessage(
  receivers: Receivers,
  owner: string,
  { url, secrets }: OpenTarget,
  { id, body }: WebhookMessage,
  at: Instant,
): Promise<ReceiverAnswer> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Innkeeper-Webhooks/1.0',
    ...signedHeaders(id, Math.floor(at / 1_000), body, secrets),
  };
  return receivers.send({ of: owner, url, headers, body });
}
