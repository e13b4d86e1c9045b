import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { PropertyId, TenantId } from '../../../src/kernel/rules/ids.ts';
import type { NodeLooks } from '../../../src/platform/coordination/ports.ts';
import * as contract from '../../../src/property-store/contracts/actor-answers.ts';
import * as auditAnswers from '../../../src/property-store/contracts/audit-answers.ts';
import { auditProperty } from '../../../src/property-store/operations/audit-property.ts';
import { listOwnedProperties, readActor } from '../../../src/property-store/operations/operate-properties.ts';
import { auditMoney } from '../../../src/stay/operations/audit-money.ts';
import { Answers } from '../../http/answers.ts';
import { Param, Query } from '../../http/parameters.ts';
import { type Operator, OperatorOnly, TheOperator } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';
import { COUNT_VIOLATIONS } from './admin.ts';

/** Provides the `NodeLooks`. */
export const NODE_LOOKS = Symbol('node looks');

/** Properties and their actors, for operators (docs/operations/health.md#actor-of-a-property): none of their data. */
@Controller('ops/tenants/:tenantId/properties')
export class OperatorProperties {
  @Inject(SERVICES) protected readonly services!: Services;
  @Inject(NODE_LOOKS) protected readonly looks!: NodeLooks;
  @Inject(COUNT_VIOLATIONS) protected readonly countViolations!: (more: number) => void;

  @Get()
  @Answers(contract.ownedPropertiesAnswer)
  @OperatorOnly('List properties of a tenant with their owners')
  async list(
    @Param('tenantId') tenantId: TenantId,
    @Query({ schema: contract.ownedPropertiesQuery }) { q }: contract.OwnedPropertiesQuery,
  ) {
    return { items: await listOwnedProperties(this.services, tenantId, q) };
  }

  /** Owner, mailbox, newest batches and newest commands; reading activates nothing. */
  @Get(':propertyId/actor')
  @Answers(contract.actorAnswer)
  @OperatorOnly('Read the actor of a property')
  async actor(@Param('tenantId') tenantId: TenantId, @Param('propertyId') propertyId: PropertyId) {
    const { resident, ...rest } = await readActor(this.services, this.looks, { tenantId, propertyId });
    return { ...rest, resident: resident.map(({ batches, ...one }) => ({ ...one, batches: [...batches] })) };
  }

  /** Compares memory, database and recomputation at one `seq`, and checks the money of each reservation. */
  @Get(':propertyId/audit')
  @Answers(auditAnswers.auditAnswer)
  @OperatorOnly('Audit a property of a tenant')
  async audit(
    @TheOperator() operator: Operator,
    @Param('tenantId') tenantId: TenantId,
    @Param('propertyId') propertyId: PropertyId,
  ) {
    const caller = { ...operator, tenantId, role: 'ADMIN' as const };
    const report = await auditProperty(this.services, caller, propertyId);
    const money = await auditMoney(this.services, { tenantId, propertyId });
    this.countViolations(report.violations.length + money.violationCount);
    return { ...report, money };
  }
}
