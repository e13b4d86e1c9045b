import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/notifications/contracts/stay-messages.ts';
import { messagesOfProperty } from '../../../src/notifications/operations/stay-messages.ts';
import { Answers } from '../../http/answers.ts';
import { Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, SERVICES, ThePropertyRead } from '../answer.ts';
import { renderMessage } from '../stay/render/stay-message.ts';

/** Messages to guests of a property (docs/reference/desk.md#messages). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/messages')
export class PropertyMessages {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Mails and text messages of the last month, newest first, with what became of them. */
  @Get()
  @Answers(contract.propertyMessageListAnswer)
  @Needs('desk.read', 'List the messages of a property')
  async list(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Query({ schema: contract.propertyMessagesQuery }) query: contract.PropertyMessagesQuery,
  ) {
    const { items, nextCursor } = await response.db(messagesOfProperty(this.services, to, query));
    const shown = items.map(({ reservationId, confirmationNumber, ...message }) => ({
      ...renderMessage(message),
      reservationId,
      confirmationNumber,
    }));
    return response.list(shown, nextCursor);
  }
}
