import { v7 as uuidv7 } from 'uuid';

import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReceiverAnswer } from '../ports.ts';
import { testMessage } from '../rules/messages.ts';
import { openTarget, secretOwner, sendMessage } from './send-message.ts';

/**
 * Sends a test message at once, also to a webhook that is paused; nothing follows from its answer.
 * @param now the time of the signature: that of the world, not of the development clock
 * @throws DomainError WEBHOOK_NOT_FOUND
 */
export async function testWebhook(
  { webhooks, receivers, sealed }: Pick<Services, 'webhooks' | 'receivers' | 'sealed'>,
  { tenantId }: Caller,
  webhookId: string,
  now: number,
): Promise<ReceiverAnswer & { messageId: string }> {
  const known = await webhooks.get(tenantId, webhookId);
  const target = known && (await webhooks.target(tenantId, webhookId));
  if (!target) throw new DomainError('WEBHOOK_NOT_FOUND', 'The tenant has no such webhook.');
  const messageId = uuidv7();
  const message = testMessage(messageId, tenantId, webhookId, now);
  const owner = secretOwner(tenantId, webhookId);
  return { messageId, ...(await sendMessage(receivers, owner, openTarget(sealed, owner, target), message, now)) };
}
