import type { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ReceiverAnswer, Receivers, WebhookTarget } from '../ports.ts';
import type { WebhookMessage } from '../rules/messages.ts';
import { signedHeaders } from './sign-message.ts';

/** Binds a sealed secret to its webhook. */
export const secretOwner = (tenantId: string, webhookId: string): string => `webhook ${tenantId} ${webhookId}`;

type Sending = { receivers: Receivers; sealed: SealedText; now(): Instant };

/** Signs a message and sends it once. */
export async function sendMessage(
  { receivers, sealed, now }: Sending,
  owner: string,
  { url, secrets }: WebhookTarget,
  { id, body }: WebhookMessage,
): Promise<ReceiverAnswer> {
  const opened = secrets.map((one) => sealed.open(one, owner));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Innkeeper-Webhooks/1.0',
    ...signedHeaders(id, Math.floor(now() / 1_000), body, opened),
  };
  return receivers.send({ of: owner, url, headers, body });
}
