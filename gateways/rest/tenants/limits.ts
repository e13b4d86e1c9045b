import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import { limitsAnswer } from '../../../src/tenants/contracts/tenants.ts';
import { readLimits } from '../../../src/tenants/operations/read-limits.ts';
import { Answers } from '../../http/answers.ts';
import { Needs } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';

/** What bounds a tenant (docs/reference/api.md#limits). */
@Controller('api/v1/tenants/:tenantId/limits')
export class TenantLimits {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(limitsAnswer)
  @Needs('admin.read', 'Read the limits of the tenant')
  list() {
    return { items: readLimits(this.services) };
  }
}
