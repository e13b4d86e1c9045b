import { Controller, Get, Inject } from '@nestjs/common';

import { type DevMailboxQuery, devMailboxQuery } from '../../../src/kernel/contracts/development.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as outboxAnswer from '../../../src/notifications/contracts/outbox-answer.ts';
import { readDevMailbox } from '../../../src/notifications/operations/read-dev-mailbox.ts';
import type { DevMailbox } from '../../../src/notifications/ports.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';

export const OUTBOX = Symbol('outbox');

/**
 * Messages to guests that were not sent, without a mail server; not in production
 * (docs/reference/set-up.md#development-only).
 */
@Controller('dev/outbox')
export class DevOutbox {
  @Inject(OUTBOX) protected readonly outbox!: DevMailbox;
  @Inject(SERVICES) protected readonly services!: Services;

  /** Unsent mails and text messages to guests, newest first; the last 1,000 of the process. */
  @Get()
  @Answers(outboxAnswer.outboxAnswer)
  @Needs('admin.read', 'Read messages that were not sent')
  list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: devMailboxQuery }) query: DevMailboxQuery,
  ): AnswerOf<typeof outboxAnswer.outboxAnswer> {
    const { items, nextCursor } = readDevMailbox(this.outbox, this.services, caller, query);
    const shown = items.map(({ id, channel, kind, to, subject, text, html, reservationId, sentAt }) => {
      const content = { to, subject, text, html };
      return { id, channel, kind, ...content, reservationId, sentAt };
    });
    return response.list(shown, nextCursor);
  }
}
