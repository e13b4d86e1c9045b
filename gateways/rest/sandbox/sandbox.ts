import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import { sandboxAnswer, sandboxBody, type SandboxBody } from '../../../src/sandbox/contracts/sandbox.ts';
import type { Sandbox, Sandboxes } from '../../../src/sandbox/ports.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, TheRead } from '../answer.ts';

export const SANDBOXES = Symbol('sandboxes of properties');

/** The copy of a property with invented guests (docs/reference/set-up.md#sandbox). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/sandbox')
export class PropertySandbox {
  @Inject(SANDBOXES) protected readonly sandboxes!: Sandboxes;

  @Get()
  @Answers(sandboxAnswer)
  @Needs('property.read', 'Read the sandbox of a property')
  async get(@TheRead() { caller: { tenantId } }: Read, @Param('propertyId') propertyId: PropertyId) {
    return shown(propertyId, await this.sandboxes.of({ tenantId, propertyId }));
  }

  /** Made behind the answer; one that is there, or being made, stays. */
  @Post()
  @Answers(sandboxAnswer, 202)
  @Needs('property.set-up', 'Make the sandbox of a property')
  async begin(
    @TheRead() { caller }: Read,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: sandboxBody }) { name }: SandboxBody,
  ) {
    const { tenantId } = caller;
    return shown(propertyId, await this.sandboxes.begin(caller, { tenantId, propertyId }, name));
  }

  /** Removed behind the answer, with everything in it; without one nothing happens. */
  @Delete()
  @Answers(sandboxAnswer, 202)
  @Needs('property.set-up', 'Throw the sandbox of a property away')
  async end(@TheRead() { caller }: Read, @Param('propertyId') propertyId: PropertyId) {
    const { tenantId } = caller;
    return shown(propertyId, await this.sandboxes.end(caller, { tenantId, propertyId }));
  }
}

function shown(propertyId: PropertyId, { state, sandboxId, percent }: Sandbox): AnswerOf<typeof sandboxAnswer> {
  return { propertyId, state, percent, ...(sandboxId !== undefined && { sandboxId }) };
}
