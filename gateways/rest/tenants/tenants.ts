import { Controller, Get, Inject, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import * as contract from '../../../src/tenants/contracts/tenants.ts';
import { changeTenant, readTenant } from '../../../src/tenants/operations/change-tenant.ts';
import { Answers } from '../../http/answers.ts';
import { Body } from '../../http/parameters.ts';
import { Needs, TheCaller } from '../../http/route.ts';
import { SERVICES, TheWrite, type Write } from '../answer.ts';
import { renderTenant } from './render/tenant.ts';

/** The tenant itself (docs/reference/set-up.md#tenant): for its owner, also when it is not active. */
@Controller('api/v1/tenants/:tenantId')
export class Tenants {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(contract.tenantAnswer)
  @Needs('tenant.read', 'Read the tenant')
  async get(@TheCaller() { tenantId }: Caller) {
    return renderTenant(await readTenant(this.services, tenantId));
  }

  /** Its properties follow new policies within a minute; those that a property names itself stay. */
  @Put()
  @Answers(contract.tenantAnswer)
  @Needs('tenant.set', 'Change the tenant')
  async update(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.tenantBody }) body: contract.TenantBody,
  ) {
    const { tenantId, name, type, status, config } = body;
    if (tenantId !== undefined && tenantId !== caller.tenantId) throw otherTenant();
    const wish = { name, type, status, config };
    return renderTenant(response.stamp(await changeTenant(this.services, caller, wish, key)).result);
  }
}

/** What is named in the body is what is named in the path: no tenant is renamed. */
function otherTenant(): DomainError {
  const detail = 'A tenant keeps its id: it is that of the path.';
  return new DomainError('VALIDATION_FAILED', detail, {
    errors: [{ pointer: '/tenantId', code: 'DIFFERS', detail }],
  });
}
