import { Controller, Get, Inject, Put } from '@nestjs/common';

import { type DemoBody, demoAnswer, demoBody } from '../../../src/demo/contracts/demo-answers.ts';
import type { DemoStates } from '../../../src/demo/ports.ts';
import type { TenantId } from '../../../src/kernel/rules/ids.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, TheRead } from '../answer.ts';

export const DEMO_STATES = Symbol('states of the demo');

/** Pace of the guests of the demo (docs/reference/set-up.md#development-only); only where hotels of the demo live. */
@Controller('dev/demo')
export class DevDemo {
  @Inject(DEMO_STATES) protected readonly states!: DemoStates;

  @Get()
  @Answers(demoAnswer)
  @Needs('property.read', 'Read the pace of the demo')
  async read(@TheRead() { caller }: Read) {
    return this.#shown(caller.tenantId);
  }

  /** The same pace for all properties of the tenant; it survives a restart. */
  @Put()
  @Answers(demoAnswer)
  @Needs('demo.pace', 'Set the pace of the demo')
  async put(@TheRead() { caller }: Read, @Body({ schema: demoBody }) { pace }: DemoBody) {
    await this.states.setPace(caller.tenantId, pace);
    return this.#shown(caller.tenantId);
  }

  /** A tenant without properties that live has no guests. */
  async #shown(tenantId: TenantId): Promise<AnswerOf<typeof demoAnswer>> {
    const states = await this.states.of(tenantId);
    const properties = states.map(({ propertyId, beganAt, partsDone, parts }) => {
      return { propertyId, beganAt, partsDone, parts };
    });
    return { pace: states[0]?.pace ?? 'OFF', properties };
  }
}
