import type { stayMessageAnswer } from '../../../../src/notifications/contracts/stay-messages.ts';
import { messageIdOf } from '../../../../src/notifications/operations/stay-messages.ts';
import type { SentMessage } from '../../../../src/notifications/ports.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A message about a stay. */
export function renderMessage(message: SentMessage): AnswerOf<typeof stayMessageAnswer> {
  const { occasion: _, ...shown } = message;
  return { messageId: messageIdOf(message), ...shown };
}
