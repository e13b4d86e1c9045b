import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import { housekeepingAnswer } from '../../../src/stay/contracts/stay-documents.ts';
import { Answers } from '../../http/answers.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, SERVICES, ThePropertyRead } from '../answer.ts';
import { housekeepingTask } from '../stay/render/stay-documents.ts';

/** Housekeeping tasks: a task is done once its room's state says so (docs/concepts/rooms.md#housekeeping). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/housekeeping-tasks')
export class HousekeepingTasks {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Rooms to clean, oldest first. */
  @Get()
  @Answers(housekeepingAnswer)
  @Needs('desk.read', 'List open housekeeping tasks')
  async open(@ThePropertyRead() { to }: PropertyRead) {
    await this.services.properties.view(to);
    return { items: (await this.services.housekeeping(to)).map(housekeepingTask), nextCursor: null };
  }
}
