import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import { waitingMattersAnswer } from '../../../src/notifications/contracts/waiting-matters.ts';
import { readWaitingMatters } from '../../../src/notifications/operations/waiting-matters.ts';
import { Answers } from '../../http/answers.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, SERVICES, ThePropertyRead } from '../answer.ts';

/** What waits for somebody at a property (docs/reference/own-settings.md#what-waits). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/notices')
export class WaitingNotices {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Counts of what the caller can do something about, at most a minute old; a kind without any is left out. */
  @Get()
  @Answers(waitingMattersAnswer)
  @Needs('desk.read', 'List what waits at a property')
  async list(@ThePropertyRead() { caller, to, response }: PropertyRead) {
    const matters = await response.db(readWaitingMatters(this.services, caller, to));
    return { items: matters.map(({ kind, count, name = null }) => ({ kind, count, name })) };
  }
}
