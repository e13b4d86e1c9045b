import { Controller, Get, Inject, Post, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/tenants/contracts/tenants.ts';
import { foundTenant, listTenants, setTenantStatus } from '../../../src/tenants/operations/operate-tenants.ts';
import { readTenantUse, type UsedNow } from '../../../src/tenants/operations/read-limits.ts';
import { Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { type Operator, OperatorOnly, TheOperator } from '../../http/route.ts';
import { type HttpResponse, SERVICES, TheResponse } from '../answer.ts';
import { renderTenant } from './render/tenant.ts';

/** Provides the `UsedNow`. */
export const USED_NOW = Symbol('used now');

/** Tenants of the installation, for operators (docs/reference/set-up.md#tenant): none of their data. */
@Controller('ops/tenants')
export class OperatorTenants {
  @Inject(SERVICES) protected readonly services!: Services;
  @Inject(USED_NOW) protected readonly usedNow!: UsedNow;

  @Get()
  @Answers(contract.tenantListAnswer)
  @OperatorOnly('List tenants')
  async list(
    @Query({ schema: contract.tenantsQuery }) query: contract.TenantsQuery,
    @TheResponse() response: HttpResponse,
  ) {
    const { items, nextCursor } = await listTenants(this.services, query);
    return response.list(items, nextCursor);
  }

  /** Makes a tenant with its first owner, who sets up the rest. */
  @Post()
  @Answers(contract.foundedTenantAnswer, 201)
  @OperatorOnly('Create a tenant')
  async create(
    @TheOperator() operator: Operator,
    @Body({ schema: contract.createTenantBody }) body: contract.CreateTenantBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @TheResponse() response: HttpResponse,
  ) {
    const by = { ...operator, tenantId: body.tenantId };
    const { tenant, owner } = response.stamp(await foundTenant(this.services, by, body, key)).result;
    response.header('location', `/api/v1/tenants/${tenant.tenantId}`);
    const { id: userId, issuer, subject } = owner;
    return { ...renderTenant(tenant), ownerUser: { userId, issuer, subject } };
  }

  /** What bounds a tenant, and what it uses of that in this second; reading it counts nothing. */
  @Get(':tenantId/limits')
  @Answers(contract.tenantUseAnswer)
  @OperatorOnly('Read the limits of a tenant')
  async limits(@Param('tenantId') tenantId: TenantId) {
    return { items: await readTenantUse(this.services, this.usedNow, tenantId) };
  }

  /** SUSPENDED, INACTIVE and CANCELLED hold within 30 s, sockets included. */
  @Put(':tenantId/status')
  @Answers(contract.tenantAnswer)
  @OperatorOnly('Suspend or activate a tenant')
  async status(
    @TheOperator() operator: Operator,
    @Param('tenantId') tenantId: TenantId,
    @Body({ schema: contract.tenantStatusBody }) { status }: contract.TenantStatusBody,
    @IdempotencyKey() key: Idempotency | undefined,
    @TheResponse() response: HttpResponse,
  ) {
    const by = { ...operator, tenantId };
    return renderTenant(response.stamp(await setTenantStatus(this.services, by, status, key)).result);
  }
}
